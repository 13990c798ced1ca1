// `vicinal memory list`: memories as they are stored, in an order, page by page.

import type { MemoryListOptions } from '@vicinal/core/memory'
import type { MemoryStore } from '@vicinal/server'
import { type Command, Option } from 'commander'
import { type CommandIo, printJson } from '../../command-io.ts'
import { formatMemory } from '../../files/memory-lines.ts'
import { withStore } from '../../files/with-store.ts'
import { wholeNumber } from '../../flags/whole-number.ts'
import type { GlobalOptions } from '../../program.ts'

interface Flags extends GlobalOptions {
  readonly namespace?: string
  readonly order: 'newest' | 'oldest' | 'reward'
  readonly limit: number
  readonly offset: number
}

const examples = `
One line of JSON a memory: what export writes of it, and its rewards so far.

Examples:
  vicinal memory list notes
  vicinal memory list notes --namespace anna --order reward --limit 5
  vicinal memory list notes --offset 100`

export function addMemoryList(memory: Command, io: CommandIo): void {
  memory
    .command('list')
    .description('Print memories as lines of JSON, newest first.')
    .summary('print memories, page by page')
    .argument('<store>', 'store made by create')
    .option('--namespace <name>', 'only memories of this namespace (default: of all)')
    .addOption(
      new Option('--order <order>', 'which come first').choices(['newest', 'oldest', 'reward']).default('newest'),
    )
    .option('--limit <n>', 'how many at most', wholeNumber(1, 2 ** 32), 100)
    .option('--offset <n>', 'how many to skip first', wholeNumber(0, 2 ** 32), 0)
    .addHelpText('after', examples)
    .action((path: string, _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>()
      return withStore(path, { readOnly: true, signal: io.signal }, store => list(store, flags, io))
    })
}

async function list(store: MemoryStore, flags: Flags, io: CommandIo): Promise<void> {
  const { namespace, order, limit, offset } = flags
  const whose = namespace === undefined ? {} : { namespace }
  const options: MemoryListOptions = { order, limit, offset, ...whose }
  const found = store.list(options)
  if (flags.json) {
    const memories = found.map(memory => JSON.parse(formatMemory(memory)))
    printJson(io, { memories, count: store.count(whose) })
  } else io.stdout.write(found.map(memory => formatMemory(memory)).join(''))
}
