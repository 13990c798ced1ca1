// `vicinal memory export`: every memory of a store as a line of JSON.

import { throwIfAborted } from '@vicinal/core/internals'
import type { MemoryStore } from '@vicinal/server'
import type { Command } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import { formatMemory } from '../../files/memory-lines.ts'
import { withStore } from '../../files/with-store.ts'

/** Memories between two checks for Ctrl-C. */
const batchMemories = 1024

const examples = `
Prints one JSON line per memory, with or without --json. \`memory insert\` reads these
lines back: keys with all digits, values, ids, namespaces, metadata, times, and how
often each memory was rewarded. Vectors are printed with length 1, as they are
compared. What the store learned beyond that is in backups only.

Examples:
  vicinal memory export notes > memories.jsonl
  vicinal memory export notes | gzip > memories.jsonl.gz`

export function addMemoryExport(memory: Command, io: CommandIo): void {
  memory
    .command('export')
    .description('Print every memory of a store as a line of JSON, in insertion order.')
    .summary('print all memories as lines of JSON')
    .argument('<store>', 'store made by create')
    .addHelpText('after', examples)
    .action((path: string) =>
      withStore(path, { readOnly: true, signal: io.signal }, store => exportMemories(store, io)),
    )
}

async function exportMemories(store: MemoryStore, { stdout, signal }: CommandIo): Promise<void> {
  let lines: string[] = []
  const flush = async () => {
    stdout.write(lines.join(''))
    lines = []
    await new Promise(setImmediate) // Ctrl-C is heard between batches
    throwIfAborted(signal)
  }
  for (const memory of store.memories()) {
    lines.push(formatMemory(memory))
    if (lines.length >= batchMemories) await flush()
  }
  await flush()
}
