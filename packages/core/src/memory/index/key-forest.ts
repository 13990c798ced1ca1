// Finds dense keys by a forest, once there are so many that comparing them all takes long. It is grown in the background and never stored.
// Keys have serial numbers, in the order they came. What it finds is approximate, and when it takes over depends on the clock: so
// only plain queries ask it, and nothing that changes a memory does (docs/decisions.md).

import { ForestGrower, type GrowerSettings, tidily } from '../../growing/forest-grower.ts'
import type { Engine } from '../../kernels/engine.ts'
import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import { ForestIndex } from '../../search/forest/forest-index.ts'

/** The keys that it is grown of. */
export interface ForestKeys {
  readonly count: number
  readonly dims: number
  serials(): number[]
  /** Undefined if the memory was removed. */
  row(serial: number): SparseRow | undefined
}

/** Comparing this many numbers takes about a millisecond. */
const payingNumbers = 2 ** 22
const settings: GrowerSettings = {
  metric: 'cosine',
  forestFrom: undefined,
  payingNumbers,
  forest: { targetRecall: 0.98 },
}
/** For more neighbors than this, all keys are compared. */
const mostNeighbors = 1024
export class KeyForest {
  readonly #grower: ForestGrower
  readonly #dims: number
  #forest: ForestIndex | undefined

  constructor(engine: Engine, keys: ForestKeys) {
    const forest = () => this.#forest
    this.#dims = keys.dims
    this.#grower = new ForestGrower(engine, settings, {
      get rows() {
        return keys.count
      },
      dims: keys.dims,
      get hasForest() {
        return forest() !== undefined
      },
      keys: () => keys.serials(),
      vector: serial => {
        const row = keys.row(serial)
        return row && vectorOf(row, keys.dims)
      },
      get holes() {
        const { rows = 0, rowNumbers = 0 } = forest() ?? {}
        return rowNumbers - rows
      },
      takeIndex: built => {
        this.#forest?.free()
        this.#forest = built instanceof ForestIndex ? built : undefined
        if (!this.#forest) built.free() // too few are left: they are compared without it
      },
      compact: () => this.#forest?.compact(),
    })
  }

  /** How many forests were grown. */
  get builds(): number {
    return this.#grower.builds
  }

  /** Whether it can be asked for the best `k`. */
  answers(k: number): boolean {
    return this.#forest !== undefined && k <= mostNeighbors
  }

  /** If memory runs out, nothing changes. */
  add(serial: number, row: SparseRow): void {
    this.#forest?.add(vectorOf(row, this.#dims), serial)
  }

  /** After `add`, when the key is there. */
  added(serial: number): void {
    this.#grower.added(serial)
  }

  /** Before the key is gone. */
  remove(serial: number): void {
    this.#grower.removed(serial)
    tidily(() => this.#forest?.remove(serial))
  }

  /** After `remove`, when the key is gone. */
  removed(): void {
    this.#grower.rebuildIfWorn()
  }

  /** The serials of about the best k. */
  best(query: SparseRow, k: number): number[] {
    return (this.#forest?.search(vectorOf(query, this.#dims), { k }) ?? []).map(({ id }) => id as number) // serials are numbers
  }

  settled(): Promise<void> {
    return this.#grower.settled()
  }

  free(): void {
    this.#grower.stop()
    this.#forest?.free()
    this.#forest = undefined
  }
}

/** A key has no entries for its zeros. */
function vectorOf({ indices, values }: SparseRow, dims: number): Float32Array {
  const vector = new Float32Array(dims)
  for (let e = 0; e < indices.length; e++) vector[indices[e]] = values[e]
  return vector
}
