// The inverted index as the kernels see it: all arrays in the arena, their addresses in one block.
// src/search/sparse/layout.ts writes the block; the order of the fields is the contract between the two.

// @ts-ignore: decorator
@unmanaged
export class Index {
  rows: u32
  features: u32
  /** Rows as they came: offsets [rows + 1]; pairs of a feature (ascending) and its value. */
  rowOffsets: usize
  rowPairs: usize
  /** The largest value of each feature, f32 [features]. */
  tops: usize
  /** The same entries by feature, but for those in columns: offsets [features + 1]; pairs of a row (ascending) and its value. */
  shortOffsets: usize
  shortPairs: usize
  /** The address of each feature's column, or 0 [features]. A column has a byte a row: 255 times value / top, rounded up. */
  columns: usize
  /** The largest value in each column, f32 [features]. */
  columnTops: usize
  /** Euclidean length of the longest row. */
  maxLength: f32
  /** Rows added since the lists were made: [rows, rows + tailRows), in no list; offsets [tailRows + 1] and pairs of their own. */
  tailRows: u32
  tailOffsets: usize
  tailPairs: usize
  /** For the other algorithms. All entries by feature: offsets [features + 1]; pairs of a row (ascending) and its value. */
  listOffsets: usize
  listPairs: usize
  /** The same, but sorted by falling value (threshold). */
  sortedPairs: usize
  /** The same, but the rows of the first part before those of the second (partitioned): where the second begins, its largest value. */
  partPairs: usize
  partStarts: usize
  partTops: usize
}

/** Everything one search needs. */
// @ts-ignore: decorator
@unmanaged
export class Request {
  indices: usize
  values: usize
  count: u32
  k: u32
  /** One byte a row, 0: not to be returned; or address 0 where all rows may be. */
  mask: usize
}

/** Large similarities are best. */
export const flip: u32 = 0xffffffff

// @ts-ignore: decorator
@inline
export function u32At(array: usize, i: u32): u32 {
  return load<u32>(array + (<usize>i << 2))
}

// @ts-ignore: decorator
@inline
export function f32At(array: usize, i: u32): f32 {
  return load<f32>(array + (<usize>i << 2))
}

// @ts-ignore: decorator
@inline
export function allowed(mask: usize, row: u32): bool {
  return mask == 0 || load<u8>(mask + <usize>row) != 0
}

/** Pairs are 8 bytes: a number and a value. */
// @ts-ignore: decorator
@inline
export function numberOf(pairs: usize, i: u32): u32 {
  return load<u32>(pairs + (<usize>i << 3))
}

// @ts-ignore: decorator
@inline
export function valueOf(pairs: usize, i: u32): f32 {
  return load<f32>(pairs + (<usize>i << 3), 4)
}

/** Similarity of the query to one row, added up in the order of the features: to the last bit what term-at-a-time gives. */
// @ts-ignore: decorator
@inline
export function similarity(index: Index, query: usize, row: u32): f32 {
  return product(index.rowOffsets, index.rowPairs, query, row)
}

/** Row `i` of pairs in compressed rows, times a dense vector. */
// @ts-ignore: decorator
@inline
export function product(offsets: usize, pairs: usize, dense: usize, i: u32): f32 {
  const end = pairs + (<usize>u32At(offsets, i + 1) << 3)
  let sum: f32 = 0
  for (let p = pairs + (<usize>u32At(offsets, i) << 3); p < end; p += 8) sum += term(dense, p)
  return sum
}

/** A pair's value times the dense vector's. */
// @ts-ignore: decorator
@inline
export function term(dense: usize, pair: usize): f32 {
  return f32At(dense, load<u32>(pair)) * load<f32>(pair, 4)
}

/** Writes the query's values into the dense vector, or zeros over them. */
export function spread(request: Request, query: usize, clear: bool): void {
  for (let i: u32 = 0; i < request.count; i++) {
    store<f32>(query + (<usize>u32At(request.indices, i) << 2), clear ? 0 : f32At(request.values, i))
  }
}
