// The memories of one namespace, to be found by their keys: words and sparse keys by lists of the memories that have a feature, dense keys
// by comparing all, or by a forest if there are many; hybrid keys by lists and by comparing all. Rows number the memories in the order they
// came; a removed one leaves a hole until there are as many holes as memories.

import { assert } from '../../errors.ts'
import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import { wordsOfKey } from '../learning/key-parts.ts'
import type { KeyShape } from '../memory-key.ts'
import type { KeyStore } from '../table/key-store.ts'
import type { IndexPlace } from './index-place.ts'
import { type ForestKeys, KeyForest } from './key-forest.ts'
import { goneRow, KeyPostingLists } from './posting-lists.ts'

/** As a slot: the memory of this row was removed. */
const hole = -1
/** Fewer holes than this are not worth renumbering for. */
const fewestHoles = 1024

/** Memories and about what the scorer sums up for each, best first. */
export interface IndexedBest {
  readonly slots: readonly number[]
  readonly sums: Float32Array
}

export class NamespaceIndex {
  readonly #place: IndexPlace
  readonly #keys: KeyStore
  readonly #shape: KeyShape
  /** Undefined if keys are dense. */
  readonly #lists: KeyPostingLists | undefined
  /** Undefined where keys are not dense. */
  readonly #forest: KeyForest | undefined
  /** By row. */
  #slots: number[] = []
  /** By row: how many came before, ever. Ascending. */
  #serials: number[] = []
  #nextSerial = 0
  #holes = 0
  /** By row: what its sum begins with, 0, or −∞ for a hole. */
  #starts = new Float32Array(16)

  constructor(place: IndexPlace, keys: KeyStore, shape: KeyShape) {
    this.#place = place
    this.#keys = keys
    this.#shape = shape
    const isDense = shape.kind === 'dense'
    this.#lists = isDense ? undefined : new KeyPostingLists(place.kernels, place.pool)
    this.#forest = isDense ? new KeyForest(place.engine, this.#forestKeys()) : undefined
  }

  /** How many forests were grown over its keys. */
  get forests(): number {
    return this.#forest?.builds ?? 0
  }

  /** Waits for a forest that is being grown. */
  async settled(): Promise<void> {
    await this.#forest?.settled()
  }

  /** Number of memories. */
  get count(): number {
    return this.#slots.length - this.#holes
  }

  /** The slots of all memories, in insertion order. */
  *slots(): Generator<number> {
    for (const slot of this.#slots) if (slot !== hole) yield slot
  }

  /** Returns the memory's row. */
  add(slot: number): number {
    const row = this.#slots.length
    const key = this.#keys.row(slot)
    if (this.#shape.kind === 'hybrid') this.#lists?.add(row, wordsOfKey(key), false)
    else this.#lists?.add(row, key)
    this.#forest?.add(this.#nextSerial, key)
    if (row === this.#starts.length) this.#starts = grown(this.#starts)
    this.#starts[row] = 0
    this.#slots.push(slot)
    this.#serials.push(this.#nextSerial)
    this.#forest?.added(this.#nextSerial++)
    return row
  }

  remove(row: number): void {
    this.#forest?.remove(this.#serials[row])
    this.#slots[row] = hole
    this.#starts[row] = Number.NEGATIVE_INFINITY
    this.#holes++
    this.#forest?.removed()
  }

  /** The memory of this row is now in slot `slot`. */
  move(row: number, slot: number): void {
    this.#slots[row] = slot
  }

  slotOf(row: number): number | undefined {
    const slot = this.#slots[row]
    return slot === hole ? undefined : slot
  }

  /** Whether there are enough holes that rows should be renumbered. */
  get isWorn(): boolean {
    return this.#holes > fewestHoles && this.#holes > this.count
  }

  /** Closes the holes if there is enough memory; reports every memory's new row. */
  renumber(moved: (slot: number, row: number) => void): void {
    const numbers = this.#place.numbersFor(this.#slots.length)
    if (!numbers) return
    let row = 0
    this.#slots.forEach((slot, old) => {
      numbers.array[old] = slot === hole ? goneRow : row++
    })
    this.#lists?.renumber(numbers)
    numbers.free()
    this.#serials = this.#serials.filter((_, old) => this.#slots[old] !== hole)
    this.#slots = this.#slots.filter(slot => slot !== hole)
    this.#starts = new Float32Array(Math.max(16, Math.ceil(1.5 * row)))
    this.#holes = 0
    for (const [at, slot] of this.#slots.entries()) moved(slot, at)
  }

  /** The k memories with the highest sums, ties in insertion order; `isExact` or approximately. `query` has the scorer's weights in its values. */
  best(query: SparseRow, k: number, isExact: boolean, sumsOf: (slots: readonly number[]) => Float32Array): IndexedBest {
    const { sums, kernels } = this.#place
    const rows = this.#slots.length
    const most = Math.min(k, this.count)
    if (most === 0) return { slots: [], sums: new Float32Array(0) }
    // A query has no direction if all its weights are 0.
    if (!isExact && this.#forest?.answers(most) && query.values.some(value => value !== 0)) {
      const near = this.#forest.best(query, most).map(serial => this.#slots[this.#rowOf(serial)])
      return { slots: near, sums: sumsOf(near) }
    }
    sums.reserve(rows)
    sums.array.set(this.#starts.subarray(0, rows))
    if (this.#shape.kind === 'hybrid') this.#addHybridSums(query)
    else if (this.#lists) this.#lists.addSums(query, sums.pointer)
    else this.#scan(sumsOf)
    const { heap, rows: outRows, scores } = this.#place.roomFor(most)
    const found = kernels.selectLargest(sums.pointer, rows, most, heap.pointer, outRows.pointer, scores.pointer)
    assert(found === most, 'an index lost rows')
    const slots = Array.from(outRows.array.subarray(0, most), row => this.#slots[row])
    return { slots, sums: scores.array.slice(0, most) }
  }

  /** Frees its lists and its forest. */
  free(): void {
    this.#lists?.clear()
    this.freeForest()
  }

  freeForest(): void {
    this.#forest?.free()
  }

  #forestKeys(): ForestKeys {
    const count = () => this.count
    return {
      get count() {
        return count()
      },
      dims: this.#shape.dims,
      serials: () => this.#serials.filter((_, row) => this.#slots[row] !== hole),
      row: serial => {
        const slot = this.slotOf(this.#rowOf(serial))
        return slot === undefined ? undefined : this.#keys.row(slot)
      },
    }
  }

  /** −1 if there is none. */
  #rowOf(serial: number): number {
    let [low, high] = [0, this.#serials.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#serials[middle] < serial) low = middle + 1
      else high = middle
    }
    return this.#serials[low] === serial ? low : -1
  }

  #addHybridSums(query: SparseRow): void {
    const { sums, kernels } = this.#place
    const words = wordsOfKey(query)
    this.#lists?.addSums(words, sums.pointer)
    const vector = this.#place.vectorRoom(query.values.subarray(words.indices.length))
    const picked = this.#place.pickedRoom(this.#slots)
    const { values, starts, sizes } = this.#keys
    kernels.keyVectorSums(
      ...([values.pointer, starts.pointer, sizes.pointer, picked.pointer, this.#slots.length] as const),
      ...([vector.pointer, this.#shape.dims, sums.pointer] as const),
    )
  }

  #scan(sumsOf: (slots: readonly number[]) => Float32Array): void {
    const living = this.#holes === 0 ? this.#slots : [...this.slots()]
    const found = sumsOf(living)
    const all = this.#place.sums.array
    if (this.#holes === 0) all.set(found)
    else {
      let next = 0
      this.#slots.forEach((slot, row) => {
        if (slot !== hole) all[row] = found[next++]
      })
    }
  }
}

function grown(array: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(2 * array.length)
  larger.set(array)
  return larger
}
