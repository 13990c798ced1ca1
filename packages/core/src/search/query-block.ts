// The block that tells the kernel which queries to answer, how, and where the answers go: 4 bytes a field, in the order of
// Batch in assembly/inverted/search.ts.

import type { Slice, TypedArray } from '../kernels/arena.ts'
import type { SparseKernels } from '../kernels/sets/sparse.ts'
import { type Algorithm, algorithms } from './sparse/layout.ts'

/** Which rows may be returned: one byte a row, 0 where it may not; undefined where all may. */
export type RowMask = Slice<Uint8Array> | undefined

/** The kernels of a way to search: both take the address of what is searched, one answers queries of a block. */
export interface SearchNames {
  readonly search: Extract<keyof SparseKernels, 'invertedSearch' | 'sparseForestSearch'>
  readonly scratchBytes: Extract<keyof SparseKernels, 'invertedScratchBytes' | 'sparseForestBytes'>
}
/** By the lists of an inverted index (its block), and by a forest over its rows (a block of search/sparse-forest/finder.ts). */
export const listNames: SearchNames = { search: 'invertedSearch', scratchBytes: 'invertedScratchBytes' }
export const forestNames: SearchNames = { search: 'sparseForestSearch', scratchBytes: 'sparseForestBytes' }
/** What kernels that count the bytes of scratch need to work with. */
export const countingBytes = 256

export interface QueryBlock {
  /** Queries as compressed rows, in the arena. */
  readonly offsets: Slice<TypedArray>
  readonly indices: Slice<TypedArray>
  readonly values: Slice<TypedArray>
  /** The most features a query has. */
  readonly terms: number
  readonly k: number
  readonly algorithm: Algorithm
  readonly mask: RowMask
  /** Query i is row i of the index, and not its own neighbor. */
  readonly excludeSelf: boolean
  /** [queries × k], [queries × k] and [queries]. */
  readonly rows: Slice<TypedArray>
  readonly similarities: Slice<TypedArray>
  readonly counts: Slice<TypedArray>
}

export const queryBlockFields = 11

export function writeQueryBlock(target: Uint32Array, block: QueryBlock): void {
  target.set([
    ...[block.offsets.pointer, block.indices.pointer, block.values.pointer],
    ...[block.terms, block.k, algorithms.indexOf(block.algorithm)],
    ...[block.mask?.pointer ?? 0, block.excludeSelf ? 1 : 0],
    ...[block.rows.pointer, block.similarities.pointer, block.counts.pointer],
  ])
}
