// Scores of labels from the leaves reached (paper 000, formulas 4–9): the mean over the trees of each label's proportion among
// the rows of the tree's leaf, or leaves. The naive classifiers use plain votes instead: 1 per tree.

import { Forest } from '../blocks/forest'

/** Adds one entry to the scores; lists a label that had none. Returns how many are listed. */
// @ts-ignore: decorator
@inline
function addEntry(entry: u32, bits: u32, weight: f32, plain: bool, scores: usize, listed: usize, count: u32): u32 {
  const label = entry >> bits
  const at = scores + (<usize>label << 2)
  const before = load<f32>(at)
  const times = entry & ((1 << bits) - 1)
  // All rows of this label were removed.
  const share = plain ? (times > 0 ? weight : 0) : weight * <f32>times
  store<f32>(at, before + share)
  store<u32>(listed + (<usize>count << 2), label)
  return count + <u32>(before == 0 && times > 0)
}

/** Adds all entries of a leaf. */
// @ts-ignore: decorator
@inline
function addLeaf(forest: Forest, leaf: u32, weight: f32, plain: bool, scores: usize, listed: usize, count: u32): u32 {
  const bits = forest.countBits
  const offsets = forest.leafOffsets + (<usize>leaf << 2)
  let at = forest.leafEntries + (<usize>load<u32>(offsets) << 2)
  const end = forest.leafEntries + (<usize>load<u32>(offsets, 4) << 2)
  for (; at < end; at += 4) count = addEntry(load<u32>(at), bits, weight, plain, scores, listed, count)
  const heads = forest.addedHeads
  if (heads == 0) return count
  let next = load<u32>(heads + (<usize>leaf << 2))
  while (next != 0) {
    const pair = forest.addedEntries + (<usize>(next - 1) << 3)
    count = addEntry(load<u32>(pair), bits, weight, plain, scores, listed, count)
    next = load<u32>(pair, 4)
  }
  return count
}

/**
 * Prefetches the leaves' entries with independent reads, so that cache misses overlap. `step` is the stride of leaf numbers. The result
 * goes to `listed`, which is overwritten next.
 */
// @ts-ignore: decorator
@inline
function readAhead(forest: Forest, leaves: usize, count: u32, step: usize, listed: usize): void {
  let sum: u32 = 0
  for (let i: u32 = 0; i < count; i++) {
    const leaf = <usize>load<u32>(leaves + <usize>i * step) << 2
    const from = forest.leafEntries + (<usize>load<u32>(forest.leafOffsets + leaf) << 2)
    const to = forest.leafEntries + (<usize>load<u32>(forest.leafOffsets + leaf, 4) << 2)
    sum += load<u32>(forest.leafRows + leaf)
    for (let at = from; at < to; at += 64) sum += load<u32>(at)
  }
  store<u32>(listed, sum)
}

/** Scores from one leaf per tree: f32 [labels] at `scores`, zero before; lists the labels that have one, u32. */
export function voteLeaves(forest: Forest, leaves: usize, trees: u32, scores: usize, listed: usize): u32 {
  const plain = forest.plainVotes != 0
  readAhead(forest, leaves, trees, 4, listed)
  let count: u32 = 0
  for (let tree: u32 = 0; tree < trees; tree++) {
    const leaf = load<u32>(leaves + (<usize>tree << 2))
    const rows = plain ? 1 : max<u32>(1, load<u32>(forest.leafRows + (<usize>leaf << 2)))
    count = addLeaf(forest, leaf, <f32>1 / (<f32>rows * <f32>trees), plain, scores, listed, count)
  }
  return count
}

/** Rows of the leaves that were reached in each tree: u32 [trees] at `sizes`. */
function sumSizes(forest: Forest, probes: usize, found: u32, trees: u32, sizes: usize): void {
  memory.fill(sizes, 0, <usize>trees << 2)
  for (let i: u32 = 0; i < found; i++) {
    const tree = <usize>load<u32>(probes + (<usize>i << 3)) << 2
    const leaf = load<u32>(probes + (<usize>i << 3), 4)
    store<u32>(sizes + tree, load<u32>(sizes + tree) + load<u32>(forest.leafRows + (<usize>leaf << 2)))
  }
}

/** The same from several leaves per tree, merged into one: `sizes` is room for u32 [trees]. */
export function voteProbes(
  forest: Forest, probes: usize, found: u32, trees: u32, sizes: usize, scores: usize, listed: usize,
): u32 {
  const plain = forest.plainVotes != 0
  sumSizes(forest, probes, found, trees, sizes)
  readAhead(forest, probes + 4, found, 8, listed)
  let count: u32 = 0
  for (let i: u32 = 0; i < found; i++) {
    const tree = <usize>load<u32>(probes + (<usize>i << 3)) << 2
    const leaf = load<u32>(probes + (<usize>i << 3), 4)
    const rows = plain ? 1 : max<u32>(1, load<u32>(sizes + tree))
    count = addLeaf(forest, leaf, <f32>1 / (<f32>rows * <f32>trees), plain, scores, listed, count)
  }
  return count
}

/**
 * The same for a training row, leaving it out: it is in each tree's first leaf, and `labels` are its own, ascending. Nothing may have been
 * added to the leaves.
 */
export function voteProbesWithout(
  forest: Forest, probes: usize, found: u32, trees: u32, sizes: usize, labels: usize, labelCount: u32, scores: usize,
  listed: usize,
): u32 {
  const bits = forest.countBits
  sumSizes(forest, probes, found, trees, sizes)
  let count: u32 = 0
  for (let i: u32 = 0; i < found; i++) {
    const tree = load<u32>(probes + (<usize>i << 3))
    const leaf = <usize>load<u32>(probes + (<usize>i << 3), 4) << 2
    const others = load<u32>(sizes + (<usize>tree << 2)) - 1
    if (others == 0) continue
    const weight = <f32>1 / (<f32>others * <f32>trees)
    const end = load<u32>(forest.leafOffsets + leaf, 4)
    let place: u32 = 0
    for (let e = load<u32>(forest.leafOffsets + leaf); e < end; e++) {
      const entry = load<u32>(forest.leafEntries + (<usize>e << 2))
      while (place < labelCount && load<u32>(labels + (<usize>place << 2)) < entry >> bits) place++
      const carried = i < trees && place < labelCount && load<u32>(labels + (<usize>place << 2)) == entry >> bits
      count = addEntry(entry - <u32>carried, bits, weight, false, scores, listed, count)
    }
  }
  return count
}
