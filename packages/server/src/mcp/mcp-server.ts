// An MCP server over a service: its tools, and the served things as resources. Errors tell the model what would be valid.

import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { EngineError } from '@vicinal/core'
import { checkOptions, checkText, optionTable } from '@vicinal/core/internals'
import { plural, type ServiceCalls } from '../service/service.ts'
import { type Tool, type ToolSettings, toolsFor } from './tools.ts'

export interface McpOptions extends ToolSettings {
  /** Sent to clients. */
  readonly version?: string
}

const mcpOptions = optionTable<McpOptions>({ version: checkText, namespace: checkText })

export function createMcpServer(service: ServiceCalls, options: McpOptions = {}): McpServer {
  checkOptions(options, mcpOptions)
  const { version = '0.0.0', ...settings } = options
  const server = new McpServer({ name: 'vicinal', version })
  for (const tool of toolsFor(service, settings)) addTool(server, tool)
  for (const { kind, name } of service.served) {
    const uri = `vicinal://${plural(kind)}/${name}`
    server.registerResource(
      `${kind} ${name}`,
      uri,
      { description: `What the ${kind} "${name}" is, and its size.`, mimeType: 'application/json' },
      async () => ({
        contents: [{ uri, mimeType: 'application/json', text: await service.call(kind, name, 'describe', {}) }],
      }),
    )
  }
  return server
}

/** Answers a client on this process's stdin and stdout, until it disconnects. */
export function serveMcp(service: ServiceCalls, options: McpOptions = {}): { close(): Promise<void> } {
  checkOptions(options, mcpOptions)
  return serveStdio(() => createMcpServer(service, options))
}

/** Answers MCP over HTTP. */
export function mcpHandler(service: ServiceCalls, options: McpOptions = {}): (request: Request) => Promise<Response> {
  checkOptions(options, mcpOptions)
  const handler = createMcpHandler(() => createMcpServer(service, options))
  return request => handler.fetch(request)
}

function addTool(server: McpServer, { name, title, description, input, readOnly, run }: Tool): void {
  const annotations = { readOnlyHint: readOnly, destructiveHint: name === 'forget', openWorldHint: false }
  server.registerTool(name, { title, description, inputSchema: input, annotations }, async given => {
    try {
      const answer = await run(given as never) // as its shape has let through
      return { content: [{ type: 'text', text: JSON.stringify(answer) }] }
    } catch (error) {
      return { isError: true, content: [{ type: 'text', text: advice(error) }] }
    }
  })
}

function advice(error: unknown): string {
  if (!(error instanceof EngineError) || error.code === 'INTERNAL') return 'Vicinal failed on this call.'
  return error.hint === undefined ? error.message : `${error.message}. ${error.hint}`
}
