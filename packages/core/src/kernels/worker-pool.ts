// Runs one kernel over many jobs in worker threads that share the engine's memory. Deterministic: a job's result has its own
// place and no job may read what another writes, so neither the number of threads nor their order can change an answer.
// With one thread, or without shared memory, the jobs run here and yield to the event loop between their steps.

import { assert, EngineError, throwIfAborted } from '../errors.ts'
import { inTurns, type Steps } from '../long-work.ts'
import type { Arena, Slice } from './arena.ts'
import { type Cutting, jobSteps, type KernelCall } from './job-steps.ts'
import type { KernelLoader } from './modules/kernel-loader.ts'
import type { KernelName, KernelSet } from './modules/kernel-set.ts'
import { controlBytes, report, type WatchedWork, watchRun } from './run-watch.ts'
import { type CrewParts, closedError, ThreadCrew } from './thread-crew.ts'
import type { Thread } from './threads.ts'

/** Options of a kernel run over many jobs. */
export interface RunOptions extends WatchedWork {
  /** Bytes of scratch each thread gets; its address is then the kernel's first argument. */
  readonly scratchBytes?: number
  /** How jobs that may take longer than some milliseconds are cut into steps. */
  readonly steps?: Cutting
}

export interface PoolParts extends CrewParts {
  readonly loader: KernelLoader
  readonly arena: Arena
  readonly threads: number
}

/** What is to be called: a kernel of a set, once a job. */
interface Calls {
  readonly set: KernelSet<unknown>
  readonly kernel: string
  readonly jobs: readonly (readonly number[])[]
}

/** Threads that run one kernel over many jobs, over one memory. */
export class WorkerPool {
  readonly threads: number
  readonly #parts: PoolParts
  readonly #crew: ThreadCrew
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: PoolParts) {
    this.#parts = parts
    this.threads = parts.threads
    this.#crew = new ThreadCrew(parts)
  }

  /** Calls a kernel of `set` once per job, with the job's numbers as arguments; returns what the calls returned, in order. */
  run<Kernels>(
    set: KernelSet<Kernels>,
    kernel: KernelName<Kernels>,
    jobs: readonly (readonly number[])[],
    options: RunOptions = {},
  ): Promise<Float64Array> {
    const turn = () => this.#run({ set, kernel, jobs }, options)
    const result = this.#last.then(turn, turn)
    this.#last = result
    return result
  }

  /** Ends the threads: what they do now is rejected with ABORTED. The next `run` starts new ones. */
  close(): Promise<void> {
    return this.#crew.close()
  }

  async #run(calls: Calls, options: RunOptions): Promise<Float64Array> {
    const { set, kernel, jobs } = calls
    throwIfAborted(options.signal)
    if (jobs.length === 0) return new Float64Array(0)
    const arity = jobs[0].length
    assert(
      jobs.every(job => job.length === arity),
      `jobs of ${kernel} differ in their number of arguments`,
    )
    const { arena, loader } = this.#parts
    const wanted = Math.min(this.threads, jobs.length)
    const workers = wanted > 1 ? await this.#crew.take(wanted, { set: set.name, module: loader.module(set) }) : []
    const scratch: Slice[] = []
    try {
      throwIfAborted(options.signal) // starting threads takes time
      if (options.scratchBytes !== undefined) {
        for (let i = 0; i < Math.max(1, workers.length); i++)
          scratch.push(arena.allocate(Uint8Array, options.scratchBytes, 'scratch'))
      }
      const places = scratch.map(slice => slice.pointer)
      if (workers.length === 0) return await this.#runHere(calls, places[0], options)
      return await this.#runThreads(calls, workers, places, options)
    } finally {
      for (const slice of scratch) slice.free()
      for (const worker of workers) worker.hold(false)
    }
  }

  async #runHere(
    { set, kernel, jobs }: Calls,
    scratch: number | undefined,
    options: RunOptions,
  ): Promise<Float64Array> {
    // Kernels differ in their parameters; the job's author has put the right numbers in.
    const call = (this.#parts.loader.exact(set) as Record<string, KernelCall>)[kernel]
    const first = scratch === undefined ? [] : [scratch]
    const results = new Float64Array(jobs.length)
    const next = (part: Steps<number>) => {
      try {
        return part.next()
      } catch (error) {
        throw kernelFault(kernel, error)
      }
    }
    function* steps(): Steps<Float64Array> {
      for (const [i, job] of jobs.entries()) {
        for (const part = jobSteps(call, [...first, ...job], options.steps); ; yield i) {
          const { done, value } = next(part)
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
    { set, kernel, jobs }: Calls,
    workers: readonly Thread[],
    scratch: readonly number[],
    options: RunOptions,
  ): Promise<Float64Array> {
    const control = new Int32Array(new SharedArrayBuffer(controlBytes))
    const results = new Float64Array(new SharedArrayBuffer(8 * jobs.length))
    const args = Float64Array.from(jobs.flat())
    const task = { set: set.name, kernel, args, arity: jobs[0].length, control, results, cutting: options.steps }
    const watch = watchRun(control, workers, jobs.length, options)
    const { closed } = this.#crew
    try {
      const replies = workers.map(async (worker, i): Promise<string | undefined> => {
        const { error } = await worker.ask({ ...task, scratch: scratch[i] })
        return error
      })
      for (const reply of replies) reply.catch(watch.stop) // what one has left undone, no other will do
      // All of them: nothing may be freed while one is still at work.
      const ended = await Promise.allSettled(replies)
      watch.check()
      for (const reply of ended)
        if (reply.status === 'rejected')
          throw closed === this.#crew.closed ? lostError(kernel, reply.reason) : closedError(reply.reason)
      for (const reply of ended)
        if (reply.status === 'fulfilled' && reply.value !== undefined) throw kernelFault(kernel, reply.value)
    } finally {
      watch.end()
    }
    report(options, jobs.length, jobs.length)
    return results
  }
}

/** A run was aborted. The next one starts new threads. */
function lostError(kernel: string, cause: unknown): EngineError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new EngineError('WORKER_LOST', `a worker thread ended while it ran ${kernel}: ${reason}`, {
    hint: 'Call again. If it happens again, the system may be short of memory: use fewer threads.',
    cause,
  })
}

function kernelFault(kernel: string, error: unknown): EngineError {
  return new EngineError('INTERNAL', `the kernel ${kernel} failed: ${error}`, {
    hint: 'This is a bug in Vicinal. Please report it.',
    cause: error,
  })
}
