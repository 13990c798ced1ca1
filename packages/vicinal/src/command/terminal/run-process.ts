// The command as a process: its streams, the signals that end it, and closed pipes.

import { EngineError } from '@vicinal/core'
import type { CommandIo } from '../command-io.ts'
import { asksForJson, reportError } from '../reports/error.ts'

/** The signals that stop the work, and the exit codes that shells know them by. */
const stops = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

type Stop = keyof typeof stops

/** How long the work may take to clear up after a signal. */
const graceMillis = 700

/** Runs `command` on this process's arguments and streams, and sets its exit code. */
export async function runProcess(command: (argv: readonly string[], io: CommandIo) => Promise<number>): Promise<void> {
  const { stdout, stderr, stdin, env } = process
  const argv = process.argv.slice(2)
  const { signal, stoppedBy, shutdown } = heedSignals()
  const io = { stdout, stderr, stdin, env, signal, shutdown }
  stdout.on('error', error => {
    if (isClosedPipe(error)) process.exit(0) // `vicinal … | head`: the reader is done
    process.exit(reportError(stdoutError(error), io, asksForJson(argv)))
  })
  // Nobody reads the messages any more; the work continues.
  stderr.on('error', () => {})
  const code = await command(argv, io)
  const stop = stoppedBy()
  // Abandoned work may still keep the process alive, such as a thread's last job or a pending read.
  if (stop) process.exit(code === stops.SIGINT ? stops[stop] : code)
  process.exitCode = code
  stdin.destroy() // a pending read would keep the process alive
}

/** A signal that fires at the first of the process's; a second one ends the process at once. */
function heedSignals(): { signal: AbortSignal; stoppedBy: () => Stop | undefined; shutdown: (millis: number) => void } {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const names = Object.keys(stops) as Stop[] // its own keys
  let stopped: Stop | undefined
  const endNow = (name: Stop) => {
    for (const other of names) process.removeAllListeners(other)
    process.kill(process.pid, name) // no handler is left, so the system ends the process
  }
  for (const name of names) {
    process.on(name, () => {
      if (stopped) return endNow(name)
      stopped = name
      controller.abort()
      timer = setTimeout(() => endNow(name), graceMillis).unref()
    })
  }
  const shutdown = (millis: number) => {
    clearTimeout(timer)
    const name = stopped
    if (name) timer = setTimeout(() => endNow(name), millis).unref()
  }
  return { signal: controller.signal, stoppedBy: () => stopped, shutdown }
}

function isClosedPipe(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EPIPE'
}

function stdoutError(cause: NodeJS.ErrnoException): EngineError {
  const full = cause.code === 'ENOSPC'
  return new EngineError('FILE_ACCESS', full ? 'no space left on the disk' : cause.message, {
    where: { file: '(stdout)' },
    cause,
    hint: full ? 'Free some space, or write elsewhere.' : 'Check where stdout goes.',
  })
}
