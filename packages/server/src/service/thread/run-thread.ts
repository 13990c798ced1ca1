// The side of the engine: opens what it is told to, runs one operation for every call, and answers.

import { type MessagePort, parentPort } from 'node:worker_threads'
import { EngineError } from '@vicinal/core'
import { Service, type ServiceOptions } from '../service.ts'
import { failureOf, type Reply, type Request, receivedInput } from './messages.ts'

/** To be called in a worker thread, after everything that models need (methods, stemmers) was registered. */
export function runServiceThread(port: MessagePort | null = parentPort): void {
  if (!port) throw new EngineError('UNSUPPORTED', 'runServiceThread() must be called in a worker thread')
  const thread = new ServiceThread(port)
  port.on('message', (request: Request) => void thread.take(request))
}

class ServiceThread {
  readonly #port: MessagePort
  readonly #running = new Map<number, AbortController>()
  #service: Service | undefined

  constructor(port: MessagePort) {
    this.#port = port
  }

  async take(request: Request): Promise<void> {
    if (request.do === 'open') return this.#open(request.paths, request.options)
    if (request.do === 'call') return this.#call(request)
    if (request.do === 'stop') return this.#running.get(request.number)?.abort()
    return this.#close()
  }

  async #open(paths: readonly string[], options: ServiceOptions): Promise<void> {
    try {
      this.#service = await Service.open(paths, options)
      this.#reply({ do: 'opened', served: this.#service.served })
    } catch (error) {
      this.#reply({ do: 'not opened', failure: failureOf(error) })
    }
  }

  async #call({ number, kind, name, operation, ...rest }: Request & { readonly do: 'call' }): Promise<void> {
    const stopper = new AbortController()
    this.#running.set(number, stopper)
    try {
      if (!this.#service) throw new EngineError('INTERNAL', 'nothing was opened')
      const answer = await this.#service.call(kind, name, operation, receivedInput(rest), stopper.signal)
      this.#reply({ do: 'answer', number, answer })
    } catch (error) {
      this.#reply({ do: 'fail', number, failure: failureOf(error) })
    } finally {
      this.#running.delete(number)
    }
  }

  async #close(): Promise<void> {
    try {
      await this.#service?.close()
      this.#reply({ do: 'closed' })
    } catch (error) {
      this.#reply({ do: 'closed', failure: failureOf(error) })
    } finally {
      this.#port.close()
    }
  }

  #reply(reply: Reply): void {
    this.#port.postMessage(reply)
  }
}
