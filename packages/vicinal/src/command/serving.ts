// What commands that serve have in common: where the engine runs, and waiting for Ctrl-C.

import { existsSync } from 'node:fs'
import type { Serving } from '@vicinal/server/http'
import type { CommandIo } from './command-io.ts'

/** How long requests that were accepted may take after Ctrl-C. */
const graceMillis = 10_000

/** The script of the engine's thread, beside the built command. A checkout that runs from its sources has none; the engine runs in this thread then. */
export function threadScript(): URL | undefined {
  const script = new URL('./service-thread.mjs', import.meta.url)
  return existsSync(script) ? script : undefined
}

/** Serves until Ctrl-C, then finishes what was accepted. Throws if the engine ends by itself. */
export async function serveUntilStopped(serving: Serving, io: CommandIo): Promise<void> {
  try {
    const lost = await Promise.race([aborted(io.signal), serving.lost])
    if (lost) throw lost
  } finally {
    io.shutdown?.(graceMillis)
    await serving.close()
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise(resolve => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}
