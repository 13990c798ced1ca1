// Compares the keys of memories with the key of a query. Keys are stored one after another: features u32, ascending, and values f32.

import { sumLanes } from '../lanes'

/**
 * out[i] = the query · the key of memory picked[i], for `count` memories. If query and key both have `dims` features, they have the same
 * ones and need no merging. With `pivoted`, products of longer keys count a little more: see `pivotOf`.
 */
export function keyScores(
  features: usize, values: usize, starts: usize, sizes: usize, picked: usize, count: u32,
  queryFeatures: usize, queryValues: usize, querySize: u32, dims: u32, pivoted: bool, out: usize,
): void {
  if (count > 0) readAhead(features, values, starts, picked, count, out)
  const whole = dims > 0 && querySize == dims
  const pivot = pivoted ? 1 / pivotOf(querySize) : 1
  for (let i: u32 = 0; i < count; i++) {
    const memory = <usize>load<u32>(picked + (<usize>i << 2)) << 2
    const start = <usize>load<u32>(starts + memory) << 2
    const size = load<u32>(sizes + memory)
    const score = whole && size == dims
      ? denseProduct(values + start, queryValues, dims)
      : product(features + start, values + start, size, queryFeatures, queryValues, querySize)
    store<f32>(out + (<usize>i << 2), <f32>(pivoted ? score * (pivotOf(size) * pivot) : score))
  }
}

/**
 * sums[i] += the last `dims` values of the key of memory picked[i] · the query: the vectors of hybrid keys. Memories that are gone have
 * the number 0xffffffff.
 */
export function keyVectorSums(
  values: usize, starts: usize, sizes: usize, picked: usize, count: u32, query: usize, dims: u32, sums: usize,
): void {
  for (let i: u32 = 0; i < count; i++) {
    const memory = load<u32>(picked + (<usize>i << 2))
    if (memory == 0xffffffff) continue
    const at = <usize>memory << 2
    const start = <usize>(load<u32>(starts + at) + load<u32>(sizes + at) - dims) << 2
    const sum = sums + (<usize>i << 2)
    store<f32>(sum, load<f32>(sum) + <f32>denseProduct(values + start, query, dims))
  }
}

/**
 * The sixteenth root of a key's size: pivoted length normalization. Scaled to length 1, a short key that shares half of the query's words
 * passes a long one that shares all of them; this takes an eighth of that scaling back. The root was chosen on other titles than those
 * that bench/memory-finding.ts reports on.
 */
export function pivotOf(size: u32): f64 {
  return Math.sqrt(Math.sqrt(Math.sqrt(Math.sqrt(<f64>size))))
}

/** The product of two keys that have all features; sums run in lanes. */
function denseProduct(a: usize, b: usize, dims: u32): f64 {
  let x = f32x4.splat(0)
  let y = f32x4.splat(0)
  let j: u32 = 0
  for (const blocks = dims & ~7; j < blocks; j += 8) {
    const at = <usize>j << 2
    x = f32x4.add(x, f32x4.mul(v128.load(a + at), v128.load(b + at)))
    y = f32x4.add(y, f32x4.mul(v128.load(a + at, 16), v128.load(b + at, 16)))
  }
  let sum = <f64>sumLanes(f32x4.add(x, y))
  for (; j < dims; j++) sum += <f64>load<f32>(a + (<usize>j << 2)) * <f64>load<f32>(b + (<usize>j << 2))
  return sum
}

/**
 * Prefetches the offsets of keys, then their first entries, before comparing any: memories are scattered, and independent reads overlap.
 * The sum goes to `out`, so that the compiler does not remove the reads.
 */
function readAhead(features: usize, values: usize, starts: usize, picked: usize, count: u32, out: usize): void {
  let sum: u32 = 0
  for (let i: u32 = 0; i < count; i++) {
    sum += load<u32>(starts + (<usize>load<u32>(picked + (<usize>i << 2)) << 2))
  }
  for (let i: u32 = 0; i < count; i++) {
    const start = <usize>load<u32>(starts + (<usize>load<u32>(picked + (<usize>i << 2)) << 2)) << 2
    sum += load<u32>(features + start) + load<u32>(values + start)
  }
  store<u32>(out, sum)
}

function product(features: usize, values: usize, size: u32, others: usize, weights: usize, otherSize: u32): f64 {
  let sum: f64 = 0
  let i: u32 = 0
  let j: u32 = 0
  while (i < size && j < otherSize) {
    const a = load<u32>(features + (<usize>i << 2))
    const b = load<u32>(others + (<usize>j << 2))
    if (a == b) {
      sum += <f64>load<f32>(values + (<usize>i << 2)) * <f64>load<f32>(weights + (<usize>j << 2))
    }
    // Branch-free: the branches would be unpredictable.
    i += <u32>(a <= b)
    j += <u32>(b <= a)
  }
  return sum
}

/** The features two keys share, and the products of their values; returns how many. */
export function keyProducts(
  features: usize, values: usize, size: u32, others: usize, weights: usize, otherSize: u32,
  outFeatures: usize, outValues: usize,
): u32 {
  let i: u32 = 0
  let j: u32 = 0
  let count: u32 = 0
  while (i < size && j < otherSize) {
    const a = load<u32>(features + (<usize>i << 2))
    const b = load<u32>(others + (<usize>j << 2))
    if (a == b) {
      store<u32>(outFeatures + (<usize>count << 2), a)
      store<f32>(outValues + (<usize>count << 2), load<f32>(values + (<usize>i << 2)) * load<f32>(weights + (<usize>j << 2)))
      count++
    }
    i += <u32>(a <= b)
    j += <u32>(b <= a)
  }
  return count
}
