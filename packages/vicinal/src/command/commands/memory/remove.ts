// `vicinal memory remove`: forgets memories.

import type { MemoryStore } from '@vicinal/server'
import type { Command } from 'commander'
import { type CommandIo, printJson } from '../../command-io.ts'
import { findId, withStore } from '../../files/with-store.ts'
import type { GlobalOptions } from '../../program.ts'

const examples = `
Examples:
  vicinal memory remove notes d1
  vicinal memory remove notes 3 4 5`

export function addMemoryRemove(memory: Command, io: CommandIo): void {
  memory
    .command('remove')
    .description('Remove memories. If an id is unknown, none is removed.')
    .summary('forget memories')
    .argument('<store>', 'store made by create')
    .argument('<ids...>', 'ids of the memories to remove')
    .addHelpText('after', examples)
    .action((path: string, ids: string[], _flags: unknown, self: Command) => {
      return withStore(path, { signal: io.signal }, store =>
        remove(store, ids, self.optsWithGlobals<GlobalOptions>(), io),
      )
    })
}

async function remove(store: MemoryStore, words: string[], { json }: GlobalOptions, io: CommandIo): Promise<void> {
  const ids = [...new Set(words.map(word => findId(store, word)))]
  await Promise.all(ids.map(id => store.remove(id)))
  if (json) printJson(io, { removed: ids.length, memories: store.size })
  else io.stderr.write(`removed ${ids.length}, ${store.size} left\n`)
}
