// `vicinal memory check`: whether a store is whole.

import { EngineError } from '@vicinal/core'
import type { MemoryStore } from '@vicinal/server'
import type { Command } from 'commander'
import { type CommandIo, printJson } from '../../command-io.ts'
import { withStore } from '../../files/with-store.ts'
import type { GlobalOptions } from '../../program.ts'
import { formatCountOf, formatMemories } from '../../terminal/quantity.ts'
import { oneLine } from '../../terminal/table.ts'
import { unlessAborted } from '../../terminal/turns.ts'

const examples = `
Checks that all parts of the memory agree, that every operation in the log is intact,
and that snapshot and log rebuild the same memory.

Examples:
  vicinal memory check notes
  vicinal memory check notes --json`

export function addMemoryCheck(memory: Command, io: CommandIo): void {
  memory
    .command('check')
    .description('Check that a store is intact; exit code 4 if it is not.')
    .summary('check that a store is intact')
    .argument('<store>', 'store made by create')
    .addHelpText('after', examples)
    .action(async (path: string, _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<GlobalOptions>()
      await withStore(path, { readOnly: true, signal: io.signal }, store => check(store, path, flags, io)).catch(
        tellBackup,
      )
    })
}

/** Most damaged stores cannot be opened at all, so that nothing can be exported from them. Other hints would lead back here. */
function tellBackup(error: unknown): never {
  if (!(error instanceof EngineError && error.code === 'MODEL_DAMAGED')) throw error
  // Its message says where.
  throw new EngineError(error.code, error.message, { hint: 'Restore the store from a backup.', cause: error })
}

async function check(store: MemoryStore, path: string, { json }: GlobalOptions, io: CommandIo): Promise<void> {
  const faults = await unlessAborted(store.check(), io.signal)
  const { memories, operations } = await store.stats()
  if (json) printJson(io, { faults, memories, operations })
  if (faults.length > 0) {
    throw new EngineError('MODEL_DAMAGED', faults.join('; '), { where: { file: path } })
  }
  const counts = `${formatMemories(memories)} after ${formatCountOf(operations, 'operation')}`
  if (!json) io.stderr.write(`${oneLine(path)} is whole: ${counts}\n`)
}
