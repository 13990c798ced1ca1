// The command as a process of its own: its streams, Ctrl-C and readers that have seen enough.

import type { CommandIo } from './command-io.ts'

/** How long the work may take to clear up after Ctrl-C. */
const graceMillis = 2000

/** Runs `command` on this process's arguments and streams, and sets its exit code. */
export async function runProcess(command: (argv: readonly string[], io: CommandIo) => Promise<number>): Promise<void> {
  const { argv, stdout, stderr, stdin, env } = process
  const stop = new AbortController()
  // Once: a second Ctrl-C finds no listener and ends the process at once.
  process.once('SIGINT', () => {
    stop.abort()
    // Work that waits for a silent pipe hears no signal, and process.exit would wait with it.
    setTimeout(() => process.kill(process.pid, 'SIGINT'), graceMillis).unref()
  })
  stdout.on('error', error => {
    if (!isClosedPipe(error)) throw error
    process.exit(0) // `vicinal … | head`: the reader has seen enough
  })
  stderr.on('error', error => {
    if (!isClosedPipe(error)) throw error // nobody listens to the talk, and the work goes on
  })
  process.exitCode = await command(argv.slice(2), { stdout, stderr, stdin, env, signal: stop.signal })
  stdin.destroy() // nobody reads on, and a read that waits would keep the process alive
}

function isClosedPipe(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EPIPE'
}
