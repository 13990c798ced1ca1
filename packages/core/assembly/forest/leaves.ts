// What the leaves of one tree count: for each leaf its distinct labels, ascending, with how many of its rows have each. An entry
// is one u32, label << countBits | count.

import { sortNumbers } from './sort-numbers'

/** Counts the labels of rows order[from, to) in `counts` (zero before); lists the distinct ones; returns how many. */
function countLabels(
  order: usize, from: u32, to: u32, labelOffsets: usize, labelIndices: usize, counts: usize, seen: usize,
): u32 {
  let different: u32 = 0
  for (let i: u32 = from; i < to; i++) {
    const row = load<u32>(order + (<usize>i << 2))
    const end = load<u32>(labelOffsets + (<usize>row << 2), 4)
    for (let e = load<u32>(labelOffsets + (<usize>row << 2)); e < end; e++) {
      const label = load<u32>(labelIndices + (<usize>e << 2))
      const count = load<u32>(counts + (<usize>label << 2))
      if (count == 0) {
        store<u32>(seen + (<usize>different << 2), label)
        different++
      }
      store<u32>(counts + (<usize>label << 2), count + 1)
    }
  }
  return different
}

/**
 * How many entries each leaf will have, into sizes u32 [leaves]. The scratch is u32 [2 × labels], zeros. Returns the highest
 * count of any label.
 */
export function leafSizes(
  scratch: usize, order: usize, leafStarts: usize, leaves: u32, labelOffsets: usize, labelIndices: usize, labels: u32,
  sizes: usize,
): u32 {
  const seen = scratch + (<usize>labels << 2)
  let highest: u32 = 0
  for (let leaf: u32 = 0; leaf < leaves; leaf++) {
    const from = load<u32>(leafStarts + (<usize>leaf << 2))
    const to = load<u32>(leafStarts + (<usize>leaf << 2), 4)
    const different = countLabels(order, from, to, labelOffsets, labelIndices, scratch, seen)
    for (let i: u32 = 0; i < different; i++) {
      const label = <usize>load<u32>(seen + (<usize>i << 2)) << 2
      highest = max<u32>(highest, load<u32>(scratch + label))
      store<u32>(scratch + label, 0)
    }
    store<u32>(sizes + (<usize>leaf << 2), different)
  }
  return highest
}

/** Writes the entries of all leaves of a tree, leaf by leaf. The scratch is as for leafSizes. */
export function fillLeaves(
  scratch: usize, order: usize, leafStarts: usize, leaves: u32, labelOffsets: usize, labelIndices: usize, labels: u32,
  entries: usize, countBits: u32,
): void {
  const seen = scratch + (<usize>labels << 2)
  for (let leaf: u32 = 0; leaf < leaves; leaf++) {
    const from = load<u32>(leafStarts + (<usize>leaf << 2))
    const to = load<u32>(leafStarts + (<usize>leaf << 2), 4)
    const different = countLabels(order, from, to, labelOffsets, labelIndices, scratch, seen)
    sortNumbers(seen, different)
    for (let i: u32 = 0; i < different; i++) {
      const label = load<u32>(seen + (<usize>i << 2))
      const at = scratch + (<usize>label << 2)
      store<u32>(entries, (label << countBits) | load<u32>(at))
      store<u32>(at, 0)
      entries += 4
    }
  }
}
