// Edit distances from one word to many others in sorted order: row d of the table is for the first d letters of the other word, and stays
// valid for the next word with the same prefix. Two letters swapped count as one edit (optimal string alignment).

export class EditRows {
  readonly #word: string
  readonly #most: number
  readonly #width: number
  /** [letters of the other word + 1 × letters of the word + 1] */
  #table: Uint16Array
  #other = ''
  /** Rows that are valid for #other. */
  #rows = 0
  /** Letters after which nothing can come near any more; undefined if the last word was computed to its end. */
  #hopelessAt: number | undefined

  constructor(word: string, most: number) {
    this.#word = word
    this.#most = most
    this.#width = word.length + 1
    this.#table = new Uint16Array(this.#width * (word.length + most + 3))
    for (let j = 0; j < this.#width; j++) this.#table[j] = j
  }

  /** Edits from the word to `other`; if they are more than `most`, any larger number. */
  distance(other: string): number {
    const same = Math.min(commonPrefix(other, this.#other), this.#rows)
    this.#other = other
    this.#rows = same
    this.#hopelessAt = undefined
    this.#reserve(other.length + 1)
    for (let row = same + 1; row <= other.length; row++) {
      const least = this.#fill(row)
      this.#rows = row
      // The row after the next may still swap its way back to the row before.
      if (least > this.#most && this.#least(row - 1) >= this.#most) {
        this.#hopelessAt = row
        return this.#most + 1
      }
    }
    return this.#table[other.length * this.#width + this.#width - 1]
  }

  /** A prefix of the last word that no near word can have. */
  get hopelessPrefix(): string | undefined {
    return this.#hopelessAt === undefined ? undefined : this.#other.slice(0, this.#hopelessAt)
  }

  /** Computes a row from the two before; returns its smallest number. */
  #fill(row: number): number {
    const table = this.#table
    const [at, before, twoBefore] = [row * this.#width, (row - 1) * this.#width, (row - 2) * this.#width]
    const letter = this.#other.charCodeAt(row - 1)
    const letterBefore = row > 1 ? this.#other.charCodeAt(row - 2) : -1
    table[at] = row
    let least = row
    for (let j = 1; j < this.#width; j++) {
      const own = this.#word.charCodeAt(j - 1)
      let edits = Math.min(
        table[before + j] + 1,
        table[at + j - 1] + 1,
        table[before + j - 1] + (own === letter ? 0 : 1),
      )
      if (j > 1 && own === letterBefore && this.#word.charCodeAt(j - 2) === letter) {
        edits = Math.min(edits, table[twoBefore + j - 2] + 1)
      }
      table[at + j] = edits
      if (edits < least) least = edits
    }
    return least
  }

  #least(row: number): number {
    let least = this.#table[row * this.#width]
    for (let j = 1; j < this.#width; j++) least = Math.min(least, this.#table[row * this.#width + j])
    return least
  }

  #reserve(rows: number): void {
    if (rows * this.#width <= this.#table.length) return
    const larger = new Uint16Array(2 * rows * this.#width)
    larger.set(this.#table)
    this.#table = larger
  }
}

function commonPrefix(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let same = 0
  while (same < most && a.charCodeAt(same) === b.charCodeAt(same)) same++
  return same
}
