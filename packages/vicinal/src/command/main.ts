// The `vicinal` command: arguments in, exit code out. `run` is the whole of it, for tests and for other programs;
// `runProcess` is what the installed command calls.

import type { CommandIo } from './command-io.ts'
import { asksForJson, reportError } from './reports/error.ts'
import '../index.ts' // registers the library formats and stemmers
import { createProgram } from './program.ts'

export type { CommandIo, TextSink } from './command-io.ts'
export { runProcess } from './terminal/run-process.ts'

/** Runs the command with `argv`, the words after `vicinal`. Never throws: errors are reported on stderr. */
export async function run(argv: readonly string[], io: CommandIo): Promise<number> {
  const json = asksForJson(argv)
  try {
    await createProgram(io, json).parseAsync(argv, { from: 'user' })
    return 0
  } catch (error) {
    return reportError(error, io, json)
  }
}
