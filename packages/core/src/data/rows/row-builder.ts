// Collects rows entry by entry, as a reader meets them: features ascending, labels in any order (see sortRow).
// Invariant: entries after the last `endRow` belong to a row still being read; `dropRow` forgets them.

import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { Growable } from '../bytes/growable.ts'

export class SparseRows {
  readonly #offsets = new Growable(Float64Array)
  readonly #indices = new Growable(Uint32Array)
  readonly #values = new Growable(Float32Array)

  constructor() {
    this.#offsets.push(0)
  }

  get rows(): number {
    return this.#offsets.length - 1
  }

  add(index: number, value: number): void {
    this.#indices.push(index)
    this.#values.push(value)
  }

  endRow(): void {
    this.#offsets.push(this.#indices.length)
  }

  dropRow(): void {
    this.#indices.length = this.#offsets.items[this.rows]
    this.#values.length = this.#indices.length
  }

  finish(columns: number): SparseMatrix {
    return new SparseMatrix(this.rows, columns, this.#offsets.finish(), this.#indices.finish(), this.#values.finish())
  }
}

/** Rows in which every column has a value; `add` is called once a column, in order. */
export class DenseRowBuilder {
  readonly #values = new Growable(Float32Array)
  #rows = 0
  #complete = 0

  get rows(): number {
    return this.#rows
  }

  add(_column: number, value: number): void {
    this.#values.push(value)
  }

  endRow(): void {
    this.#rows++
    this.#complete = this.#values.length
  }

  dropRow(): void {
    this.#values.length = this.#complete
  }

  finish(columns: number): DenseMatrix {
    return new DenseMatrix(this.#rows, columns, this.#values.finish())
  }
}

export class LabelRows {
  readonly #offsets = new Growable(Float64Array)
  readonly #indices = new Growable(Uint32Array)
  #ascending = true

  constructor() {
    this.#offsets.push(0)
  }

  get rows(): number {
    return this.#offsets.length - 1
  }

  add(label: number): void {
    const { items, length } = this.#indices
    if (length > this.#offsets.items[this.rows] && items[length - 1] >= label) this.#ascending = false
    this.#indices.push(label)
  }

  /** Sorts the labels of the row being read; returns one that appears twice, or -1. */
  sortRow(): number {
    if (this.#ascending) return -1
    this.#ascending = true
    const row = this.#indices.items.subarray(this.#offsets.items[this.rows], this.#indices.length).sort()
    const twice = row.findIndex((label, i) => i > 0 && label === row[i - 1])
    return twice < 0 ? -1 : row[twice]
  }

  endRow(): void {
    this.#offsets.push(this.#indices.length)
  }

  dropRow(): void {
    this.#indices.length = this.#offsets.items[this.rows]
    this.#ascending = true
  }

  finish(columns: number): LabelMatrix {
    return new LabelMatrix(this.rows, columns, this.#offsets.finish(), this.#indices.finish())
  }

  /** As `finish`, with label `i` renumbered to `order[i]`. */
  finishRenumbered(order: Uint32Array): LabelMatrix {
    const offsets = this.#offsets.finish()
    const indices = this.#indices.finish().map(label => order[label])
    for (let i = 0; i < this.rows; i++) indices.subarray(offsets[i], offsets[i + 1]).sort()
    return new LabelMatrix(this.rows, order.length, offsets, indices)
  }
}
