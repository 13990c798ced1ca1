// Entries added to leaves since they were packed: one chain per leaf, through one growing list of pairs (entry, 1 + the one before).

import type { Arena, Scope, Slice } from '../kernels/arena.ts'
import { GrowingSlice } from '../kernels/growing-slice.ts'
import type { AddedToLeaves } from './repack-leaves.ts'

export class AddedEntries implements AddedToLeaves {
  readonly #arena: Arena
  readonly #discard: (slice: Slice) => void
  readonly #leaves: number
  /** Made for the first entry. */
  #heads: Slice<Uint32Array> | undefined
  #pairs: GrowingSlice<Uint32Array> | undefined
  #count = 0

  /** `discard` frees what batches may still be reading. */
  constructor(arena: Arena, leaves: number, discard: (slice: Slice) => void) {
    this.#arena = arena
    this.#discard = discard
    this.#leaves = leaves
  }

  get count(): number {
    return this.#count
  }

  /** Address of u32 [leaves], 0 if nothing was added. */
  get heads(): number {
    return this.#heads?.pointer ?? 0
  }

  get entries(): number {
    return this.#pairs?.pointer ?? 0
  }

  /** Adds an entry to each of the leaves. */
  addTo(leaves: Uint32Array, entry: number): void {
    this.#heads ??= this.#arena.allocate(Uint32Array, this.#leaves, 'added labels')
    this.#pairs ??= new GrowingSlice(this.#arena, Uint32Array, {
      ...{ length: 1024, what: 'added labels', discard: this.#discard },
    })
    this.#pairs.reserve(2 * (this.#count + leaves.length))
    const [heads, pairs] = [this.#heads.array, this.#pairs.array]
    for (const leaf of leaves) {
      pairs[2 * this.#count] = entry
      pairs[2 * this.#count + 1] = heads[leaf]
      heads[leaf] = ++this.#count
    }
  }

  /** Removes an entry of a leaf: its count becomes 0. */
  drop(leaf: number, entry: number): void {
    const pairs = this.#pairs?.array
    for (let next = this.#heads?.array[leaf] ?? 0; next !== 0 && pairs; next = pairs[2 * next - 1]) {
      if (pairs[2 * next - 2] !== entry) continue
      pairs[2 * next - 2]--
      return
    }
  }

  /** Continues with a copy of the entries. */
  detach(): void {
    const pairs = this.#pairs
    pairs?.replace(pairs.length, copy => copy.set(pairs.array))
  }

  clear(): void {
    this.free()
    this.#heads = undefined
    this.#pairs = undefined
    this.#count = 0
  }

  free(): void {
    if (this.#heads) this.#discard(this.#heads)
    this.#pairs?.free()
  }

  forEach(leaf: number, take: (entry: number) => void): void {
    eachOf(this.#heads?.array, this.#pairs?.array, leaf, take)
  }

  /** As they are now, copied. */
  copy(): AddedToLeaves {
    const [heads, pairs] = [this.#heads?.array.slice(), this.#pairs?.array.slice(0, 2 * this.#count)]
    return { count: this.#count, forEach: (leaf, take) => eachOf(heads, pairs, leaf, take) }
  }

  /** Address of a copy of the heads, which later entries do not change; 0 if nothing was added. */
  copyHeads(scope: Scope): number {
    return this.#heads ? scope.place(this.#heads.array).pointer : 0
  }
}

function eachOf(
  heads: Uint32Array | undefined,
  pairs: Uint32Array | undefined,
  leaf: number,
  take: (entry: number) => void,
): void {
  for (let next = heads?.[leaf] ?? 0; next !== 0 && pairs; next = pairs[2 * next - 1]) take(pairs[2 * next - 2])
}
