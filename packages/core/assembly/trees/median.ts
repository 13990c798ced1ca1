// The value that splits a node in half, leaving no side empty.

/** Moves the `nth` smallest of values[0, count) to its place, smaller ones before it (Hoare's selection). */
function selectNth(values: usize, count: u32, nth: u32): void {
  let low: i32 = 0
  let high: i32 = <i32>count - 1
  while (low < high) {
    const pivot = load<f32>(values + (<usize>((low + high) >> 1) << 2))
    let i = low
    let j = high
    while (i <= j) {
      while (load<f32>(values + (<usize>i << 2)) < pivot) i++
      while (load<f32>(values + (<usize>j << 2)) > pivot) j--
      if (i > j) break
      const held = load<f32>(values + (<usize>i << 2))
      store<f32>(values + (<usize>i << 2), load<f32>(values + (<usize>j << 2)))
      store<f32>(values + (<usize>j << 2), held)
      i++
      j--
    }
    if (<i32>nth <= j) high = j
    else if (<i32>nth >= i) low = i
    else return
  }
}

/** A number m with low < m ≤ high, in the middle if possible: low goes left, high right. */
export function between(low: f32, high: f32): f32 {
  const middle = low + (high - low) * 0.5
  return middle > low && middle <= high ? middle : high
}

/** Where to split values[0, count), which are reordered: smaller values go left. NaN if all are equal. */
export function medianSplit(values: usize, count: u32): f32 {
  const half = count >> 1
  selectNth(values, count, half)
  const median = load<f32>(values + (<usize>half << 2))
  let below = -f32.MAX_VALUE
  let above = f32.MAX_VALUE
  let anyBelow = false
  let anyAbove = false
  for (let i: u32 = 0; i < count; i++) {
    const value = load<f32>(values + (<usize>i << 2))
    if (value < median) {
      below = max<f32>(below, value)
      anyBelow = true
    } else if (value > median) {
      above = min<f32>(above, value)
      anyAbove = true
    }
  }
  if (anyBelow) return between(below, median)
  return anyAbove ? between(median, above) : f32.NaN
}
