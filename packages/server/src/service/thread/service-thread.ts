// The side of requests: a service whose engine runs in a thread of its own, so that this one can answer while the engine is busy.

import { Worker } from 'node:worker_threads'
import { EngineError } from '@vicinal/core'
import { abortedError, throwIfAborted } from '@vicinal/core/internals'
import type { ServedKind } from '../served.ts'
import type { ServedName, ServiceCalls, ServiceOptions } from '../service.ts'
import { RemoteError, type Reply, type Request, sentInput } from './messages.ts'

interface Pending {
  resolve(answer: string): void
  reject(error: unknown): void
}

export class ServiceThread implements ServiceCalls {
  readonly served: readonly ServedName[]
  /** Resolves when the thread has ended, to the error if nobody asked it to. */
  readonly ended: Promise<EngineError | undefined>
  readonly #worker: Worker
  readonly #pending = new Map<number, Pending>()
  #calls = 0
  #closing: Promise<void> | undefined
  #lost: EngineError | undefined

  private constructor(worker: Worker, served: readonly ServedName[]) {
    this.#worker = worker
    this.served = served
    worker.on('message', (reply: Reply) => this.#take(reply))
    this.ended = new Promise(resolve => {
      worker.on('error', error => this.#lose(error))
      worker.on('exit', () => resolve(this.#closing ? undefined : this.#lose()))
    })
  }

  /** Starts `script`, which calls `runServiceThread`, and opens the paths in it. */
  static async open(
    script: URL,
    paths: readonly string[],
    { signal, ...options }: ServiceOptions = {},
  ): Promise<ServiceThread> {
    throwIfAborted(signal)
    const worker = new Worker(script)
    const stop = () => void worker.terminate()
    const opened = new Promise<ServiceThread>((resolve, reject) => {
      signal?.addEventListener('abort', stop, { once: true })
      worker.once('exit', () => reject(signal?.aborted ? abortedError(signal) : lost()))
      worker.once('error', error => reject(lost(error)))
      worker.once('message', (reply: Reply) => {
        if (reply.do === 'opened') return resolve(new ServiceThread(worker, reply.served))
        void worker.terminate()
        reject(reply.do === 'not opened' ? new RemoteError(reply.failure) : lost())
      })
      worker.postMessage({ do: 'open', paths, options } satisfies Request)
    })
    return opened.finally(() => signal?.removeEventListener('abort', stop))
  }

  call(kind: ServedKind, name: string, operation: string, input: unknown, signal?: AbortSignal): Promise<string> {
    if (this.#lost) return Promise.reject(this.#lost)
    const number = ++this.#calls
    const stop = () => this.#send({ do: 'stop', number })
    const answer = new Promise<string>((resolve, reject) => this.#pending.set(number, { resolve, reject }))
    const { moved, ...sent } = sentInput(input)
    this.#send({ do: 'call', number, kind, name, operation, ...sent }, moved)
    signal?.addEventListener('abort', stop, { once: true })
    return answer.finally(() => signal?.removeEventListener('abort', stop))
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    if (this.#lost) return
    await Promise.allSettled([...this.#pending.values()].map(pending => new Promise(settled => hook(pending, settled))))
    const closed = new Promise<Reply>(resolve => {
      this.#worker.on('message', (reply: Reply) => reply.do === 'closed' && resolve(reply))
    })
    this.#send({ do: 'close' })
    const reply = await Promise.race([closed, this.ended])
    await this.#worker.terminate()
    if (reply && 'failure' in reply && reply.failure) throw new RemoteError(reply.failure)
  }

  #send(request: Request, moved: ArrayBuffer[] = []): void {
    this.#worker.postMessage(request, moved)
  }

  #take(reply: Reply): void {
    if (reply.do !== 'answer' && reply.do !== 'fail') return
    const pending = this.#pending.get(reply.number)
    this.#pending.delete(reply.number)
    if (reply.do === 'answer') pending?.resolve(reply.answer)
    else pending?.reject(new RemoteError(reply.failure))
  }

  #lose(cause?: unknown): EngineError {
    this.#lost ??= lost(cause)
    for (const { reject } of this.#pending.values()) reject(this.#lost)
    this.#pending.clear()
    return this.#lost
  }
}

/** Calls `settled` when the call has its answer. */
function hook(pending: Pending, settled: (value?: unknown) => void): void {
  const { resolve, reject } = pending
  pending.resolve = answer => {
    resolve(answer)
    settled()
  }
  pending.reject = error => {
    reject(error)
    settled()
  }
}

function lost(cause?: unknown): EngineError {
  return new EngineError('WORKER_LOST', 'the thread of the engine has ended unexpectedly', {
    hint: 'Start the service again. What was acknowledged is on disk.',
    ...(cause !== undefined && { cause }),
  })
}
