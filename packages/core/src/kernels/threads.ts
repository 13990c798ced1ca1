// Worker threads of Node and of browsers, behind one small interface. A thread is ready when it has reported so: a worker that a
// content security policy forbids, or that the system refuses, may fail silently, or only when it gets work. The end of a thread is
// reported once, by `onEnd`.

import { nodeModule } from '../platform.ts'
import type { WasmMemory, WasmModule, WebUrl } from '../web-types.ts'
import { workerSource } from './generated/worker-source.ts'
import type { SetName } from './modules/kernel-set.ts'

/** What a worker replies. Only this means that the work is done. */
export interface Reply {
  readonly ready?: boolean
  /** A kernel failed; the thread keeps running. */
  readonly error?: string
}

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

/** The part of Node's and the browser's Worker that we use. */
interface RawWorker {
  post(message: object): void
  hold(held: boolean): void
  end(): Promise<void>
}

interface Listener {
  onReply(reply: Reply): void
  onEnd(reason: string): void
}

/** How long starting may take on a busy machine. */
const startMillis = 20_000
/** How long a browser may take to terminate a worker. */
const goneMillis = 1000

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
      this.#raw = startWorker(workerUrl, {
        onReply: reply => this.#settle(reply),
        onEnd: reason => this.#fail(reason),
      })
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

function startWorker(url: string | WebUrl | undefined, listener: Listener): RawWorker {
  const threads = nodeModule('node:worker_threads')
  return threads ? startNodeWorker(threads, url, listener) : startWebWorker(url, listener)
}

function startNodeWorker(
  threads: typeof import('node:worker_threads'),
  url: string | WebUrl | undefined,
  listener: Listener,
): RawWorker {
  const worker = url ? new threads.Worker(new URL(url)) : new threads.Worker(workerSource, { eval: true })
  worker.on('message', listener.onReply)
  worker.on('messageerror', error => listener.onEnd(String(error)))
  worker.on('error', error => listener.onEnd(String(error)))
  worker.on('exit', code => listener.onEnd(`it exited with code ${code}`))
  return {
    post: message => worker.postMessage(message),
    hold: held => (held ? worker.ref() : worker.unref()),
    end: async () => {
      await worker.terminate()
    },
  }
}

function startWebWorker(url: string | WebUrl | undefined, listener: Listener): RawWorker {
  const own = url ? undefined : URL.createObjectURL(new Blob([workerSource], { type: 'text/javascript' }))
  const worker = new Worker(own ?? (url as string | URL)) // a page has the DOM's URL
  let gone: Promise<unknown> = Promise.resolve()
  worker.onmessage = ({ data }: { data: Reply & { lock?: string } }) => {
    if (data.ready && own) URL.revokeObjectURL(own) // the script is loaded
    if (data.lock) gone = whenFree(data.lock).then(() => listener.onEnd('the browser ended it'))
    listener.onReply(data)
  }
  worker.onmessageerror = () => listener.onEnd('its message could not be read')
  // A worker that the content security policy forbids ends with an event that has no message.
  worker.onerror = event => {
    event.preventDefault()
    listener.onEnd(event.message || 'the browser refused to start it')
  }
  return {
    post: message => worker.postMessage(message),
    hold: () => {},
    end: async () => {
      worker.terminate()
      if (own) URL.revokeObjectURL(own)
      await Promise.race([gone, new Promise(resume => setTimeout(resume, goneMillis))])
    },
  }
}

/** Browsers do not report when a worker is gone. So the worker holds a lock for as long as it lives. */
function watchName(): string | undefined {
  const known = nodeModule('node:worker_threads') === undefined && globalThis.navigator?.locks !== undefined
  return known ? `vicinal ${crypto.randomUUID()}` : undefined
}

async function whenFree(lock: string): Promise<void> {
  try {
    await navigator.locks.request(lock, () => undefined)
  } catch {
    await new Promise(() => {}) // a page that is left gets no locks
  }
}
