// The one seeded generator (xoshiro128**, seeded through splitmix32): the same seed gives the same numbers on every
// machine. Parallel work takes one `fork` per unit, so that the number of threads never changes a result.

import { checkWhole, refuse } from './options.ts'

/** A seeded random generator: the same seed gives the same numbers on every machine. */
export class Random {
  readonly #state: Uint32Array

  /** Seeds are integers; `stream` selects one of several independent sequences per seed. */
  constructor(seed: number, stream = 0) {
    checkWhole('seed', seed, 0, Number.MAX_SAFE_INTEGER)
    checkWhole('stream', stream, 0, Number.MAX_SAFE_INTEGER)
    let mixed = (seed ^ Math.imul(stream + 1, 0x9e3779b9)) >>> 0
    const high = Math.floor(seed / 2 ** 32) >>> 0
    this.#state = Uint32Array.from({ length: 4 }, (_, i) => {
      mixed = (mixed + 0x9e3779b9) >>> 0
      return splitmix(mixed ^ (i % 2 === 0 ? high : 0))
    })
    if (this.#state.every(word => word === 0)) this.#state[0] = 1
  }

  /** A generator that continues from a saved `state()`. */
  static fromState(state: ArrayLike<number>): Random {
    const words = typeof state === 'object' && state?.length === 4 ? Array.from(state) : []
    const areWords = words.every(word => Number.isInteger(word) && word >= 0 && word < 2 ** 32)
    if (words.length !== 4 || !areWords) refuse('state', state, 'the four whole numbers of state()')
    const random = new Random(0)
    random.#state.set(words)
    return random
  }

  /** The whole state, as four integers. */
  state(): number[] {
    return Array.from(this.#state)
  }

  /** An independent generator, for one tree or one block of rows. */
  fork(): Random {
    return new Random(this.uint32(), this.uint32())
  }

  /** An integer in [0, 2³²). */
  uint32(): number {
    const s = this.#state
    const result = Math.imul(rotate(Math.imul(s[1], 5), 7), 9) >>> 0
    const shifted = s[1] << 9
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= shifted
    s[3] = rotate(s[3], 11)
    return result
  }

  /** A number in [0, 1) with 53 random bits. */
  float(): number {
    return ((this.uint32() >>> 5) * 2 ** 26 + (this.uint32() >>> 6)) / 2 ** 53
  }

  /** An integer in [0, bound), without modulo bias. */
  below(bound: number): number {
    if (typeof bound !== 'number' || !(bound >= 1 && bound <= 2 ** 32))
      refuse('bound', bound, 'a whole number from 1 to 2³²')
    const limit = 2 ** 32 - (2 ** 32 % bound)
    let draw = this.uint32()
    while (draw >= limit) draw = this.uint32()
    return draw % bound
  }

  /**
   * Approximately standard normal: the sum of twelve uniforms, minus six. Avoids `Math.log`, whose results differ between JavaScript
   * engines.
   */
  normal(): number {
    let sum = -6
    for (let i = 0; i < 12; i++) sum += this.float()
    return sum
  }

  /** Shuffles in place (Fisher–Yates). */
  shuffle<T extends { length: number; [index: number]: unknown }>(items: T): T {
    const length: unknown = typeof items === 'object' && items !== null ? items.length : undefined
    if (!Number.isSafeInteger(length)) refuse('items', items, 'a list')
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.below(i + 1)
      const held = items[i]
      items[i] = items[j]
      items[j] = held
    }
    return items
  }

  /** `count` distinct integers from [0, total), ascending. */
  sample(total: number, count: number): Uint32Array {
    checkWhole('total', total, 0, 2 ** 32)
    checkWhole('count', count, 0, total)
    const picked = new Set<number>()
    // Floyd: each step adds exactly one new number.
    for (let last = total - count; last < total; last++) {
      const draw = this.below(last + 1)
      picked.add(picked.has(draw) ? last : draw)
    }
    return Uint32Array.from(picked).sort()
  }
}

function splitmix(seed: number): number {
  let z = seed
  z = Math.imul(z ^ (z >>> 16), 0x85ebca6b)
  z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
  return (z ^ (z >>> 16)) >>> 0
}

function rotate(word: number, bits: number): number {
  return ((word << bits) | (word >>> (32 - bits))) >>> 0
}
