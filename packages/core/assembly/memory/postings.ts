// Lists of the memories that have a feature: entries of a row (u32) and a value (f32), one after the other, in any order of rows.
// A query adds its lists up into one sum a row, feature after feature, so that the sum of a row does not depend on the others.

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

/** Gives every entry the new number of its row and drops those whose row has none (0xffffffff); returns how many are left. */
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
