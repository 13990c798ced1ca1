// A sparse query on its way through trees whose nodes have sparse directions. The directions of the upper nodes are long, and nearly every
// query passes some of them: their products are summed for all trees at once, from lists by feature. Of the others, long ones are looked up
// for the query's few features, short ones are scanned. All add the same products in the same order as growing did, so that a training row
// reaches the very leaf it was grown into. Scales are powers of two: multiplying by them last changes no bit.

import { weightBits } from '../trees/weight-grid'
import { Forest, SparseQuery } from '../blocks/forest'

// @ts-ignore: decorator
@inline
function featureOf(word: u32, bits: u32): u32 {
  return word >> bits
}

/** A weight without its scale. */
// @ts-ignore: decorator
@inline
function multipleOf(word: u32, bits: u32): f32 {
  return <f32>(<i32>(word << (32 - bits)) >> (32 - bits))
}

/** Listed directions, up to a whole number of vectors. */
// @ts-ignore: decorator
@inline
function rowWidth(forest: Forest): usize {
  return (<usize>forest.listed + 7) & ~7
}

/** Room for the products with all listed directions. */
// @ts-ignore: decorator
@inline
export function productBytes(forest: Forest): usize {
  return rowWidth(forest) << 2
}

/** Adds a feature's weights in all listed directions, times its value; weights of zero change nothing. */
function addRow(forest: Forest, products: usize, row: u32, value: f32): void {
  const values = f32x4.splat(value)
  const end = products + productBytes(forest)
  let weights = forest.listRows + ((<usize>row * rowWidth(forest)) << 1)
  for (; products < end; products += 32) {
    const eight = v128.load(weights)
    const low = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(eight))
    const high = f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(eight))
    v128.store(products, f32x4.add(v128.load(products), f32x4.mul(low, values)))
    v128.store(products, f32x4.add(v128.load(products, 16), f32x4.mul(high, values)), 16)
    weights += 16
  }
}

/** The same by the feature's list. */
function addList(forest: Forest, products: usize, feature: u32, value: f32): void {
  const bits = weightBits(forest.dims)
  const offsets = forest.listOffsets + (<usize>feature << 2)
  const end = forest.listWords + (<usize>load<u32>(offsets, 4) << 2)
  for (let entry = forest.listWords + (<usize>load<u32>(offsets) << 2); entry < end; entry += 4) {
    const word = load<u32>(entry)
    const at = products + (<usize>(word >> bits) << 2)
    store<f32>(at, load<f32>(at) + multipleOf(word, bits) * value)
  }
}

/** The products with all listed directions. */
export function sumListed(forest: Forest, query: SparseQuery): void {
  const products = query.products
  memory.fill(products, 0, productBytes(forest))
  for (let e: u32 = 0; e < query.count; e++) {
    const value = load<f32>(query.values + (<usize>e << 2))
    const feature = load<u32>(query.indices + (<usize>e << 2))
    const row = load<u32>(forest.listRowNumbers + (<usize>feature << 2))
    if (row > 0) addRow(forest, products, row - 1, value)
    else addList(forest, products, feature, value)
  }
  const bytes = productBytes(forest)
  for (let at: usize = 0; at < bytes; at += 16) {
    v128.store(products + at, f32x4.mul(v128.load(products + at), v128.load(forest.listScales + at)))
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
function wordsFrom(forest: Forest, place: u32): usize {
  return forest.words + (<usize>place << 2)
}

// @ts-ignore: decorator
@inline
function bucketOf(bounds: usize, mask: u32, query: SparseQuery, e: u32): usize {
  return bounds + (<usize>(1 + (load<u32>(query.indices + (<usize>e << 2)) & mask)) << 2)
}

/**
 * Looks up each feature of the query in its bucket. Reads all buckets first, without branches, so that the cache misses overlap: long
 * directions do not fit the caches.
 */
function lookUp(forest: Forest, query: SparseQuery, start: u32, scale: f32): f32 {
  const bits = weightBits(forest.dims)
  const bounds = forest.bucketBounds + (<usize>start << 2)
  const mask = load<u32>(bounds)
  let seen: u32 = 0
  for (let e: u32 = 0; e < query.count; e++) {
    // Reads the word before: the one after the last is out of bounds.
    seen += load<u32>(wordsFrom(forest, load<u32>(bucketOf(bounds, mask, query, e))) - 4)
  }
  query.seen = seen
  let sum: f32 = 0
  for (let e: u32 = 0; e < query.count; e++) {
    const feature = load<u32>(query.indices + (<usize>e << 2))
    const bucket = bucketOf(bounds, mask, query, e)
    const end = wordsFrom(forest, load<u32>(bucket, 4))
    for (let at = wordsFrom(forest, load<u32>(bucket)); at < end; at += 4) {
      const word = load<u32>(at)
      if (featureOf(word, bits) != feature) continue
      sum += multipleOf(word, bits) * load<f32>(query.values + (<usize>e << 2))
      break
    }
  }
  return sum * scale
}

// @ts-ignore: decorator
@inline
function termAt(query: SparseQuery, at: usize, bits: u32): f32 {
  const word = load<u32>(at)
  return multipleOf(word, bits) * load<f32>(query.scattered + (<usize>featureOf(word, bits) << 2))
}

/** Continues a sum to the end of a direction. */
// @ts-ignore: decorator
@inline
function goThrough(query: SparseQuery, at: usize, end: usize, bits: u32, sum: f32): f32 {
  for (; at < end; at += 4) sum += termAt(query, at, bits)
  return sum
}

/** Where a direction's buckets are; 0 if it has none. */
// @ts-ignore: decorator
@inline
function bucketsOf(forest: Forest, number: u32): u32 {
  return load<u32>(forest.bucketStarts + (<usize>number << 2))
}

// @ts-ignore: decorator
@inline
function startOf(forest: Forest, number: u32): usize {
  return wordsFrom(forest, load<u32>(forest.levelOffsets + (<usize>number << 2)))
}

/** The product of the query and a direction. */
export function sparseProduct(forest: Forest, number: u32, query: SparseQuery): f32 {
  if (number < forest.listed) return load<f32>(query.products + (<usize>number << 2))
  const from = startOf(forest, number)
  const scale = load<f32>(from)
  const buckets = bucketsOf(forest, number)
  if (buckets != 0) return lookUp(forest, query, buckets, scale)
  return goThrough(query, from + 4, startOf(forest, number + 1), weightBits(forest.dims), 0) * scale
}

/** The products with two directions, as f32 at `out`: one alone waits for each addition, two keep the processor busy. */
export function sparseProducts(forest: Forest, a: u32, b: u32, query: SparseQuery, out: usize): void {
  // These are not bound by addition latency.
  if (min<u32>(a, b) < forest.listed || (bucketsOf(forest, a) | bucketsOf(forest, b)) != 0) {
    store<f32>(out, sparseProduct(forest, a, query))
    store<f32>(out, sparseProduct(forest, b, query), 4)
    return
  }
  const bits = weightBits(forest.dims)
  const fromA = startOf(forest, a)
  const fromB = startOf(forest, b)
  const endA = startOf(forest, a + 1)
  const endB = startOf(forest, b + 1)
  const both = min<usize>(endA - fromA, endB - fromB)
  let sumA: f32 = 0
  let sumB: f32 = 0
  let at: usize = 4
  for (; at < both; at += 4) {
    sumA += termAt(query, fromA + at, bits)
    sumB += termAt(query, fromB + at, bits)
  }
  store<f32>(out, goThrough(query, fromA + at, endA, bits, sumA) * load<f32>(fromA))
  store<f32>(out, goThrough(query, fromB + at, endB, bits, sumB) * load<f32>(fromB), 4)
}
