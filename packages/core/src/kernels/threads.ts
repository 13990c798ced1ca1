// Worker threads of Node and of browsers, behind one small interface. A thread is ready when it has reported so: a worker that a
// content security policy forbids, or that the system refuses, may fail silently, or only when it gets work. The end of a thread is
// reported once, by `onEnd`.

import type { WasmMemory, WasmModule, WebUrl } from '../web-types.ts'
import type { SetName } from './modules/kernel-set.ts'
import { startNodeWorker } from './workers/node-worker.ts'
import type { RawWorker, Reply } from './workers/raw-worker.ts'
import { startWebWorker, watchName } from './workers/web-worker.ts'

/** A thread that has started. */
export interface Thread {
  /** Whether it has ended. */
  readonly ended: boolean
  /** Sends it kernels that it does not have yet. If that fails, rejects with a ThreadEnd and ends the thread. */
  load(kernels: ThreadKernels): Promise<void>
  /** Hands over a task. Rejects with a ThreadEnd if the thread ends before it replies. */
  ask(task: object): Promise<Reply>
  /** Whether it keeps the process alive: only while it works. */
  hold(held: boolean): void
  end(): Promise<void>
}

/** A set of kernels, as threads get it. */
export interface ThreadKernels {
  readonly set: SetName
  readonly module: WasmModule
}

/** What a thread needs before it can work. */
export interface ThreadParts {
  readonly memory: WasmMemory
  /** Where the worker's script is. Default: in our own code, as a `blob:` URL in browsers. */
  readonly workerUrl?: string | WebUrl | undefined
}

/** Why a thread did not start, or ended. */
export class ThreadEnd extends Error {}

/** How long starting may take on a busy machine. */
const startMillis = 20_000

/** Resolves when the worker is ready; rejects with a ThreadEnd if it cannot be started. */
export async function startThread(parts: ThreadParts, kernels: ThreadKernels): Promise<Thread> {
  const thread = new WorkerThread()
  await thread.start(parts, kernels)
  return thread
}

class WorkerThread implements Thread {
  ended = false
  readonly #sets = new Set<SetName>()
  #raw: RawWorker | undefined
  #waiting: { resolve(reply: Reply): void; reject(reason: ThreadEnd): void } | undefined

  async start({ memory, workerUrl }: ThreadParts, kernels: ThreadKernels): Promise<void> {
    await this.#within(async () => {
      const listener = {
        onReply: (reply: Reply) => this.#settle(reply),
        onEnd: (reason: string) => this.#fail(reason),
      }
      this.#raw = startNodeWorker(workerUrl, listener) ?? startWebWorker(workerUrl, listener)
      await this.#give({ ...kernels, memory, lock: watchName() })
    })
    this.#sets.add(kernels.set)
  }

  async load(kernels: ThreadKernels): Promise<void> {
    if (this.#sets.has(kernels.set)) return
    await this.#within(() => this.#give(kernels))
    this.#sets.add(kernels.set)
  }

  async #give(message: object): Promise<void> {
    const { error } = await this.ask(message)
    if (error !== undefined) throw new ThreadEnd(error)
  }

  /** Waits for an answer, with a time limit. Any failure ends the thread. */
  async #within(answer: () => Promise<void>): Promise<void> {
    const late = setTimeout(() => this.#fail(`it did not answer within ${startMillis / 1000} s`), startMillis)
    try {
      await answer()
    } catch (error) {
      void this.end()
      throw error instanceof ThreadEnd ? error : new ThreadEnd(String(error), { cause: error })
    } finally {
      clearTimeout(late)
    }
  }

  ask(task: object): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.ended || !this.#raw) return reject(new ThreadEnd('it had ended'))
      this.#waiting = { resolve, reject }
      this.#raw.post(task)
    })
  }

  hold(held: boolean): void {
    if (!this.ended) this.#raw?.hold(held)
  }

  /** A running task is rejected only when the worker is gone, because until then it may write to the memory. */
  async end(): Promise<void> {
    this.ended = true
    await this.#raw?.end()
    this.#fail('it was ended')
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.resolve(reply)
  }

  #fail(reason: string): void {
    this.ended = true
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.reject(new ThreadEnd(reason))
  }
}
