// Memory that worker threads may still be reading is not freed under them: it waits until the last reader is done.

export class Readers {
  #reading = 0
  #waiting: (() => void)[] = []

  /** Frees now, or when the last reader is done. */
  discard(free: () => void): void {
    if (this.#reading > 0) this.#waiting.push(free)
    else free()
  }

  /** Whatever is discarded while `work` goes on stays until it is done. */
  async read<T>(work: () => Promise<T>): Promise<T> {
    this.#reading++
    try {
      return await work()
    } finally {
      this.#reading--
      if (this.#reading === 0) for (const free of this.#waiting.splice(0)) free()
    }
  }
}
