// Radix sort for the keys of top-k.ts, which arrive in row order: 8 bits of the score at a time, lowest first. Stable, so equal scores stay
// in row order.

import { keyAt, setKey } from '../top-k'

/** Up to this many: insertion sort. */
const few: u32 = 32

function sortFew(keys: usize, size: u32): void {
  for (let i: u32 = 1; i < size; i++) {
    const key = keyAt(keys, i)
    let slot = i
    for (; slot > 0 && keyAt(keys, slot - 1) > key; slot--) setKey(keys, slot, keyAt(keys, slot - 1))
    setKey(keys, slot, key)
  }
}

// @ts-ignore: decorator
@inline
function placeOf(counts: usize, key: u64, digit: u32): usize {
  return counts + (<usize>digit << 10) + ((<usize>(key >> (32 + (digit << 3))) & 255) << 2)
}

/** Counts all four digits in one pass: u32 [4 × 256]. */
function countDigits(keys: usize, size: u32, counts: usize): void {
  for (let i: u32 = 0; i < size; i++) {
    const key = keyAt(keys, i)
    for (let digit: u32 = 0; digit < 4; digit++) {
      const place = placeOf(counts, key, digit)
      store<u32>(place, load<u32>(place) + 1)
    }
  }
}

/** Moves the keys to their digit's bucket; stable. */
function moveByDigit(from: usize, to: usize, size: u32, counts: usize, digit: u32): void {
  let start: u32 = 0
  for (let value: usize = 0; value < 256; value++) {
    const place = counts + (<usize>digit << 10) + (value << 2)
    const count = load<u32>(place)
    store<u32>(place, start)
    start += count
  }
  for (let i: u32 = 0; i < size; i++) {
    const key = keyAt(from, i)
    const place = placeOf(counts, key, digit)
    const slot = load<u32>(place)
    store<u32>(place, slot + 1)
    setKey(to, slot, key)
  }
}

/** Returns where the sorted keys are: `keys`, or `spare` of the same size. `counts` [1024] is zero before and after. */
export function sortKeys(keys: usize, spare: usize, counts: usize, size: u32): usize {
  if (size <= few) {
    sortFew(keys, size)
    return keys
  }
  countDigits(keys, size, counts)
  for (let digit: u32 = 0; digit < 4; digit++) {
    // Often all keys share a digit.
    if (load<u32>(placeOf(counts, keyAt(keys, 0), digit)) == size) continue
    moveByDigit(keys, spare, size, counts, digit)
    const sorted = spare
    spare = keys
    keys = sorted
  }
  memory.fill(counts, 0, 4096)
  return keys
}
