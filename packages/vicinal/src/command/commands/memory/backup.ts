// `vicinal memory backup` and `vicinal memory restore`: a whole store, including what it learned, to one file and back.

import { EngineError } from '@vicinal/core'
import type { Command } from 'commander'
import { type CommandIo, printJson } from '../../command-io.ts'
import { withStore } from '../../files/with-store.ts'
import type { GlobalOptions } from '../../program.ts'
import { formatMemories } from '../../terminal/quantity.ts'
import { oneLine } from '../../terminal/table.ts'

const backupExamples = `
The file holds every memory and all that was learned, to the bit. It may be made
while another process writes the store.

Examples:
  vicinal memory backup notes notes.backup
  vicinal memory backup notes "notes-$(date +%F).backup"`

const restoreExamples = `
The new store answers as the old one did when the backup was made.

Examples:
  vicinal memory restore notes.backup notes`

export function addMemoryBackup(memory: Command, io: CommandIo): void {
  memory
    .command('backup')
    .description('Write a whole store to one file: all memories, and what was learned.')
    .summary('write a store to one file')
    .argument('<store>', 'store made by create')
    .argument('<file>', 'file to write')
    .addHelpText('after', backupExamples)
    .action((path: string, file: string, _flags: unknown, self: Command) => {
      const { json } = self.optsWithGlobals<GlobalOptions>()
      return withStore(path, { readOnly: true, signal: io.signal }, async store => {
        await store.backup(file, { signal: io.signal })
        if (json) printJson(io, { file, memories: store.size })
        else io.stderr.write(`wrote ${formatMemories(store.size)} to ${oneLine(file)}\n`)
      })
    })
}

export function addMemoryRestore(memory: Command, io: CommandIo): void {
  memory
    .command('restore')
    .description('Create a new store from a file written by backup.')
    .summary('create a store from a backup')
    .argument('<file>', 'file written by backup')
    .argument('<store>', 'folder to make')
    .addHelpText('after', restoreExamples)
    .action(async (file: string, path: string, _flags: unknown, self: Command) => {
      const { json } = self.optsWithGlobals<GlobalOptions>()
      const { MemoryStore } = await import('@vicinal/server')
      const store = await MemoryStore.restore(file, path, { signal: io.signal }).catch(tellBackup)
      const { size } = store
      await store.close()
      if (json) printJson(io, { store: path, memories: size })
      else io.stderr.write(`made the store ${oneLine(path)} with ${formatMemories(size)}\n`)
    })
}

/** A file that is not a backup is usually another kind of file. */
function tellBackup(error: unknown): never {
  if (!(error instanceof EngineError && error.code === 'UNKNOWN_FORMAT') || error.hint) throw error
  throw new EngineError(error.code, error.message, { hint: 'Give a file written by backup.', cause: error })
}
