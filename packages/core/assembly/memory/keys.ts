// Keys of memories against the key of a query. Keys lie one after the other: features u32, ascending, and values f32.

/** out[i] = the query · the key of memory picked[i], for `count` memories. */
export function keyScores(
  features: usize, values: usize, starts: usize, sizes: usize, picked: usize, count: u32,
  queryFeatures: usize, queryValues: usize, querySize: u32, out: usize,
): void {
  if (count > 0) readAhead(features, values, starts, picked, count, out)
  for (let i: u32 = 0; i < count; i++) {
    const memory = <usize>load<u32>(picked + (<usize>i << 2)) << 2
    const start = <usize>load<u32>(starts + memory) << 2
    const size = load<u32>(sizes + memory)
    const score = product(features + start, values + start, size, queryFeatures, queryValues, querySize)
    store<f32>(out + (<usize>i << 2), <f32>score)
  }
}

/**
 * Reads where keys begin, and then their first entries, before any is compared: memories lie anywhere, and reads that do not wait
 * for each other are on their way together. The sum goes to `out`, so that reading is not left out as useless.
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
    // Without branches that nobody can foresee.
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
