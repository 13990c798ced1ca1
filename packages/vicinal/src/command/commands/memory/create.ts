// `vicinal memory create`: a new store, with the options its memory will always have.

import type { Command } from 'commander'
import { type CommandIo, printJson } from '../../command-io.ts'
import { addMemoryFlags, type MemoryFlags, toMemoryOptions } from '../../flags/memory-flags.ts'
import { oneLine } from '../../terminal/table.ts'

const examples = `
Examples:
  vicinal memory create notes
  vicinal memory create notes --set capacity=100000 --set duplicates=merge
  vicinal memory create notes --set text.stemmer=english`

export function addMemoryCreate(memory: Command, io: CommandIo): void {
  const command = memory
    .command('create')
    .description('Create an empty memory store.')
    .summary('create an empty memory store')
    .argument('<store>', 'folder to create')
    .action((path: string, _flags: unknown, self: Command) => create(path, self.optsWithGlobals<MemoryFlags>(), io))
  addMemoryFlags(command).addHelpText('after', examples)
}

async function create(path: string, flags: MemoryFlags, io: CommandIo): Promise<void> {
  const options = toMemoryOptions(flags)
  const { MemoryStore } = await import('@vicinal/server')
  const store = await MemoryStore.create(path, options)
  const { learner, ...settings } = store.options
  await store.close()
  if (flags.json) printJson(io, { store: path, options: { ...settings, learner: learner.name } })
  else io.stderr.write(`created the store ${oneLine(path)}\n`)
}
