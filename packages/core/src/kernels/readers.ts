// Memory that worker threads may still be reading is freed only when the last reader is done. Reading in an arena counts as reading in the
// arena around it: a classifier's memory waits for the batches of the index inside it.

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

  /** The number of the latest reading while there are readers; 0 if there are none. */
  get lastReading(): number {
    return this.#reading > 0 ? this.#readings : 0
  }

  /** Frees now, or when the last reader is done. */
  discard(free: () => void): void {
    if (this.#reading > 0) this.#waiting.push(free)
    else free()
  }

  /** Slices discarded while `work` runs are freed when it is done. */
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

  /** The same for synchronous work that calls the caller's functions, which may discard what it works on. */
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

/** Frees a slice: at once, or when the last reader is done. */
export type Discard = (slice: Slice) => void

/** For parts that replace their slices while batches may still read them. */
export function discarderOf(readers: Readers): Discard {
  return slice => readers.discard(() => slice.free())
}
