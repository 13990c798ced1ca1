// The labels of the training rows, in the arena, for the scoring kernel. Rows are only ever added at the end: a removed row
// keeps its place, because it is never returned as a neighbor again.

import type { CopyOnWriteArrays, KeptArray } from '../../kernels/copy-on-write-arrays.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'

export class RowLabels {
  readonly offsets: KeptArray<Uint32Array>
  readonly labels: KeptArray<Uint32Array>
  #rows: number
  #columns: number

  constructor(arrays: CopyOnWriteArrays, labels: LabelMatrix) {
    this.#rows = labels.rows
    this.#columns = labels.columns
    this.offsets = arrays.make(Uint32Array, labels.rows + 1)
    this.labels = arrays.make(Uint32Array, labels.entries)
    this.offsets.array.set(labels.offsets)
    this.labels.array.set(labels.indices)
  }

  get rows(): number {
    return this.#rows
  }

  /** The number of labels: all are below it. */
  get columns(): number {
    return this.#columns
  }

  /** A row's labels, ascending, copied: the next allocation would invalidate a view. */
  row(row: number): Uint32Array {
    return this.labels.array.slice(this.offsets.array[row], this.offsets.array[row + 1])
  }

  /** Adds a row, which gets the next number. Labels ascend; those beyond the known ones are new. */
  add(labels: Uint32Array): void {
    const from = this.offsets.array[this.#rows]
    this.labels.grow(from + labels.length)
    this.offsets.grow(this.#rows + 2)
    this.labels.writable().set(labels, from)
    this.offsets.writable()[++this.#rows] = from + labels.length
    this.#columns = labels.reduce((most, label) => Math.max(most, label + 1), this.#columns)
  }

  /** A copy as a matrix. */
  matrix(): LabelMatrix {
    const offsets = Float64Array.from(this.offsets.array.subarray(0, this.#rows + 1))
    return new LabelMatrix(this.#rows, this.#columns, offsets, this.labels.array.slice(0, offsets[this.#rows]))
  }
}
