// Sorting short lists of u32 numbers in place.

/** Whether they are sorted already: lists of rows that pass a filter are long, and usually sorted. */
function isSorted(numbers: usize, count: u32): bool {
  for (let i: u32 = 1; i < count; i++) {
    if (load<u32>(numbers + (<usize>i << 2)) < load<u32>(numbers + (<usize>(i - 1) << 2))) return false
  }
  return true
}

/** Ascending (Shell's sort). */
export function sortNumbers(numbers: usize, count: u32): void {
  if (isSorted(numbers, count)) return
  let gap: u32 = 1
  while (gap < count / 3) gap = 3 * gap + 1
  for (; gap > 0; gap /= 3) {
    for (let i: u32 = gap; i < count; i++) {
      const held = load<u32>(numbers + (<usize>i << 2))
      let j = i
      for (; j >= gap && load<u32>(numbers + (<usize>(j - gap) << 2)) > held; j -= gap) {
        store<u32>(numbers + (<usize>j << 2), load<u32>(numbers + (<usize>(j - gap) << 2)))
      }
      store<u32>(numbers + (<usize>j << 2), held)
    }
  }
}
