// `vicinal memory get`: memories by their ids, as lines of JSON.

import type { MemoryStore } from '@vicinal/server'
import type { Command } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import { formatMemory } from '../../files/memory-lines.ts'
import { findId, withStore } from '../../files/with-store.ts'

const examples = `
One line of JSON a memory: what export writes of it, and its rewards so far.

Examples:
  vicinal memory get notes 0
  vicinal memory get notes d1 d2`

export function addMemoryGet(memory: Command, io: CommandIo): void {
  memory
    .command('get')
    .description('Print memories by their ids, as lines of JSON.')
    .summary('print memories by their ids')
    .argument('<store>', 'store made by create')
    .argument('<ids...>', 'ids of memories')
    .addHelpText('after', examples)
    .action((path: string, ids: readonly string[]) =>
      withStore(path, { readOnly: true, signal: io.signal }, store => get(store, ids, io)),
    )
}

async function get(store: MemoryStore, ids: readonly string[], { stdout }: CommandIo): Promise<void> {
  // All are looked up before any is printed: an unknown one prints nothing.
  const found = ids.map(id => store.get(findId(store, id)))
  for (const memory of found) if (memory) stdout.write(formatMemory(memory))
}
