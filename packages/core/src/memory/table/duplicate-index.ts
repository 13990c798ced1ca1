// Finds a memory with the same key and the same value, for memories that merge duplicates. Keys are long, so only hashes of them are
// kept; what has the same hash is compared with what is stored.

import type { Id } from '../../ids/id.ts'
import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import type { MemoryTable } from './memory-table.ts'

/** The same safe integer for the same key and value. */
export type TwinHash = (key: SparseRow, value: string, namespace?: string) => number

export class DuplicateIndex {
  readonly #table: MemoryTable
  readonly #hash: TwinHash
  /** By hash, in the order they came. Ids, not slots: memories move. */
  readonly #ids = new Map<number, Id[]>()

  constructor(table: MemoryTable, hash: TwinHash = hashTwin) {
    this.#table = table
    this.#hash = hash
    for (let slot = 0; slot < table.count; slot++) this.add(slot)
  }

  /** The slot of a memory with this key and value in the namespace, of several the one that came last. */
  find(key: SparseRow, value: string, namespace?: string): number | undefined {
    const slots = this.#ids.get(this.#hash(key, value, namespace))?.map(id => this.#table.slotOf(id))
    return slots?.findLast(slot => slot !== undefined && this.#isTwin(slot, key, value, namespace))
  }

  add(slot: number): void {
    const { hash, id } = this.#of(slot)
    const ids = this.#ids.get(hash)
    if (ids) ids.push(id)
    else this.#ids.set(hash, [id])
  }

  /** Before the table forgets it. */
  remove(slot: number): void {
    const { hash, id } = this.#of(slot)
    const others = this.#ids.get(hash)?.filter(other => other !== id)
    if (others?.length) this.#ids.set(hash, others)
    else this.#ids.delete(hash)
  }

  #of(slot: number): { readonly hash: number; readonly id: Id } {
    const { id, value, namespace } = this.#table.at(slot)
    return { hash: this.#hash(this.#table.keys.row(slot), value, namespace), id }
  }

  #isTwin(slot: number, { indices, values }: SparseRow, value: string, namespace: string | undefined): boolean {
    const memory = this.#table.at(slot)
    if (memory.value !== value || memory.namespace !== namespace) return false
    const own = this.#table.keys.row(slot)
    return isSame(own.indices, indices) && isSame(own.values, values)
  }
}

function isSame(a: Uint32Array | Float32Array, b: Uint32Array | Float32Array): boolean {
  return a.length === b.length && a.every((number, i) => number === b[i])
}

/** Two hashes of 32 bits, as many bits of them as a safe integer has. */
export function hashTwin({ indices, values }: SparseRow, value: string, namespace = ''): number {
  // −0 is 0, as in comparisons.
  const bits = new Uint32Array(values.map(number => number + 0).buffer)
  let [low, high] = [0x9e3779b1, indices.length]
  const take = (word: number) => {
    low = Math.imul(low ^ word, 0x85ebca77)
    low ^= low >>> 15
    high = Math.imul(high ^ word, 0xc2b2ae3d)
    high ^= high >>> 13
  }
  indices.forEach(take)
  bits.forEach(take)
  for (const text of [value, namespace]) for (let i = 0; i < text.length; i++) take(text.charCodeAt(i))
  return (high >>> 11) * 2 ** 32 + (low >>> 0)
}
