// Where one key at a time is compared with memories: room in the arena for the key, its weighted values, the memories it meets
// and what comes out.

import type { Engine } from '../../kernels/engine.ts'
import { GrowingSlice } from '../../kernels/growing-slice.ts'
import { type MemoryKernels, memoryKernels } from '../../kernels/sets/memory.ts'
import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import { partCount, partKey, weighParts, withParts } from '../learning/key-parts.ts'
import type { KeyAt } from '../learning/linear-model.ts'
import type { Scorer } from '../learning/scorer.ts'
import type { KeyReader } from '../memory-key.ts'
import { KeyBuffer } from '../table/key-buffer.ts'
import type { KeyStore } from '../table/key-store.ts'

export class MemoryQueryBuffers {
  readonly #kernels: MemoryKernels
  readonly #keys: KeyStore
  readonly #reader: Pick<KeyReader, 'shape'>
  readonly #asked: KeyBuffer
  /** What the key shares with a memory. */
  readonly #shared: KeyBuffer
  /** The key's features together with a value. */
  readonly #crossed: KeyBuffer
  readonly #parts: KeyBuffer
  readonly #weighted: GrowingSlice<Float32Array>
  readonly #picked: GrowingSlice<Uint32Array>
  readonly #sums: GrowingSlice<Float32Array>
  readonly #partRoom: GrowingSlice<Float32Array>

  constructor(engine: Engine, keys: KeyStore, reader: Pick<KeyReader, 'shape'>) {
    const { arena } = engine
    this.#kernels = engine.exactKernels(memoryKernels)
    this.#keys = keys
    this.#reader = reader
    this.#asked = new KeyBuffer(arena)
    this.#shared = new KeyBuffer(arena)
    this.#crossed = new KeyBuffer(arena)
    this.#parts = new KeyBuffer(arena)
    this.#weighted = new GrowingSlice(arena, Float32Array)
    this.#picked = new GrowingSlice(arena, Uint32Array)
    this.#sums = new GrowingSlice(arena, Float32Array)
    this.#partRoom = new GrowingSlice(arena, Float32Array)
    this.#partRoom.reserve(partCount)
  }

  /** Lays a key on the buffers; it stays until the next one comes. */
  lay(row: SparseRow): KeyAt {
    this.#shared.reserve(row.indices.length + partCount)
    this.#weighted.reserve(row.indices.length)
    return this.#asked.lay(row)
  }

  /** Lays the key's features together with a value beside it. */
  cross(row: SparseRow): KeyAt {
    return this.#crossed.lay(row)
  }

  /** The sums of the key with the memories in `slots`, as the scorer ranks now. */
  sums(slots: readonly number[], scorer: Scorer): Float32Array {
    return scorer.isTrusted ? this.learnedSums(slots, scorer) : this.plainSums(slots)
  }

  /** The sums with all that was learned. */
  learnedSums(slots: readonly number[], scorer: Scorer): Float32Array {
    return this.#products(slots, this.#weigh(scorer), this.#isPivoted)
  }

  /** The sums as they were before anything was learned. */
  plainSums(slots: readonly number[]): Float32Array {
    return this.#products(slots, this.#weigh(), this.#isPivoted)
  }

  /** The values of the key times the scorer's weights, as it ranks now. */
  weighted(scorer: Scorer): Float32Array {
    this.#weigh(scorer.isTrusted ? scorer : undefined, true)
    return this.#weighted.array.slice(0, this.#asked.at.count)
  }

  /** The same before anything was learned. */
  plain(): Float32Array {
    this.#weigh(undefined, true)
    return this.#weighted.array.slice(0, this.#asked.at.count)
  }

  /** By how much the products with a memory count more for its length. */
  pivotOf(slot: number): number {
    const { pivotOf } = this.#kernels
    return this.#isPivoted ? pivotOf(this.#keys.at(slot).count) / pivotOf(this.#asked.at.count) : 1
  }

  /** The cosines of the key with the memories in `slots`. */
  cosines(slots: readonly number[]): Float32Array {
    return this.#products(slots, this.#weigh(), false)
  }

  /** The features that the key shares with a memory, and the products of their values. */
  shared(slot: number): KeyAt {
    const [a, b, out] = [this.#keys.at(slot), this.#asked.at, this.#shared.at]
    const { keyProducts } = this.#kernels
    const count = keyProducts(a.features, a.values, a.count, b.features, b.values, b.count, out.features, out.values)
    return this.#isHybrid ? withParts(this.#shared, count) : { ...out, count }
  }

  free(): void {
    for (const part of [
      this.#asked,
      this.#shared,
      this.#crossed,
      this.#parts,
      this.#weighted,
      this.#picked,
      this.#sums,
      this.#partRoom,
    ])
      part.free()
  }

  /** Keys that have all numbers of a vector have one length, or nearly. */
  get #isPivoted(): boolean {
    return this.#reader.shape?.kind !== 'dense' && !this.#isHybrid
  }

  get #isHybrid(): boolean {
    return this.#reader.shape?.kind === 'hybrid'
  }

  /** Where the key's values are, with the weights of a scorer or plain. Of a hybrid key each part counts for half, and what was learned. */
  #weigh(scorer?: Scorer, always = false): number {
    const { asked, weighted } = { asked: this.#asked.at, weighted: this.#weighted }
    if (scorer) scorer.weigh(asked, weighted.pointer)
    else if (!this.#isHybrid && !always) return asked.values
    else weighted.array.set(this.#asked.row().values)
    if (this.#isHybrid) weighParts(this.#asked.row(), weighted.array, scorer ? this.#partWeights(scorer) : [0, 0])
    return weighted.pointer
  }

  #partWeights(scorer: Scorer): readonly number[] {
    const parts = this.#parts.lay(partKey)
    scorer.weigh(parts, this.#partRoom.pointer)
    return Array.from(this.#partRoom.array.subarray(0, partCount), weight => weight - 1)
  }

  #products(slots: readonly number[], queryValues: number, pivoted: boolean): Float32Array {
    this.#picked.reserve(slots.length)
    this.#sums.reserve(slots.length)
    this.#picked.array.set(slots)
    const { features, values, starts, sizes } = this.#keys
    const asked = this.#asked.at
    this.#kernels.keyScores(
      ...([features.pointer, values.pointer, starts.pointer, sizes.pointer] as const),
      ...([this.#picked.pointer, slots.length] as const),
      ...([asked.features, queryValues, asked.count] as const),
      ...([this.#reader.shape?.dims ?? 0, pivoted, this.#sums.pointer] as const),
    )
    return this.#sums.array.slice(0, slots.length)
  }
}
