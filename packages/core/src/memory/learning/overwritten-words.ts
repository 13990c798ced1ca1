// What was overwritten in a large array while it was read, in the order it happened, so that it can be put back.

import type { Steps } from '../../long-work.ts'

/** Records in a block: one list would be copied whenever it grows. */
const blockRecords = 2 ** 14

export class OverwrittenWords {
  /** Words of a record: its place in the array, then what was there. */
  readonly #length: number
  readonly #blocks: Uint32Array[] = []
  /** Words used of the last block. */
  #end = 0

  constructor(recordWords: number) {
    this.#length = recordWords
  }

  /** Keeps these records; their places count from `from`. */
  add(records: Uint32Array, from: number): void {
    for (let at = 0; at < records.length; at += this.#length) {
      const block = this.#room()
      block.set(records.subarray(at, at + this.#length), this.#end)
      block[this.#end] += from
      this.#end += this.#length
    }
  }

  /** The last first, so that the oldest words are there at the end. */
  *putBack(words: Uint32Array): Steps<void> {
    for (let block = this.#blocks.pop(); block; block = this.#blocks.pop()) {
      for (let at = this.#end - this.#length; at >= 0; at -= this.#length) {
        words.set(block.subarray(at + 1, at + this.#length), block[at])
      }
      this.#end = this.#length * blockRecords
      yield
    }
  }

  #room(): Uint32Array {
    const last = this.#blocks.at(-1)
    if (last && this.#end < last.length) return last
    const block = new Uint32Array(this.#length * blockRecords)
    this.#blocks.push(block)
    this.#end = 0
    return block
  }
}
