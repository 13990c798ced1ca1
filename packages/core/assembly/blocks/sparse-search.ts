// What InvertedIndex and SparseForestIndex search (src/search/sparse and src/search/sparse-forest fill it).

import { Forest } from './forest'

/** How to search: by lists and columns (ours), or by an algorithm from the literature. */
// @ts-ignore: decorator
@inline
export const columnsAlgorithm: u32 = 0
// @ts-ignore: decorator
@inline
export const taatAlgorithm: u32 = 1
// @ts-ignore: decorator
@inline
export const wandAlgorithm: u32 = 2
// @ts-ignore: decorator
@inline
export const partitionedAlgorithm: u32 = 3
// @ts-ignore: decorator
@inline
export const thresholdAlgorithm: u32 = 4

/** The arrays of an inverted index. */
@unmanaged
export class InvertedLists {
  rows: u32
  features: u32
  /** Rows in insertion order: offsets [rows + 1]; pairs of a feature (ascending) and its value. */
  rowOffsets: usize
  rowPairs: usize
  /** The largest value of each feature, f32 [features]. */
  tops: usize
  /** The same entries by feature, without those in columns: offsets [features + 1]; pairs of a row (ascending) and its value. */
  shortOffsets: usize
  shortPairs: usize
  /** The address of each feature's column, or 0 [features]. A column has one byte per row: 255 · value / top, rounded up. */
  columns: usize
  /** The largest value in each column, f32 [features]. */
  columnTops: usize
  /** Euclidean length of the longest row. */
  maxLength: f32
  /**
   * Rows added after the lists were built: [rows, rows + tailRows). No list has them; they have their own offsets [tailRows + 1] and pairs.
   */
  tailRows: u32
  tailOffsets: usize
  tailPairs: usize
  /** For the other algorithms. All entries by feature: offsets [features + 1]; pairs of a row (ascending) and its value. */
  listOffsets: usize
  listPairs: usize
  /** The same, sorted by descending value (threshold). */
  sortedPairs: usize
  /** The same, with the rows of the first part before those of the second (partitioned): where the second begins, and its largest value. */
  partPairs: usize
  partStarts: usize
  partTops: usize
}

/** Queries, how to search for them, and where the answers go. */
@unmanaged
export class SparseBatch {
  /** Queries as compressed rows: u32 offsets [queries + 1], u32 indices, f32 values. */
  offsets: usize
  indices: usize
  values: usize
  /** The most features a query has. */
  terms: u32
  k: u32
  /** One of the numbers above. */
  algorithm: u32
  /** u8 [rows]; 0 excludes a row. Address 0: no row is excluded. */
  mask: usize
  /** 1: query i is row i of the index and must not find itself. */
  excludeSelf: u32
  /** [queries × k], best first; and the count of each query [queries]. */
  outRows: usize
  outScores: usize
  outCounts: usize
}

/** A forest whose labels are the rows of an inverted index, and how thoroughly to search them. */
@unmanaged
export class Finder {
  forest: Forest
  index: InvertedLists
  /** Trees to search, and extra leaves to visit. */
  trees: u32
  probes: u32
  /** Rows that score above it are candidates; at most this many of the best. */
  threshold: f32
  candidates: u32
  /** If the forest finds fewer neighbors than this, search the lists. */
  wanted: u32
  /** 1: trees route queries scaled to length 1, but products use the original query. */
  scales: u32
}
