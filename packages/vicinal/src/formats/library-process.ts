// Runs a library in a process of its own (library/main.mjs), where it can be stopped: one that hangs is killed after a while,
// and one that fills the memory or crashes takes only itself along. A thread would not do: V8 ends the whole process when a
// thread's heap is full.

import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { getHeapStatistics } from 'node:v8'
import { EngineError, throwIfAborted } from '@vicinal/core'
import type { ReadOptions } from '@vicinal/core/data'

/** The least time a call gets, and what it gets for each megabyte it reads: a hundred times what is usual. */
const leastMs = 20_000
const msPerMegabyte = 1000
/** An answer that came while this process was busy may still have to be fetched. */
const graceMs = 1000
const program = fileURLToPath(new URL('./library/main.mjs', import.meta.url))

interface Reply {
  readonly id: number
  readonly result?: unknown
  readonly error?: string
}

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

export interface LibraryCall {
  readonly method: string
  readonly args?: unknown
  /** How much the call reads, for the time it gets. */
  readonly bytes?: number
}

export class LibraryProcess {
  readonly #library: 'parquet' | 'hdf5'
  readonly #file: string
  readonly #options: ReadOptions
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  readonly #end = () => this.end()
  #calls = 0
  #failure: EngineError | undefined

  /** `file` is what messages call the input. */
  constructor(library: 'parquet' | 'hdf5', file: string, options: ReadOptions) {
    this.#library = library
    this.#file = file
    this.#options = options
    const heap = Math.round(getHeapStatistics().heap_size_limit / 2 ** 20)
    this.#child = fork(program, {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${heap}`],
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#child.on('message', reply => this.#take(reply as Reply)) // only main.mjs sends
    this.#child.on('error', cause => this.#fail('could not be started', cause))
    this.#child.on('exit', (code, signal) =>
      this.#fail(`ended with ${signal ?? code}: the file is damaged or too large`),
    )
    options.signal?.addEventListener('abort', this.#end)
    process.once('exit', this.#end)
  }

  /** Calls a function of the library; what it fails with is BAD_DATA. */
  async call<T>({ method, args, bytes = 0 }: LibraryCall): Promise<T> {
    throwIfAborted(this.#options.signal)
    if (this.#failure) throw this.#failure
    const id = this.#calls++
    const reply = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
    this.#child.send({ id, library: this.#library, method, args })
    const limit = this.#options.libraryTimeoutMs ?? leastMs + (bytes / 1e6) * msPerMegabyte
    const timer = setTimeout(() => setTimeout(() => this.#stop(id, limit), graceMs), limit)
    try {
      return (await reply) as T // the caller knows what the method returns
    } finally {
      clearTimeout(timer)
    }
  }

  /** Ends the process; calls under way fail. */
  end(): void {
    this.#options.signal?.removeEventListener('abort', this.#end)
    process.removeListener('exit', this.#end)
    this.#child.kill('SIGKILL')
  }

  #take({ id, result, error }: Reply): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error === undefined) waiting?.resolve(result)
    else waiting?.reject(this.#error(error))
  }

  #stop(id: number, limit: number): void {
    if (!this.#waiting.has(id)) return
    this.#fail(`took longer than ${Math.round(limit)} ms`)
    this.end()
  }

  #fail(what: string, cause?: unknown): void {
    this.#failure ??= this.#error(`the library ${what}`, cause)
    for (const { reject } of this.#waiting.values()) reject(this.#aborted() ?? this.#failure)
    this.#waiting.clear()
  }

  #aborted(): unknown {
    try {
      throwIfAborted(this.#options.signal)
      return undefined
    } catch (error) {
      return error
    }
  }

  #error(reason: string, cause?: unknown): EngineError {
    const format = this.#library === 'parquet' ? 'Parquet' : 'HDF5'
    const unsupported = reason.includes('unsupported')
    // HDF5 reports a whole stack, from the call to the reason: its last entry says most.
    const last = [...reason.matchAll(/\(\): (.+)/g)].at(-1)?.[1] ?? reason
    return new EngineError(unsupported ? 'UNSUPPORTED' : 'BAD_DATA', `the ${format} file cannot be read: ${last}`, {
      where: { file: this.#file },
      ...(cause !== undefined && { cause }),
      hint: unsupported ? 'Write it again with Snappy or no compression.' : 'Copy or download it again.',
    })
  }
}

/** Runs `work` with a process of its own, which ends with it. */
export async function withLibrary<T>(
  library: 'parquet' | 'hdf5',
  file: string,
  options: ReadOptions,
  work: (process: LibraryProcess) => Promise<T>,
): Promise<T> {
  throwIfAborted(options.signal)
  const running = new LibraryProcess(library, file, options)
  try {
    return await work(running)
  } finally {
    running.end()
  }
}
