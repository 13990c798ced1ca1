// Finds a memory with the same key and the same value, for memories that merge duplicates.

import type { SparseRow } from '../matrix/sparse-matrix.ts'
import type { Id } from '../search/neighbor.ts'
import type { MemoryTable } from './memory-table.ts'

export class Twins {
  readonly #table: MemoryTable
  /** Ids by what their memories hold. */
  readonly #ids = new Map<string, Id>()

  constructor(table: MemoryTable) {
    this.#table = table
    for (let slot = 0; slot < table.count; slot++) this.add(slot)
  }

  /** The slot of a memory with this key and value. */
  find(key: SparseRow, value: string): number | undefined {
    const id = this.#ids.get(fingerprint(key, value))
    return id === undefined ? undefined : this.#table.slotOf(id)
  }

  add(slot: number): void {
    this.#ids.set(this.#of(slot), this.#table.at(slot).id)
  }

  remove(slot: number): void {
    this.#ids.delete(this.#of(slot))
  }

  #of(slot: number): string {
    return fingerprint(this.#table.keys.row(slot), this.#table.at(slot).value)
  }
}

/** Keys are equal to the bit where their texts are, so nothing has to be rounded. */
function fingerprint({ indices, values }: SparseRow, value: string): string {
  return `${indices.join()} ${values.join()} ${value}`
}
