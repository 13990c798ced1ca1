// Memory that worker threads may still be reading is not freed under them: it waits until the last reader is done. Who reads in an
// arena also reads in the one around it: a classifier's memory waits for the batches of the index within.

import type { Slice } from './arena.ts'
export class Readers {
  readonly #around: Readers | undefined
  #reading = 0
  /** Counts the times reading began. */
  #readings = 0
  #waiting: (() => void)[] = []

  constructor(around?: Readers) {
    this.#around = around
  }

  /** The number of the latest reading as long as somebody reads; 0 if nobody does. */
  get lastReading(): number {
    return this.#reading > 0 ? this.#readings : 0
  }

  /** Frees now, or when the last reader is done. */
  discard(free: () => void): void {
    if (this.#reading > 0) this.#waiting.push(free)
    else free()
  }

  /** Whatever is discarded while `work` goes on stays until it is done. */
  async read<T>(work: () => Promise<T>): Promise<T> {
    this.#begin()
    try {
      return await work()
    } finally {
      this.#end()
    }
  }

  /** The same until the returned function is called. */
  hold(): () => void {
    this.#begin()
    let isHeld = true
    return () => {
      if (isHeld) this.#end()
      isHeld = false
    }
  }

  /** The same for work that calls functions of the caller's, which may discard what it works on. */
  readNow<T>(work: () => T): T {
    this.#begin()
    try {
      return work()
    } finally {
      this.#end()
    }
  }

  #begin(): void {
    this.#reading++
    this.#readings++
    if (this.#around) this.#around.#begin()
  }

  #end(): void {
    this.#reading--
    if (this.#reading === 0) for (const free of this.#waiting.splice(0)) free()
    if (this.#around) this.#around.#end()
  }
}

/** Frees a slice, at once or when nobody reads it any more. */
export type Discard = (slice: Slice) => void

/** For parts that replace their slices while batches may still read them. */
export function discarderOf(readers: Readers): Discard {
  return slice => readers.discard(() => slice.free())
}
