// Limits how many calls run or wait at once: more would only wait and fill the memory with their bodies.

import type { ServiceCalls } from '../service/service.ts'
import { HttpProblem } from './problem.ts'

export class LimitedCalls implements ServiceCalls {
  readonly #service: ServiceCalls
  readonly #most: number
  #waiting = 0

  constructor(service: ServiceCalls, most: number) {
    this.#service = service
    this.#most = most
  }

  get served(): ServiceCalls['served'] {
    return this.#service.served
  }

  async call(...given: Parameters<ServiceCalls['call']>): Promise<string> {
    if (this.#waiting >= this.#most) {
      throw new HttpProblem(503, 'BUSY', `${this.#most} calls are already waiting`, { headers: { 'retry-after': '1' } })
    }
    this.#waiting++
    try {
      return await this.#service.call(...given)
    } finally {
      this.#waiting--
    }
  }

  close(): Promise<void> {
    return this.#service.close()
  }
}
