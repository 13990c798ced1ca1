// The memory of the key indexes, and the scratch space they share.

import { EngineError } from '../../errors.ts'
import type { Arena, Slice } from '../../kernels/arena.ts'
import type { Engine } from '../../kernels/engine.ts'
import { GrowingSlice } from '../../kernels/growing-slice.ts'
import { type MemoryKernels, memoryKernels } from '../../kernels/sets/memory.ts'
import { KeyPostingPool } from './posting-pool.ts'

/** Where kernels put the best rows. */
interface BestRoom {
  readonly heap: GrowingSlice<Float64Array>
  readonly rows: GrowingSlice<Uint32Array>
  readonly scores: GrowingSlice<Float32Array>
}

export class IndexPlace {
  readonly engine: Engine
  readonly arena: Arena
  readonly kernels: MemoryKernels
  readonly pool: KeyPostingPool
  /** By row of the index being searched. */
  readonly sums: GrowingSlice<Float32Array>
  readonly #vector: GrowingSlice<Float32Array>
  readonly #picked: GrowingSlice<Uint32Array>
  readonly #best: BestRoom

  constructor(engine: Engine) {
    const { arena } = engine
    this.engine = engine
    this.arena = arena
    this.kernels = engine.exactKernels(memoryKernels)
    this.pool = new KeyPostingPool(arena)
    this.sums = new GrowingSlice(arena, Float32Array)
    this.#vector = new GrowingSlice(arena, Float32Array)
    this.#picked = new GrowingSlice(arena, Uint32Array)
    this.#best = {
      heap: new GrowingSlice(arena, Float64Array),
      rows: new GrowingSlice(arena, Uint32Array),
      scores: new GrowingSlice(arena, Float32Array),
    }
  }

  /** Room for the k best rows. */
  roomFor(k: number): BestRoom {
    for (const part of Object.values(this.#best)) part.reserve(k)
    return this.#best
  }

  /** The vector of a query. */
  vectorRoom(vector: Float32Array): GrowingSlice<Float32Array> {
    this.#vector.reserve(vector.length)
    this.#vector.array.set(vector)
    return this.#vector
  }

  /** Slots by row; −1 becomes 0xffffffff. */
  pickedRoom(slots: readonly number[]): GrowingSlice<Uint32Array> {
    this.#picked.reserve(slots.length)
    this.#picked.array.set(slots)
    return this.#picked
  }

  /** Room for one number per row; undefined if memory is short, because a removal must not fail for that. */
  numbersFor(rows: number): Slice<Uint32Array> | undefined {
    try {
      return this.arena.allocate(Uint32Array, rows, 'renumbering a memory')
    } catch (error) {
      if (error instanceof EngineError && error.code === 'OUT_OF_MEMORY') return undefined
      throw error
    }
  }

  free(): void {
    this.pool.free()
    for (const part of [this.sums, this.#vector, this.#picked, ...Object.values(this.#best)]) part.free()
  }
}
