// Lists of the memories that have a feature: entries of a row (u32) and a value (f32), in any row order. A query adds up its lists into one
// sum per row, feature by feature, so that a row's sum does not depend on other rows.

/** Writes entry `place` of a list. */
export function postingPut(list: usize, place: u32, row: u32, value: f32): void {
  const at = list + (<usize>place << 3)
  store<u32>(at, row)
  store<f32>(at, value, 4)
}

/** Copies the first `count` entries to a larger list. */
export function postingMove(from: usize, to: usize, count: u32): void {
  memory.copy(to, from, <usize>count << 3)
}

/** sums[row] += weight · value, for all entries. */
export function postingAdd(list: usize, count: u32, weight: f32, sums: usize): void {
  const end = list + (<usize>count << 3)
  for (let at = list; at < end; at += 8) {
    const sum = sums + (<usize>load<u32>(at) << 2)
    store<f32>(sum, load<f32>(sum) + weight * load<f32>(at, 4))
  }
}

/** Renumbers the rows of all entries and drops those without a new number (0xffffffff); returns how many are left. */
export function postingRenumber(list: usize, count: u32, numbers: usize): u32 {
  let kept: u32 = 0
  for (let i: u32 = 0; i < count; i++) {
    const at = list + (<usize>i << 3)
    const number = load<u32>(numbers + (<usize>load<u32>(at) << 2))
    if (number == 0xffffffff) continue
    postingPut(list, kept++, number, load<f32>(at, 4))
  }
  return kept
}
