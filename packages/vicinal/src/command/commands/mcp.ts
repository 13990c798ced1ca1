// `vicinal mcp`: memories, labels and documents as tools of an agent, on stdin and stdout.

import type { Command } from 'commander'
import type { CommandIo } from '../command-io.ts'
import { threadScript } from '../serving.ts'
import { version } from '../version.ts'

const examples = `
Tools: remember, recall, reward, forget and list_memories for a memory store;
suggest_labels and explain_label for a model; search for a collection.

In the configuration of an MCP client:
  { "mcpServers": { "vicinal": { "command": "npx", "args": ["vicinal", "mcp", "/path/to/notes"] } } }

Examples:
  vicinal memory create notes && vicinal mcp notes
  vicinal mcp notes titles.model books.collection --namespace anna`

export function addMcp(program: Command, io: CommandIo): void {
  program
    .command('mcp')
    .argument('<files...>', 'memory stores, models and collections')
    .description('Give an agent a memory, labels and documents: an MCP server on stdin and stdout.')
    .summary('give an agent a memory, labels and documents (MCP)')
    .helpGroup('More:')
    .option('--namespace <name>', 'the only namespace of memories that the agent sees')
    .addHelpText('after', examples)
    .action(async (files: readonly string[], { namespace }: { namespace?: string }) => {
      // Loaded here, so that other commands do not load it.
      const [{ serveMcp }, { openService }] = await Promise.all([
        import('@vicinal/server/mcp'),
        import('@vicinal/server/http'),
      ])
      const thread = threadScript()
      const service = await openService(files, { ...(thread && { thread }), signal: io.signal })
      const server = serveMcp(service, { version, ...(namespace !== undefined && { namespace }) })
      io.stderr.write(`vicinal mcp: ${service.served.map(({ kind, name }) => `${kind} ${name}`).join(', ')}\n`)
      await hungUp(io.signal)
      await server.close()
      await service.close()
    })
}

/** Resolves when the client has closed stdin, or at Ctrl-C. */
function hungUp(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    signal.addEventListener('abort', () => resolve(), { once: true })
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
  })
}
