// What all ways to search an inverted index share: the request, rows as pairs, and their products with a query.

import { InvertedLists } from '../blocks/sparse-search'

/** Everything one search needs. */
// @ts-ignore: decorator
@unmanaged
export class Request {
  indices: usize
  values: usize
  count: u32
  k: u32
  /** u8 [rows]; 0 excludes a row. Address 0: no row is excluded. */
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

/** Similarity of the query to one row, summed in feature order: bit-identical to term-at-a-time. */
// @ts-ignore: decorator
@inline
export function similarity(index: InvertedLists, query: usize, row: u32): f32 {
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

/** Writes the query's values into the dense vector, or clears them. */
export function spread(request: Request, query: usize, clear: bool): void {
  for (let i: u32 = 0; i < request.count; i++) {
    store<f32>(query + (<usize>u32At(request.indices, i) << 2), clear ? 0 : f32At(request.values, i))
  }
}
