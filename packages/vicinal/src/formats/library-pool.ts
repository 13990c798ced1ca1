// The processes of libraries. Starting one takes longer than reading a small file, so one per library is kept for a
// while when it is done. Kept ones do not keep this process alive, and end with it.

import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { getHeapStatistics } from 'node:v8'

export type Library = 'parquet' | 'hdf5'

const keptMs = 5000
const program = fileURLToPath(new URL('./library/main.mjs', import.meta.url))

interface Kept {
  readonly child: ChildProcess
  readonly timer: NodeJS.Timeout
}

const kept = new Map<Library, Kept>()

/** A process for `library`: one that was kept, or a new one. */
export function takeProcess(library: Library): ChildProcess {
  const found = kept.get(library)
  kept.delete(library)
  if (!found) return startProcess()
  clearTimeout(found.timer)
  found.child.removeAllListeners('exit')
  hold(found.child, true)
  return found.child
}

/** Keeps a process for the next file, if there is none yet. */
export function keepProcess(library: Library, child: ChildProcess): void {
  if (kept.has(library) || !child.connected) {
    child.kill('SIGKILL')
    return
  }
  const drop = () => {
    if (kept.get(library)?.child === child) kept.delete(library)
    child.kill('SIGKILL')
  }
  const timer = setTimeout(drop, keptMs).unref()
  child.once('exit', drop)
  hold(child, false)
  kept.set(library, { child, timer })
}

function startProcess(): ChildProcess {
  const heap = Math.round(getHeapStatistics().heap_size_limit / 2 ** 20)
  return fork(program, {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${heap}`],
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

/** Whether the child keeps this process alive. */
function hold(child: ChildProcess, held: boolean): void {
  if (held) {
    child.ref()
    child.channel?.ref()
  } else {
    child.unref()
    child.channel?.unref()
  }
}
