// Runs a library in a separate process (library/main.mjs), where it can be stopped: if it hangs, it is killed after a while,
// and if it runs out of memory or crashes, only that process ends. A thread would not do: V8 ends the whole process when a
// thread's heap is full.

import type { ChildProcess } from 'node:child_process'
import { EngineError } from '@vicinal/core'
import type { ReadOptions } from '@vicinal/core/data'
import { throwIfAborted } from '@vicinal/core/internals'
import { keepProcess, type Library, takeProcess } from './library-pool.ts'

/** The minimum time limit of a call, and the limit per megabyte it reads: a hundred times the usual time. */
const leastMs = 20_000
const msPerMegabyte = 1000
/** An answer that came while this process was busy may still have to be fetched. */
const graceMs = 1000

interface Reply {
  readonly id: number
  readonly result?: unknown
  readonly error?: string
  /** The package that is not installed, if that is the error. */
  readonly missing?: string
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
  readonly #library: Library
  readonly #file: string
  readonly #options: ReadOptions
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  #calls = 0
  #failure: EngineError | undefined
  /** Whether the process may read another file: after a failed call, HDF5's memory may be damaged. */
  #usable = true

  readonly #listeners = {
    message: (reply: unknown) => this.#take(reply as Reply), // only main.mjs sends
    error: (cause: unknown) => this.#fail('could not be started', cause),
    exit: (code: number | null, signal: string | null) =>
      this.#fail(`ended with ${signal ?? code}: the file is damaged or too large`),
  }
  readonly #kill = () => this.#child.kill('SIGKILL')

  /** `file` is what messages call the input. */
  constructor(library: Library, file: string, options: ReadOptions) {
    this.#library = library
    this.#file = file
    this.#options = options
    this.#child = takeProcess(library)
    for (const [event, listener] of Object.entries(this.#listeners)) this.#child.on(event, listener)
    options.signal?.addEventListener('abort', this.#kill)
  }

  /** Calls a function of the library. Its failures become BAD_DATA. */
  async call<T>({ method, args, bytes = 0 }: LibraryCall): Promise<T> {
    throwIfAborted(this.#options.signal)
    if (this.#failure) throw this.#failure
    const id = this.#calls++
    const reply = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
    this.#child.send({ id, library: this.#library, method, args }, error => error && this.#fail('is gone', error))
    const limit = this.#options.libraryTimeoutMs ?? leastMs + (bytes / 1e6) * msPerMegabyte
    const timer = setTimeout(() => setTimeout(() => this.#stop(id, limit), graceMs), limit)
    try {
      return (await reply) as T // the caller knows what the method returns
    } finally {
      clearTimeout(timer)
    }
  }

  /** Closes the file. The process is kept for the next file, or ended if it may be damaged. */
  async end(): Promise<void> {
    if (this.#usable && !this.#failure && this.#waiting.size === 0) {
      await this.call({ method: 'closeFile' }).catch(() => {
        this.#usable = false
      })
    }
    for (const [event, listener] of Object.entries(this.#listeners)) this.#child.off(event, listener)
    this.#options.signal?.removeEventListener('abort', this.#kill)
    if (this.#usable && !this.#failure && this.#waiting.size === 0) keepProcess(this.#library, this.#child)
    else this.#kill()
  }

  #take({ id, result, error, missing }: Reply): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error === undefined) waiting?.resolve(result)
    else waiting?.reject(missing === undefined ? this.#error(error) : this.#notInstalled(missing))
    if (error !== undefined && this.#library === 'hdf5') this.#usable = false
  }

  #stop(id: number, limit: number): void {
    if (!this.#waiting.has(id)) return
    this.#fail(`took longer than ${Math.round(limit)} ms`)
    this.#kill()
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

  get #format(): string {
    return this.#library === 'parquet' ? 'Parquet' : 'HDF5'
  }

  #notInstalled(name: string): EngineError {
    return new EngineError('UNSUPPORTED', `reading ${this.#format} needs the package ${name}`, {
      where: { file: this.#file },
      hint: `Run npm install ${name}, with -g if vicinal is installed globally.`,
    })
  }

  #error(reason: string, cause?: unknown): EngineError {
    const unsupported = reason.includes('unsupported')
    // HDF5 reports a whole stack, from the call to the reason: its last entry says most.
    const last = [...reason.matchAll(/\(\): (.+)/g)].at(-1)?.[1] ?? reason
    return new EngineError(
      unsupported ? 'UNSUPPORTED' : 'BAD_DATA',
      `the ${this.#format} file cannot be read: ${last}`,
      {
        where: { file: this.#file },
        ...(cause !== undefined && { cause }),
        hint: unsupported ? 'Write it again with Snappy or no compression.' : 'Copy or download it again.',
      },
    )
  }
}

/** Runs `work` with a process for the library. */
export async function withLibrary<T>(
  library: Library,
  file: string,
  options: ReadOptions,
  work: (process: LibraryProcess) => Promise<T>,
): Promise<T> {
  throwIfAborted(options.signal)
  const running = new LibraryProcess(library, file, options)
  try {
    return await work(running)
  } finally {
    await running.end()
  }
}
