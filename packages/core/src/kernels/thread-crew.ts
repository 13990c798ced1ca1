// The threads of one pool: started when they are first needed, kept for the next run, replaced if they have ended. If the system or
// the page refuses threads, there are fewer, or none: no answer depends on how many there are. The engine warns once.

import { EngineError } from '../errors.ts'
import { startThread, type Thread, type ThreadKernels, type ThreadParts } from './threads.ts'

/** How long to wait after threads were refused: a page's policy stays, but a shortage of memory may pass. */
const retryMillis = 30_000

export interface CrewParts extends ThreadParts {
  /** Called if threads could not be started. */
  readonly warn: (message: string) => void
}

export class ThreadCrew {
  readonly #parts: CrewParts
  #threads: Thread[] = []
  #refusedAt = Number.NEGATIVE_INFINITY
  #closed = 0

  constructor(parts: CrewParts) {
    this.#parts = parts
  }

  /** How often `close` was called. */
  get closed(): number {
    return this.#closed
  }

  /** Up to `count` threads that are ready to run these kernels. Fewer, or none, if no more can be started. */
  async take(count: number, kernels: ThreadKernels): Promise<Thread[]> {
    this.#threads = this.#threads.filter(thread => !thread.ended)
    const missing = count - this.#threads.length
    if (missing > 0 && performance.now() - this.#refusedAt >= retryMillis) await this.#start(missing, count, kernels)
    const taken = this.#threads.slice(0, count)
    for (const thread of taken) thread.hold(true)
    await this.#settled(count, () => taken.map(thread => thread.load(kernels)))
    return taken.filter(thread => !thread.ended)
  }

  /** Ends all threads. Tasks under way are rejected; the next `take` starts new ones. */
  async close(): Promise<void> {
    this.#closed++
    this.#refusedAt = Number.NEGATIVE_INFINITY
    await Promise.all(this.#threads.splice(0).map(thread => thread.end()))
  }

  async #start(missing: number, count: number, kernels: ThreadKernels): Promise<void> {
    await this.#settled(count, () =>
      Array.from({ length: missing }, async () => {
        const closed = this.#closed
        const thread = await startThread(this.#parts, kernels)
        if (closed === this.#closed) this.#threads.push(thread)
        else await thread.end()
      }),
    )
  }

  /** Waits until all have succeeded or failed; reports a failure, or throws if the crew was closed in the meantime. */
  async #settled(count: number, work: () => Promise<void>[]): Promise<void> {
    const closed = this.#closed
    const results = await Promise.allSettled(work())
    if (closed !== this.#closed) throw closedError()
    const refused = results.find(one => one.status === 'rejected')
    if (!refused) return
    this.#threads = this.#threads.filter(thread => !thread.ended)
    this.#refusedAt = performance.now()
    this.#parts.warn(shortage(this.#threads.length, count, refused.reason))
  }
}

export function closedError(cause?: unknown): EngineError {
  return new EngineError('ABORTED', 'the engine was closed before the work was done', { cause })
}

function shortage(there: number, count: number, reason: Error): string {
  const [what, instead] =
    there === 0
      ? ['No worker thread could be started', 'everything runs on this thread']
      : [`Only ${there} of ${count} worker threads could be started`, 'work takes longer']
  return `${what}, so ${instead}. Answers are the same. The reason: ${reason.message}. See docs/browser.md.`
}
