// Sorting short lists of u32 numbers in place.

/** Ascending (Shell's sort). */
export function sortNumbers(numbers: usize, count: u32): void {
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
