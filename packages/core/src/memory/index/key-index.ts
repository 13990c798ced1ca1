// Finds memories by their keys: an index for every namespace, so that a query in one never meets a memory of another. It grows with the
// memory and is not stored: it is rebuilt from the keys.

import type { Engine } from '../../kernels/engine.ts'
import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import type { KeyShape } from '../memory-key.ts'
import type { MemoryTable } from '../table/memory-table.ts'
import { IndexPlace } from './index-place.ts'
import { type IndexedBest, NamespaceIndex } from './namespace-index.ts'

export class KeyIndex {
  readonly #place: IndexPlace
  readonly #table: MemoryTable
  readonly #namespaces = new Map<string | undefined, NamespaceIndex>()
  /** By slot: the row in its namespace. */
  readonly #rows: number[] = []

  constructor(engine: Engine, table: MemoryTable) {
    this.#place = new IndexPlace(engine)
    this.#table = table
  }

  /** Bytes of its lists. */
  get bytes(): number {
    return this.#place.pool.bytes
  }

  /** How many memories a namespace has. */
  countOf(namespace: string | undefined): number {
    return this.#namespaces.get(namespace)?.count ?? 0
  }

  /** Adds the memory in the last slot. If memory runs out, nothing changes. */
  add(slot: number, shape: KeyShape): void {
    const { namespace } = this.#table.at(slot)
    const known = this.#namespaces.get(namespace)
    const index = known ?? new NamespaceIndex(this.#place, this.#table.keys, shape)
    this.#rows[slot] = index.add(slot)
    if (!known) this.#namespaces.set(namespace, index)
  }

  /** Before the table forgets it. */
  remove(slot: number): void {
    const { namespace } = this.#table.at(slot)
    const index = this.#namespaces.get(namespace)
    if (!index) return
    index.remove(this.#rows[slot])
    if (index.count === 0) {
      index.free()
      this.#namespaces.delete(namespace)
    } else if (index.isWorn) {
      index.renumber((other, row) => {
        this.#rows[other] = row
      })
    }
  }

  /** The memory of slot `from`, which the table has moved, is now in slot `to`. */
  rename(from: number, to: number): void {
    this.#rows[to] = this.#rows[from]
    this.#namespaces.get(this.#table.at(to).namespace)?.move(this.#rows[to], to)
  }

  /** How many forests were grown over dense keys. */
  get forests(): number {
    return [...this.#namespaces.values()].reduce((sum, { forests }) => sum + forests, 0)
  }

  /** Waits for forests that are being grown. */
  async settled(): Promise<void> {
    for (const index of this.#namespaces.values()) await index.settled()
  }

  /**
   * The best k of a namespace for a query that has the scorer's weights in its values. If `isExact` is false, a forest may find most of them.
   * `sumsOf` compares dense keys.
   */
  best(
    namespace: string | undefined,
    query: SparseRow,
    { k, isExact }: { readonly k: number; readonly isExact: boolean },
    sumsOf: (slots: readonly number[]) => Float32Array,
  ): IndexedBest {
    const index = this.#namespaces.get(namespace)
    return index ? index.best(query, k, isExact, sumsOf) : { slots: [], sums: new Float32Array(0) }
  }

  /** What does not agree with the table. */
  faults(): string[] {
    const faults: string[] = []
    let count = 0
    for (const [name, index] of this.#namespaces) {
      count += index.count
      for (const slot of index.slots()) {
        const isHere = slot < this.#table.count && this.#table.at(slot).namespace === name
        if (!isHere || index.slotOf(this.#rows[slot]) !== slot) faults.push(`memory ${slot} is not where it should be`)
      }
    }
    if (count !== this.#table.count) faults.push(`it has ${count} of ${this.#table.count} memories`)
    return faults
  }

  /** Frees what has a memory of its own: the rest goes with the lease. */
  freeForests(): void {
    for (const index of this.#namespaces.values()) index.freeForest()
  }

  free(): void {
    this.#place.free()
  }
}
