// Runs one kernel over many jobs in worker threads that share the engine's memory. Deterministic: a job's result has its own
// place and no job may read what another writes, so neither the number of threads nor their order can change an answer.
// With one thread, or without shared memory, the jobs run here, giving way to the event loop between their steps.

import { assert, EngineError, throwIfAborted } from '../errors.ts'
import { inTurns, type Steps } from '../long-work.ts'
import { nodeModule } from '../platform.ts'
import type { LongWork } from '../progress.ts'
import type { WasmMemory, WasmModule } from '../web-types.ts'
import type { Arena, Slice } from './arena.ts'
import { type Cutting, jobSteps, type KernelCall } from './job-steps.ts'
import type { KernelName, Kernels } from './kernels.ts'
import { workerSource } from './worker-source.ts'

/** Options of a kernel run over many jobs. */
export interface RunOptions extends LongWork {
  /** What the work is called in progress reports. */
  readonly what?: string
  /** Bytes of scratch each thread gets; its address is then the kernel's first argument. */
  readonly scratchBytes?: number
  /** How jobs that may take longer than some milliseconds are cut into steps. */
  readonly steps?: Cutting
}

export interface PoolParts {
  readonly module: WasmModule
  readonly memory: WasmMemory
  readonly kernels: Kernels
  readonly arena: Arena
  readonly threads: number
}

/** The part of Node's and the browser's Worker that we use. */
interface Thread {
  post(message: unknown): void
  onReply: (reply: { error?: string }) => void
  /** Whether it keeps the process alive: only while it works. */
  hold(held: boolean): void
  /** True once it is gone: it never replies again. */
  readonly ended: boolean
  end(): Promise<void>
}

/** Slots of the control block that all threads see. */
const [finishedSlot, stopSlot] = [1, 2]
const reportMillis = 40
/** How long threads may go on after they were told to stop. Then they are ended, and the next run starts new ones. */
const graceMillis = 300

/** Threads that run one kernel over many jobs, over one memory. */
export class WorkerPool {
  readonly threads: number
  readonly #parts: PoolParts
  #workers: Thread[] = []
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: PoolParts) {
    this.#parts = parts
    this.threads = parts.threads
  }

  /** Calls `kernel` once per job, with the job's numbers as arguments; returns what the calls returned, in order. */
  run(kernel: KernelName, jobs: readonly (readonly number[])[], options: RunOptions = {}): Promise<Float64Array> {
    const turn = () => this.#run(kernel, jobs, options)
    const result = this.#last.then(turn, turn)
    this.#last = result
    return result
  }

  /** Ends the threads; the next `run` starts new ones. */
  async close(): Promise<void> {
    const workers = this.#workers
    this.#workers = []
    await Promise.all(workers.map(worker => worker.end()))
  }

  async #run(kernel: KernelName, jobs: readonly (readonly number[])[], options: RunOptions): Promise<Float64Array> {
    throwIfAborted(options.signal)
    if (jobs.length === 0) return new Float64Array(0)
    const arity = jobs[0].length
    assert(
      jobs.every(job => job.length === arity),
      `jobs of ${kernel} differ in their number of arguments`,
    )
    const { arena } = this.#parts
    const threads = Math.min(this.threads, jobs.length)
    const scratch: Slice[] = []
    try {
      if (options.scratchBytes !== undefined) {
        for (let i = 0; i < threads; i++) scratch.push(arena.allocate(Uint8Array, options.scratchBytes, 'scratch'))
      }
      if (threads === 1) return await this.#runHere(kernel, jobs, scratch[0]?.pointer, options)
      return await this.#runThreads(
        kernel,
        jobs,
        scratch.map(slice => slice.pointer),
        threads,
        options,
      )
    } finally {
      for (const slice of scratch) slice.free()
    }
  }

  async #runHere(
    kernel: KernelName,
    jobs: readonly (readonly number[])[],
    scratch: number | undefined,
    options: RunOptions,
  ): Promise<Float64Array> {
    // Kernels differ in their parameters; the job's author has put the right numbers in.
    const call = this.#parts.kernels[kernel] as KernelCall
    const first = scratch === undefined ? [] : [scratch]
    const results = new Float64Array(jobs.length)
    function* steps(): Steps<Float64Array> {
      for (const [i, job] of jobs.entries()) {
        for (const part = jobSteps(call, [...first, ...job], options.steps); ; yield i) {
          const { done, value } = part.next()
          if (!done) continue
          results[i] = value
          break
        }
        yield i + 1
      }
      return results
    }
    return inTurns(steps(), options, { what: options.what ?? 'working', total: jobs.length })
  }

  async #runThreads(
    kernel: KernelName,
    jobs: readonly (readonly number[])[],
    scratch: readonly number[],
    threads: number,
    options: RunOptions,
  ): Promise<Float64Array> {
    const control = new Int32Array(new SharedArrayBuffer(12))
    const results = new Float64Array(new SharedArrayBuffer(8 * jobs.length))
    const args = Float64Array.from(jobs.flat())
    const task = { kernel, args, arity: jobs[0].length, control, results, cutting: options.steps }
    const workers = this.#start(threads)
    const watch = this.#watch(control, workers, jobs.length, options)
    try {
      const replies = workers.map((worker, i) => ask(worker, { ...task, scratch: scratch[i] }))
      const failed = (await Promise.all(replies)).find(reply => reply.error)
      watch.check()
      if (failed) throw new EngineError('INTERNAL', `kernel ${kernel} failed in a worker: ${failed.error}`)
    } finally {
      watch.end()
      for (const worker of workers) worker.hold(false)
    }
    report(options, jobs.length, jobs.length)
    return results
  }

  /** Reports progress while threads work, and stops them at the signal or if the caller's onProgress throws. */
  #watch(control: Int32Array, workers: readonly Thread[], total: number, options: RunOptions) {
    const thrown: unknown[] = []
    let late: ReturnType<typeof setTimeout> | undefined
    const stop = () => {
      Atomics.store(control, stopSlot, 1)
      late ??= setTimeout(() => this.#end(workers), graceMillis)
    }
    const look = () => {
      try {
        report(options, Atomics.load(control, finishedSlot), total)
      } catch (error) {
        thrown.push(error)
        stop()
      }
    }
    const timer = setInterval(look, reportMillis)
    options.signal?.addEventListener('abort', stop)
    return {
      check: () => {
        if (thrown.length > 0) throw thrown[0]
        throwIfAborted(options.signal)
      },
      end: () => {
        clearInterval(timer)
        clearTimeout(late)
        options.signal?.removeEventListener('abort', stop)
      },
    }
  }

  #end(workers: readonly Thread[]): void {
    this.#workers = this.#workers.filter(worker => !workers.includes(worker))
    for (const worker of workers) void worker.end()
  }

  /** The first `count` workers, started where they are not there yet, or not any more. */
  #start(count: number): Thread[] {
    const { module, memory } = this.#parts
    this.#workers = this.#workers.filter(worker => !worker.ended)
    while (this.#workers.length < count) {
      const worker = startThread()
      worker.post({ module, memory })
      this.#workers.push(worker)
    }
    return this.#workers.slice(0, count)
  }
}

function ask(worker: Thread, message: unknown): Promise<{ error?: string }> {
  worker.hold(true)
  return new Promise(resolve => {
    worker.onReply = resolve
    worker.post(message)
  })
}

function report({ onProgress, what = 'working' }: RunOptions, done: number, total: number): void {
  onProgress?.({ what, done, total })
}

function startThread(): Thread {
  const threads = nodeModule('node:worker_threads')
  return threads ? startNodeThread(threads) : startWebThread()
}

function startNodeThread(threads: typeof import('node:worker_threads')): Thread {
  const worker = new threads.Worker(workerSource, { eval: true })
  let ended = false
  const thread: Thread = {
    get ended() {
      return ended
    },
    post: message => worker.postMessage(message),
    onReply: () => {},
    hold: held => (held ? worker.ref() : worker.unref()),
    end: async () => {
      await worker.terminate() // its exit is the reply
    },
  }
  worker.on('message', reply => thread.onReply(reply))
  worker.on('error', error => thread.onReply({ error: String(error) }))
  worker.on('exit', () => {
    ended = true
    thread.onReply({ error: 'the worker ended' })
  })
  worker.unref()
  return thread
}

function startWebThread(): Thread {
  const url = URL.createObjectURL(new Blob([workerSource], { type: 'text/javascript' }))
  const worker = new Worker(url)
  let ended = false
  const thread: Thread = {
    get ended() {
      return ended
    },
    post: message => worker.postMessage(message),
    onReply: () => {},
    hold: () => {},
    end: async () => {
      ended = true
      worker.terminate()
      URL.revokeObjectURL(url)
      thread.onReply({ error: 'the worker ended' })
    },
  }
  worker.onmessage = ({ data }) => thread.onReply(data)
  worker.onerror = event => thread.onReply({ error: event.message })
  return thread
}
