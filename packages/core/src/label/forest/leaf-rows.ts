// The training rows of a forest's leaves: their features, their labels, and their leaf in each tree. Rows keep
// their numbers; a removed one stays as a hole until the model is saved.

import { AddedEntries } from '../../forest/added-entries.ts'
import type { Scope } from '../../kernels/arena.ts'
import { placeBlock } from '../../kernels/blocks.ts'
import type { CopyOnWriteArrays, KeptArray } from '../../kernels/copy-on-write-arrays.ts'
import { leafRowsBlock } from '../../kernels/generated/blocks/forest-labels.ts'
import type { LabelMatrix } from '../../matrix/label-matrix.ts'
import { rowNumbersTo } from '../../matrix/row-numbers.ts'
import type { SparseMatrix, SparseRow } from '../../matrix/sparse-matrix.ts'
import type { GrownTree } from '../../trees/growing.ts'
import { RowLabels } from '../scores/row-labels.ts'
import { type KeptRows, keepRows } from './kept-rows.ts'

/** The rows of each leaf, all trees' leaves numbered through: leaf i's are rows[offsets[i], offsets[i + 1]). */
export interface LeafMembers {
  readonly offsets: Uint32Array
  readonly rows: Uint32Array
}

/** The members of grown trees. */
export function membersOf(trees: readonly GrownTree[]): LeafMembers {
  const leaves = trees.reduce((sum, { leafCount }) => sum + leafCount, 0)
  const offsets = new Uint32Array(leaves + 1)
  const rows = new Uint32Array(trees.reduce((sum, { order }) => sum + order.length, 0))
  let [leaf, at] = [0, 0]
  for (const { order, leafStarts, leafCount } of trees) {
    rows.set(order.array, at)
    for (let i = 0; i < leafCount; i++) offsets[leaf++] = at + leafStarts.array[i]
    at += order.length
  }
  offsets[leaf] = at
  return { offsets, rows }
}

export class LeafRows {
  readonly labels: RowLabels
  readonly #rows: KeptRows
  readonly #alive: KeptArray<Uint8Array>
  readonly #memberOffsets: KeptArray<Uint32Array>
  readonly #members: KeptArray<Uint32Array>
  readonly #added: AddedEntries

  /** `dense` rows include their zeros. */
  constructor(
    arrays: CopyOnWriteArrays,
    rows: SparseMatrix,
    labels: LabelMatrix,
    members: LeafMembers,
    dense: boolean,
  ) {
    this.#rows = keepRows(arrays, rows, dense)
    this.labels = new RowLabels(arrays, labels)
    this.#alive = arrays.make(Uint8Array, rows.rows)
    this.#memberOffsets = arrays.make(Uint32Array, members.offsets.length)
    this.#members = arrays.make(Uint32Array, members.rows.length)
    this.#alive.array.fill(1)
    this.#memberOffsets.array.set(members.offsets)
    this.#members.array.set(members.rows)
    const discard = arrays.discard.bind(arrays)
    this.#added = new AddedEntries(arrays.engine.arena, members.offsets.length - 1, discard)
  }

  /** Rows so far, including removed ones. */
  get count(): number {
    return this.labels.rows
  }

  isAlive(row: number): boolean {
    return this.#alive.array[row] === 1
  }

  get columns(): number {
    return this.#rows.columns
  }

  /** A row, copied. */
  row(row: number): SparseRow {
    return this.#rows.row(row)
  }

  /** The rows of a leaf that are still there, in ascending order. */
  rowsOf(leaf: number): number[] {
    const rows = [...this.#members.array.subarray(...this.#span(leaf))]
    this.#added.forEach(leaf, row => rows.push(row))
    return rows.filter(row => this.isAlive(row)).sort((a, b) => a - b)
  }

  #span(leaf: number): [from: number, to: number] {
    return [this.#memberOffsets.array[leaf], this.#memberOffsets.array[leaf + 1]]
  }

  /** Adds a row, which gets the next number, to one leaf of each tree. */
  add(added: SparseRow, labels: Uint32Array, leaves: Uint32Array): void {
    const row = this.count
    this.#rows.add(row, added)
    this.#alive.grow(row + 1)
    this.#alive.writable()[row] = 1
    this.labels.add(labels)
    this.#added.addTo(leaves, row)
  }

  remove(row: number): void {
    this.#alive.writable()[row] = 0
  }

  /** What a model file stores: only rows that were not removed, renumbered. */
  packed(): { readonly rows: SparseMatrix; readonly labels: LabelMatrix; readonly members: LeafMembers } {
    const kept = rowNumbersTo(this.count).filter(row => this.isAlive(row))
    const numbers = new Uint32Array(this.count)
    kept.forEach((row, number) => {
      numbers[row] = number
    })
    const leaves = this.#memberOffsets.length - 1
    const members = new Uint32Array(this.#members.length + this.#added.count)
    const offsets = new Uint32Array(leaves + 1)
    let at = 0
    for (let leaf = 0; leaf < leaves; leaf++) {
      for (const row of this.rowsOf(leaf)) members[at++] = numbers[row]
      offsets[leaf + 1] = at
    }
    return {
      rows: this.#rows.matrix(this.count).select(kept),
      labels: this.labels.matrix().select(kept),
      members: { offsets, rows: members.slice(0, at) },
    }
  }

  /** Address of the kernel's block in the scope. Later changes do not affect it while it is being read. */
  block(scope: Scope): number {
    return placeBlock(scope, leafRowsBlock, {
      count: this.count,
      ...this.#rows.pointers(),
      labelOffsets: this.labels.offsets.pointer,
      labelIndices: this.labels.labels.pointer,
      memberOffsets: this.#memberOffsets.pointer,
      members: this.#members.pointer,
      addedHeads: this.#added.copyHeads(scope),
      addedRows: this.#added.entries,
      alive: this.#alive.pointer,
      dims: this.#rows.columns,
    }).pointer
  }

  free(): void {
    this.#added.free()
  }
}
