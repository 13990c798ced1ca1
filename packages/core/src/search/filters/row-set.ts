// A set of row numbers that is filled in any order and emptied in ascending order: one bit per row, so that sorting reads one word per 32
// rows.

export class RowSet {
  #words = new Uint32Array(0)
  #size = 0

  /** Different rows in it. */
  get size(): number {
    return this.#size
  }

  /** Makes room for rows below `rows`, and forgets what a caller left in it when it failed. */
  reserve(rows: number): void {
    const words = (rows + 31) >>> 5
    if (this.#words.length < words) this.#words = new Uint32Array(Math.ceil(1.25 * words))
    else if (this.#size > 0) this.#words.fill(0)
    this.#size = 0
  }

  add(row: number): void {
    const bit = 1 << (row & 31)
    const word = this.#words[row >>> 5]
    if ((word & bit) !== 0) return
    this.#words[row >>> 5] = word | bit
    this.#size++
  }

  /** Moves all rows to `list`, ascending; returns how many there were. */
  drain(list: Uint32Array): number {
    const words = this.#words
    let count = 0
    for (let i = 0; count < this.#size; i++) {
      let word = words[i]
      if (word === 0) continue
      words[i] = 0
      while (word !== 0) {
        const lowest = word & -word
        list[count++] = 32 * i + 31 - Math.clz32(lowest)
        word ^= lowest
      }
    }
    this.#size = 0
    return count
  }
}
