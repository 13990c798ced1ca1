// The block that tells the kernel which queries to answer, how, and where the answers go (assembly/blocks/sparse-search.ts).

import type { Slice } from '../kernels/arena.ts'
import {
  columnsAlgorithm,
  partitionedAlgorithm,
  sparseBatchBlock,
  taatAlgorithm,
  thresholdAlgorithm,
  wandAlgorithm,
} from '../kernels/generated/blocks/sparse-search.ts'
import type { SparseKernels } from '../kernels/sets/sparse.ts'
import type { Algorithm } from './sparse/layout.ts'

/** Which rows may be returned: one byte per row, 0 to exclude it; undefined if all may. */
export type RowMask = Slice<Uint8Array> | undefined

/** The kernels of a way to search: both take the address of what is searched, one answers queries of a block. */
export interface SearchNames {
  readonly search: Extract<keyof SparseKernels, 'invertedSearch' | 'sparseForestSearch'>
  readonly scratchBytes: Extract<keyof SparseKernels, 'invertedScratchBytes' | 'sparseForestBytes'>
}
/** By the lists of an inverted index (its block), and by a forest over its rows (a block of search/sparse-forest/finder.ts). */
export const listNames: SearchNames = { search: 'invertedSearch', scratchBytes: 'invertedScratchBytes' }
export const forestNames: SearchNames = { search: 'sparseForestSearch', scratchBytes: 'sparseForestBytes' }

/** An array in the arena. */
type Placed = Pick<Slice, 'pointer'>

export interface QueryBlock {
  /** Queries as compressed rows, in the arena. */
  readonly offsets: Placed
  readonly indices: Placed
  readonly values: Placed
  /** The most features a query has. */
  readonly terms: number
  readonly k: number
  readonly algorithm: Algorithm
  readonly mask: RowMask
  /** Query i is row i of the index, and not its own neighbor. */
  readonly excludeSelf: boolean
  /** [queries × k], [queries × k] and [queries]. */
  readonly rows: Placed
  readonly similarities: Placed
  readonly counts: Placed
}

const algorithmNumbers: Readonly<Record<Algorithm, number>> = {
  auto: columnsAlgorithm,
  taat: taatAlgorithm,
  wand: wandAlgorithm,
  partitioned: partitionedAlgorithm,
  threshold: thresholdAlgorithm,
}

export function writeQueryBlock(words: Uint32Array, block: QueryBlock): void {
  sparseBatchBlock.write(words, {
    offsets: block.offsets.pointer,
    indices: block.indices.pointer,
    values: block.values.pointer,
    terms: block.terms,
    k: block.k,
    algorithm: algorithmNumbers[block.algorithm],
    mask: block.mask?.pointer ?? 0,
    excludeSelf: block.excludeSelf ? 1 : 0,
    outRows: block.rows.pointer,
    outScores: block.similarities.pointer,
    outCounts: block.counts.pointer,
  })
}
