// Lists of (label, strength) pairs, one per feature, labels ascending, that can grow: each list has some room, and moves to the
// end of the pool, with twice the room, when it is full. Beside each pair stands its exact sum, which only this side reads.
// Invariant: list f is at [starts[f], starts[f] + counts[f]) of the pool, and no two lists' rooms overlap.

import type { CopyOnWriteArrays, KeptArray } from '../../kernels/copy-on-write-arrays.ts'

/** Lists without gaps: list f is at [offsets[f], offsets[f + 1]). */
export interface PairSums {
  readonly offsets: Float64Array
  readonly labels: Uint32Array
  readonly sums: Float64Array
}

const bits = new Uint32Array(1)
const float = new Float32Array(bits.buffer)

export class PairLists {
  readonly starts: KeptArray<Uint32Array>
  readonly counts: KeptArray<Uint32Array>
  /** Label and strength (the bits of an f32) of each pair, for the kernels. */
  readonly pairs: KeptArray<Uint32Array>
  #sums: Float64Array
  #rooms: Uint32Array
  #end: number

  /** Keeps `sums`; strengths are 0 until they are set. */
  constructor(arrays: CopyOnWriteArrays, { offsets, labels, sums }: PairSums) {
    const lists = offsets.length - 1
    this.starts = arrays.make(Uint32Array, lists)
    this.counts = arrays.make(Uint32Array, lists)
    this.pairs = arrays.make(Uint32Array, 2 * labels.length)
    this.starts.array.set(offsets.subarray(0, lists))
    this.counts.array.set(offsets.subarray(1).map((to, i) => to - offsets[i]))
    this.#rooms = this.counts.array.slice()
    this.#end = labels.length
    this.#sums = sums
    const { array } = this.pairs
    for (let i = 0; i < labels.length; i++) array[2 * i] = labels[i]
  }

  get lists(): number {
    return this.counts.length
  }

  /** Pairs in all lists. */
  get size(): number {
    return this.counts.array.reduce((sum, count) => sum + count, 0)
  }

  /** Where the pair is in the pool, or −1. */
  find(list: number, label: number): number {
    const at = this.#place(list, label)
    const inside = at < this.starts.array[list] + this.counts.array[list]
    return inside && this.labelAt(at) === label ? at : -1
  }

  labelAt(at: number): number {
    return this.pairs.array[2 * at]
  }

  sumAt(at: number): number {
    return this.#sums[at]
  }

  setSum(at: number, sum: number): void {
    this.#sums[at] = sum
  }

  setStrength(at: number, strength: number): void {
    float[0] = strength
    this.pairs.writable()[2 * at + 1] = bits[0]
  }

  /** [from, to) of a list in the pool. */
  range(list: number): [number, number] {
    const from = this.starts.array[list]
    return [from, from + this.counts.array[list]]
  }

  /** Puts a new pair into its list, with sum 0; returns where. */
  insert(list: number, label: number): number {
    if (this.counts.array[list] === this.#rooms[list]) this.#move(list)
    const at = this.#place(list, label)
    const end = this.starts.array[list] + this.counts.array[list]
    const pairs = this.pairs.writable()
    pairs.copyWithin(2 * (at + 1), 2 * at, 2 * end)
    this.#sums.copyWithin(at + 1, at, end)
    pairs[2 * at] = label
    pairs[2 * at + 1] = 0
    this.#sums[at] = 0
    this.counts.writable()[list]++
    return at
  }

  /** Removes the pair at `at` from its list. */
  delete(list: number, at: number): void {
    const end = this.starts.array[list] + this.counts.array[list]
    this.pairs.writable().copyWithin(2 * at, 2 * (at + 1), 2 * end)
    this.#sums.copyWithin(at, at + 1, end)
    this.counts.writable()[list]--
  }

  /** A copy of all lists without gaps. */
  packed(): PairSums {
    const offsets = new Float64Array(this.lists + 1)
    for (let list = 0; list < this.lists; list++) offsets[list + 1] = offsets[list] + this.counts.array[list]
    const labels = new Uint32Array(offsets[this.lists])
    const sums = new Float64Array(labels.length)
    for (let list = 0; list < this.lists; list++) {
      const [from, to] = this.range(list)
      sums.set(this.#sums.subarray(from, to), offsets[list])
      for (let at = from; at < to; at++) labels[offsets[list] + at - from] = this.labelAt(at)
    }
    return { offsets, labels, sums }
  }

  /** Where a label is in its list, or would be. */
  #place(list: number, label: number): number {
    let [low, high] = this.range(list)
    const { array } = this.pairs
    while (low < high) {
      const middle = (low + high) >>> 1
      if (array[2 * middle] < label) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Gives a list twice the room, at the end of the pool. Its old room stays empty: seldom much, as rooms double. */
  #move(list: number): void {
    const [from, to] = this.range(list)
    const room = Math.max(4, 2 * (to - from))
    this.#grow(this.#end + room)
    this.pairs.writable().copyWithin(2 * this.#end, 2 * from, 2 * to)
    this.#sums.copyWithin(this.#end, from, to)
    this.starts.writable()[list] = this.#end
    this.#rooms[list] = room
    this.#end += room
  }

  #grow(size: number): void {
    this.pairs.grow(2 * size)
    if (size <= this.#sums.length) return
    const grown = new Float64Array(this.pairs.length >> 1)
    grown.set(this.#sums)
    this.#sums = grown
  }
}
