// `vicinal serve` in a process of its own, on any free port.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const command = join(import.meta.dirname, '..', 'packages', 'vicinal', 'bin', 'vicinal.mjs')

export interface StartedService {
  readonly url: string
  readonly child: ChildProcess
  readonly exit: Promise<unknown>
}

/** `nodeFlags` are for the process itself. */
export async function startService(
  paths: readonly string[],
  nodeFlags: readonly string[] = [],
): Promise<StartedService> {
  const args = [...nodeFlags, command, 'serve', ...paths, '--port', '0', '--json']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    exit.then(([code]) => {
      throw new Error(`vicinal serve ended with code ${code}`)
    }),
  ])
  return { url: JSON.parse(String(line)).url, child, exit }
}

/** What the system says that the process has in memory. Linux only. */
export function residentMegabytes({ child }: StartedService): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1000)
}
