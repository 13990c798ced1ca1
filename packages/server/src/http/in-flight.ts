// The requests that were accepted and have no answer yet, so that the service can finish them before it ends.

import type { ServerResponse } from 'node:http'

export class InFlight {
  readonly #open = new Set<ServerResponse>()
  #isClosing = false
  #emptied: (() => void) | undefined

  add(outgoing: ServerResponse): void {
    this.#open.add(outgoing)
    if (this.#isClosing) outgoing.shouldKeepAlive = false
    outgoing.once('close', () => {
      this.#open.delete(outgoing)
      if (this.#open.size === 0) this.#emptied?.()
    })
  }

  /** Resolves when all have their answers, or after `millis`. Connections end with the answer, so that no more requests come on them. */
  async drain(millis: number): Promise<void> {
    this.#isClosing = true
    for (const outgoing of this.#open) outgoing.shouldKeepAlive = false
    if (this.#open.size === 0) return
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, millis)
      this.#emptied = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
