// One bad request: what is sent, and what may come back.

import type { Ending, Pieces } from './sent-request.cases.ts'

/**
 * 'refused': a 4xx problem. 'fair': no 5xx, for what may be valid by chance. 'stream': a 4xx problem, as the status or in the last line.
 * 'mcp': no 5xx, in the form of its own protocol. 'gone': the caller does not wait.
 */
export type Expected = 'refused' | 'fair' | 'stream' | 'mcp' | 'gone'

export interface BadRequest {
  /** For messages of failed tests. */
  readonly what: string
  readonly pieces: Pieces
  readonly ending?: Ending
  readonly expected: Expected
  /** Whether it goes to the service that wants tokens. */
  readonly isGuarded?: boolean
}

/** Random choices that are the same for the same seed. */
export class Pick {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 to `n` − 1. */
  below(n: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T // one of them
  }
}
