// A site without a server: a worker in this browser loads the model and answers.

import type { Answered, Asked, Site } from '../engine/messages.ts'
import { type Backend, type LoadProgress, Problem, type ServedKind, type ServedName } from './backend.ts'

interface Pending {
  resolve(answer: string): void
  reject(problem: Problem): void
}

export async function openWorkerBackend(site: Site): Promise<Backend> {
  const worker = new Worker(new URL('../engine/engine-worker.ts', import.meta.url), { type: 'module' })
  return new WorkerBackend(worker, site)
}

class WorkerBackend implements Backend {
  readonly kind = 'worker'
  readonly #worker: Worker
  readonly #served: Promise<ServedName[]>
  readonly #pending = new Map<number, Pending>()
  #onProgress: ((progress: LoadProgress) => void) | undefined
  #calls = 0

  constructor(worker: Worker, { files }: Site) {
    this.#worker = worker
    this.#served = new Promise((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<Answered>) => {
        if (data.do === 'opened') resolve([...data.served])
        else if (data.do === 'not opened') reject(problemOf(data.failure))
        else this.#take(data)
      })
      worker.addEventListener('error', ({ message }) => {
        const problem = new Problem(
          0,
          'ENGINE_LOST',
          `the engine stopped: ${message || 'its script could not be loaded'}`,
        )
        reject(problem)
        for (const { reject } of this.#pending.values()) reject(problem)
      })
    })
    this.#ask({ do: 'open', files, base: document.baseURI })
  }

  set onProgress(listener: (progress: LoadProgress) => void) {
    this.#onProgress = listener
  }

  served(): Promise<ServedName[]> {
    return this.#served
  }

  async call<Answer>(
    kind: ServedKind,
    name: string,
    operation: string,
    input: object,
    signal?: AbortSignal,
  ): Promise<Answer> {
    signal?.throwIfAborted()
    const number = ++this.#calls
    const answer = new Promise<string>((resolve, reject) => this.#pending.set(number, { resolve, reject }))
    const stop = () => this.#ask({ do: 'stop', number })
    signal?.addEventListener('abort', stop, { once: true })
    this.#ask({ do: 'call', number, kind, name, operation, input: given(input) })
    try {
      return JSON.parse(await answer)
    } finally {
      signal?.removeEventListener('abort', stop)
      signal?.throwIfAborted()
    }
  }

  #take(answered: Answered): void {
    if (answered.do === 'progress') this.#onProgress?.(answered.progress)
    if (answered.do !== 'answer' && answered.do !== 'fail') return
    const pending = this.#pending.get(answered.number)
    this.#pending.delete(answered.number)
    if (answered.do === 'answer') pending?.resolve(answered.answer)
    else pending?.reject(problemOf(answered.failure))
  }

  #ask(asked: Asked): void {
    this.#worker.postMessage(asked)
  }
}

/** Without fields that are undefined: in JSON there are none. */
function given(input: object): object {
  return JSON.parse(JSON.stringify(input))
}

function problemOf({ status, code, message, hint }: (Answered & { do: 'fail' })['failure']): Problem {
  return new Problem(status, code, message, hint)
}
