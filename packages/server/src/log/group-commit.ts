// Group commit: writes in order, one at a time; items that arrive during a write go out together with the next. A hundred concurrent
// operations therefore wait for two disk flushes, not a hundred. Invariant: after the first failed write, nothing more is written, and every call
// fails with that error.

export class GroupCommit<Item> {
  readonly #write: (items: readonly Item[]) => Promise<void>
  /** Waits for the current write; more can still be added. */
  #group: Item[] | undefined
  #last: Promise<void> = Promise.resolve()
  /** Writes and other work that are running or waiting. */
  #waiting = 0

  constructor(write: (items: readonly Item[]) => Promise<void>) {
    this.#write = write
  }

  /** Resolves when the item is written. */
  add(item: Item): Promise<void> {
    if (!this.#group) {
      const group: Item[] = []
      this.#group = group
      this.#chain(() => {
        if (this.#group === group) this.#group = undefined
        return this.#write(group)
      })
    }
    this.#group?.push(item)
    return this.#last
  }

  /** Runs `work` after all that was added before it, and before all that is added later. */
  run(work: () => Promise<void>): Promise<void> {
    this.#group = undefined
    return this.#chain(work)
  }

  /** Resolves when everything so far is written. */
  flushed(): Promise<void> {
    return this.#last
  }

  /** Whether nothing is running or waiting. */
  get idle(): boolean {
    return this.#waiting === 0
  }

  #chain(work: () => Promise<void>): Promise<void> {
    this.#waiting++
    this.#last = this.#last.then(work)
    const ended = () => {
      this.#waiting--
    }
    this.#last.then(ended, ended) // callers that wait get the error; there may be none
    return this.#last
  }
}
