// A sparse query on its way through trees whose nodes have sparse directions. The directions of the upper nodes are long, and
// nearly every query passes some of them: their products are summed up for all trees at once, from lists by feature. Of the others,
// long ones are asked for the query's few features, short ones are gone through. All add the same products in the same order as
// growing did, so that a training row reaches the leaf it was grown into, to the last bit.

import { Forest } from './forest-block'

@unmanaged
export class SparseQuery {
  /** Ascending features u32 and values f32. */
  indices: usize
  values: usize
  count: u32
  /** The same as f32 [dims], zeros elsewhere. */
  scattered: usize
  /** f32 [listed]: the products with the directions that are listed. */
  products: usize
  /** What was read ahead. */
  seen: u32
}

/** The products with all listed directions. */
export function sumListed(forest: Forest, query: SparseQuery): void {
  memory.fill(query.products, 0, <usize>forest.listed << 2)
  for (let e: u32 = 0; e < query.count; e++) {
    const value = load<f32>(query.values + (<usize>e << 2))
    const offsets = forest.listOffsets + (<usize>load<u32>(query.indices + (<usize>e << 2)) << 2)
    const end = forest.listEntries + (<usize>load<u32>(offsets, 4) << 3)
    for (let entry = forest.listEntries + (<usize>load<u32>(offsets) << 3); entry < end; entry += 8) {
      const at = query.products + (<usize>load<u32>(entry) << 2)
      store<f32>(at, load<f32>(at) + load<f32>(entry, 4) * value)
    }
  }
}

export function scatter(query: SparseQuery): void {
  for (let e: u32 = 0; e < query.count; e++) {
    const at = <usize>e << 2
    store<f32>(query.scattered + (<usize>load<u32>(query.indices + at) << 2), load<f32>(query.values + at))
  }
}

/** Zeros again. */
export function unscatter(query: SparseQuery): void {
  for (let e: u32 = 0; e < query.count; e++) {
    store<f32>(query.scattered + (<usize>load<u32>(query.indices + (<usize>e << 2)) << 2), 0)
  }
}

// @ts-ignore: decorator
@inline
function bucketOf(offsets: usize, mask: u32, query: SparseQuery, e: u32): usize {
  return offsets + (<usize>(1 + (load<u32>(query.indices + (<usize>e << 2)) & mask)) << 2)
}

/**
 * Each feature of the query is looked up in its bucket. First all buckets are read, without a decision in between, so that the
 * processor waits for all of them together: long directions do not fit the caches.
 */
function lookUp(forest: Forest, query: SparseQuery, start: u32): f32 {
  const offsets = forest.bucketOffsets + (<usize>start << 2)
  const mask = load<u32>(offsets)
  let seen: u32 = 0
  for (let e: u32 = 0; e < query.count; e++) {
    seen += load<u32>(forest.bucketEntries + (<usize>load<u32>(bucketOf(offsets, mask, query, e)) << 3))
  }
  query.seen = seen
  let sum: f32 = 0
  for (let e: u32 = 0; e < query.count; e++) {
    const feature = load<u32>(query.indices + (<usize>e << 2))
    const bucket = bucketOf(offsets, mask, query, e)
    const end = forest.bucketEntries + (<usize>load<u32>(bucket, 4) << 3)
    for (let entry = forest.bucketEntries + (<usize>load<u32>(bucket) << 3); entry < end; entry += 8) {
      if (load<u32>(entry) != feature) continue
      sum += load<f32>(entry, 4) * load<f32>(query.values + (<usize>e << 2))
      break
    }
  }
  return sum
}

/** Goes on with a sum from entry `e` of a direction. */
// @ts-ignore: decorator
@inline
function goThrough(query: SparseQuery, indices: usize, values: usize, e: u32, count: u32, sum: f32): f32 {
  for (; e < count; e++) sum += termAt(query, indices, values, e)
  return sum
}

// @ts-ignore: decorator
@inline
function termAt(query: SparseQuery, indices: usize, values: usize, e: u32): f32 {
  const at = <usize>e << 2
  return load<f32>(values + at) * load<f32>(query.scattered + (<usize>load<u32>(indices + at) << 2))
}

/** Where a direction's buckets are, if it is long enough for the query to look its features up; else 0. */
// @ts-ignore: decorator
@inline
function bucketsFor(forest: Forest, number: u32, count: u32, query: SparseQuery): u32 {
  return count > 4 * query.count ? load<u32>(forest.bucketStarts + (<usize>number << 2)) : 0
}

// @ts-ignore: decorator
@inline
function startOf(forest: Forest, number: u32): u32 {
  return load<u32>(forest.levelOffsets + (<usize>number << 2))
}

/** The product of the query and a direction. */
export function sparseProduct(forest: Forest, number: u32, query: SparseQuery): f32 {
  if (number < forest.listed) return load<f32>(query.products + (<usize>number << 2))
  const from = startOf(forest, number)
  const count = startOf(forest, number + 1) - from
  const buckets = bucketsFor(forest, number, count, query)
  if (buckets != 0) return lookUp(forest, query, buckets)
  const indices = forest.levelIndices + (<usize>from << 2)
  const values = forest.levelValues + (<usize>from << 2)
  return goThrough(query, indices, values, 0, count, 0)
}

/** The products with two directions, as f32 at `out`: one alone waits for each addition, two keep the processor busy. */
export function sparseProducts(forest: Forest, a: u32, b: u32, query: SparseQuery, out: usize): void {
  const fromA = startOf(forest, a)
  const fromB = startOf(forest, b)
  const countA = startOf(forest, a + 1) - fromA
  const countB = startOf(forest, b + 1) - fromB
  const isListed = min<u32>(a, b) < forest.listed
  const hasBuckets = (bucketsFor(forest, a, countA, query) | bucketsFor(forest, b, countB, query)) != 0
  // These wait for other things than additions.
  if (isListed || hasBuckets) {
    store<f32>(out, sparseProduct(forest, a, query))
    store<f32>(out, sparseProduct(forest, b, query), 4)
    return
  }
  const indicesA = forest.levelIndices + (<usize>fromA << 2)
  const indicesB = forest.levelIndices + (<usize>fromB << 2)
  const valuesA = forest.levelValues + (<usize>fromA << 2)
  const valuesB = forest.levelValues + (<usize>fromB << 2)
  const both = min<u32>(countA, countB)
  let sumA: f32 = 0
  let sumB: f32 = 0
  for (let e: u32 = 0; e < both; e++) {
    sumA += termAt(query, indicesA, valuesA, e)
    sumB += termAt(query, indicesB, valuesB, e)
  }
  store<f32>(out, goThrough(query, indicesA, valuesA, both, countA, sumA))
  store<f32>(out, goThrough(query, indicesB, valuesB, both, countB, sumB), 4)
}
