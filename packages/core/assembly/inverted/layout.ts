// The inverted index as the kernels see it: all arrays in the arena, their addresses in one block.
// src/search/inverted-layout.ts writes the block; the order of the fields is the contract between the two.

// @ts-ignore: decorator
@unmanaged
export class Index {
  rows: u32
  features: u32
  /** Rows as they came: offsets [rows + 1]; pairs of a feature (ascending) and its value. */
  rowOffsets: usize
  rowPairs: usize
  /** The same entries by feature: offsets [features + 1]; pairs of a row and its value, in layers of falling value. */
  listOffsets: usize
  layeredPairs: usize
  /** Layers of each feature: first layer [features + 1]; each layer's end among the postings, largest and
   *  smallest value, and what reading it takes off the largest, per posting. */
  layerOffsets: usize
  layerEnds: usize
  layerTops: usize
  layerFloors: usize
  layerGains: usize
  /** Lists with ascending rows, and the largest value of each (wand). Only full similarities are computed: no values. */
  orderedRows: usize
  listTops: usize
  /** Lists sorted by falling value (threshold algorithm). */
  sortedPairs: usize
  /** Lists with the rows of the first part before those of the second (partitioned): where the second begins, its largest value. */
  partPairs: usize
  partRows: usize
  partStarts: usize
  partTops: usize
  /** Rows added since the lists were made: [rows, rows + tailRows), in no list; offsets [tailRows + 1] and pairs of their own. */
  tailRows: u32
  tailOffsets: usize
  tailPairs: usize
  /** Euclidean length of the longest row. */
  maxLength: f32
  /** What computing one row exactly costs, in postings accumulated. */
  rowCost: f32
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
  /** How many rows the mask hides. */
  masked: u32
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
  for (let p = pairs + (<usize>u32At(offsets, i) << 3); p < end; p += 8) {
    sum += f32At(dense, load<u32>(p)) * load<f32>(p, 4)
  }
  return sum
}

/** Writes the query's values into the dense vector, or zeros over them. */
export function spread(request: Request, query: usize, clear: bool): void {
  for (let i: u32 = 0; i < request.count; i++) {
    store<f32>(query + (<usize>u32At(request.indices, i) << 2), clear ? 0 : f32At(request.values, i))
  }
}
