// A sparse query on its way through trees whose nodes have sparse directions. Long directions are asked for the query's few
// features, short ones are gone through; both add the same products in the same order as growing did, so that a training row
// reaches the leaf it was grown into, to the last bit.

import { placeOf } from '../trees/rows'
import { Forest } from './forest-block'

@unmanaged
export class SparseQuery {
  /** Ascending features u32 and values f32. */
  indices: usize
  values: usize
  count: u32
  /** The same as f32 [dims], zeros elsewhere. */
  scattered: usize
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

/** Each feature of the query is looked up. */
function lookUp(query: SparseQuery, indices: usize, values: usize, count: u32): f32 {
  let sum: f32 = 0
  let from: u32 = 0
  for (let e: u32 = 0; e < query.count && from < count; e++) {
    const feature = load<u32>(query.indices + (<usize>e << 2))
    from += placeOf(indices + (<usize>from << 2), count - from, feature)
    if (from == count) break
    if (load<u32>(indices + (<usize>from << 2)) != feature) continue
    sum += load<f32>(values + (<usize>from << 2)) * load<f32>(query.values + (<usize>e << 2))
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

// @ts-ignore: decorator
@inline
function isLong(query: SparseQuery, count: u32): bool {
  return query.count * (32 - <u32>clz(count)) < count
}

// @ts-ignore: decorator
@inline
function startOf(forest: Forest, number: u32): u32 {
  return load<u32>(forest.levelOffsets + (<usize>number << 2))
}

/** The product of the query and a direction. */
export function sparseProduct(forest: Forest, number: u32, query: SparseQuery): f32 {
  const from = startOf(forest, number)
  const count = startOf(forest, number + 1) - from
  const indices = forest.levelIndices + (<usize>from << 2)
  const values = forest.levelValues + (<usize>from << 2)
  if (isLong(query, count)) return lookUp(query, indices, values, count)
  return goThrough(query, indices, values, 0, count, 0)
}

/**
 * The products with two directions, as f32 at `out`: one alone waits for each addition, two keep the processor busy (a third
 * less time for 50 trees).
 */
export function sparseProducts(forest: Forest, a: u32, b: u32, query: SparseQuery, out: usize): void {
  const fromA = startOf(forest, a)
  const fromB = startOf(forest, b)
  const countA = startOf(forest, a + 1) - fromA
  const countB = startOf(forest, b + 1) - fromB
  if (isLong(query, countA) || isLong(query, countB)) {
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
