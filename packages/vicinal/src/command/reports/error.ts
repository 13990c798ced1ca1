// The end of a failed command: one line that says what was wrong and where, one with a hint if there is one, and the exit
// code; with --json one line with an object. Invariant: no stack trace reaches a user who did not ask for it with DEBUG.

import { EngineError, type ErrorCode, type Place } from '@vicinal/core'
import { CommanderError } from 'commander'
import type { CommandIo } from '../command-io.ts'
import { flagNames } from '../flags/read-options.ts'
import { oneLine } from '../terminal/table.ts'

const wrongUsage = 2
const ourBug = 1

/** Says on stderr what went wrong, as text or as JSON; returns the exit code. */
export function reportError(error: unknown, io: CommandIo, json = false): number {
  const report = describe(error)
  if (report.exitCode === 0) return 0 // help or the version was printed
  if (json) printErrorJson(report, error, io)
  else printError(report, error, io)
  return report.exitCode
}

/** Whether the words after `vicinal` ask for JSON. Usage errors need to know before anything is parsed. */
export function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? argv.length : end).includes('--json')
}

interface Report {
  readonly code: ErrorCode
  /** Absent if the help was printed instead. */
  readonly message?: string | undefined
  readonly hint?: string | undefined
  readonly where?: Place | undefined
  readonly exitCode: number
}

function printError({ message, hint }: Report, error: unknown, { stderr, env }: CommandIo): void {
  if (message !== undefined) stderr.write(`vicinal: ${oneLine(message)}\n`)
  if (hint !== undefined) stderr.write(`  hint: ${oneLine(withFlags(hint))}\n`)
  if (env.DEBUG && error instanceof Error) stderr.write(`${formatStack(error)}\n`)
}

function printErrorJson(report: Report, error: unknown, { stderr, env }: CommandIo): void {
  const { code, message = 'you gave no command', hint, where } = report
  const stack = env.DEBUG && error instanceof Error ? formatStack(error) : undefined
  // Undefined fields are left out.
  const described = { code, message, hint: hint && withFlags(hint), where, stack }
  stderr.write(`${JSON.stringify({ error: described })}\n`)
}

function describe(error: unknown): Report {
  if (error instanceof EngineError) return error
  if (error instanceof CommanderError) return describeUsage(error)
  return {
    code: 'INTERNAL',
    message: `unexpected failure: ${error instanceof Error ? error.message : String(error)}`,
    hint: 'This is a bug in Vicinal. Please report it with the output of the same command under DEBUG=1.',
    exitCode: ourBug,
  }
}

/** Commander writes `error: what was wrong` and, below it, `(Did you mean …?)`. */
function describeUsage({ code: given, exitCode, message }: CommanderError): Report {
  const code = /unknown(Option|Command)$/.test(given) ? 'UNKNOWN_NAME' : 'INVALID_OPTION'
  if (exitCode === 0) return { code, exitCode }
  if (given === 'commander.help') return { code, exitCode: wrongUsage } // no command given: the help was printed instead
  const [what = '', suggestion] = message.split('\n')
  const hint = suggestion?.replace(/^\((.*)\)$/, '$1') ?? 'Run the command with --help to see its options.'
  return { code, message: what.replace(/^error: /, ''), hint, exitCode: wrongUsage }
}

/** The engine's hints name its options and calls, in backticks; here these are flags and commands. */
function withFlags(hint: string): string {
  if (/^Load it with .*`loadIndex\(\)`/.test(hint)) return 'It is an index: use it with vicinal search or curve.'
  if (/^Load it with .*`loadClassifier\(\)`/.test(hint))
    return 'It is a classifier: use it with vicinal predict, evaluate or explain.'
  if (/^Load it with `Collection\.load\(\)`/.test(hint)) return 'It is a collection: use it with vicinal search.'
  return hint.replace(/`(\w+)`/g, (quoted, name) => flagNames[name] ?? quoted)
}

function formatStack(error: Error): string {
  const { cause } = error
  return `${error.stack}${cause instanceof Error ? `\ncaused by ${formatStack(cause)}` : ''}`
}
