// The end of a failed command: one line that says what was wrong and where, one with a hint where there is one, and the
// exit code. Invariant: no stack trace reaches a user who did not ask for it with DEBUG.

import { EngineError } from '@vicinal/core'
import { CommanderError } from 'commander'
import type { CommandIo } from './command-io.ts'
import { flagNames } from './read-options.ts'
import { oneLine } from './table.ts'

const wrongUsage = 2
const ourBug = 1

/** Says on stderr what went wrong; returns the exit code. */
export function reportError(error: unknown, { stderr, env }: CommandIo): number {
  const { message, hint, exitCode } = describe(error)
  if (message !== undefined) stderr.write(`vicinal: ${oneLine(message)}\n`)
  if (hint !== undefined) stderr.write(`  hint: ${oneLine(withFlags(hint))}\n`)
  if (env.DEBUG && exitCode !== 0 && error instanceof Error) stderr.write(`${formatStack(error)}\n`)
  return exitCode
}

interface Report {
  readonly message?: string | undefined
  readonly hint?: string | undefined
  readonly exitCode: number
}

function describe(error: unknown): Report {
  if (error instanceof EngineError) return error
  if (error instanceof CommanderError) return describeUsage(error)
  return {
    message: `unexpected failure: ${error instanceof Error ? error.message : String(error)}`,
    hint: 'This is a bug in Vicinal. Please report it with what the same command prints under DEBUG=1.',
    exitCode: ourBug,
  }
}

/** Commander writes `error: what was wrong` and, below it, `(Did you mean …?)`. */
function describeUsage({ code, exitCode, message }: CommanderError): Report {
  if (exitCode === 0) return { exitCode } // help or version was asked for, and printed
  if (code === 'commander.help') return { exitCode: wrongUsage } // no command given: the help was printed instead
  const [what = '', suggestion] = message.split('\n')
  const hint = suggestion?.replace(/^\((.*)\)$/, '$1') ?? 'Run the command with --help to see what it takes.'
  return { message: what.replace(/^error: /, ''), hint, exitCode: wrongUsage }
}

/** The engine's hints name its options, in backticks; here these are flags. */
function withFlags(hint: string): string {
  return hint.replace(/`(\w+)`/g, (quoted, name) => flagNames[name] ?? quoted)
}

function formatStack(error: Error): string {
  const { cause } = error
  return `${error.stack}${cause instanceof Error ? `\ncaused by ${formatStack(cause)}` : ''}`
}
