// Plain votes: each tree votes at most once for a label, however many of its leaves and rows have it.

import { Forest } from '../blocks/forest'

/** What votes are counted in. Invariant between queries: scores and voted are zero. */
@unmanaged
export class Ballot {
  /** f32 [labels] */
  scores: usize
  /** u32 [labels]: 1 + the last tree that has voted for the label. */
  voted: usize
  /** u32 [labels + 1]: the labels with a vote. */
  listed: usize
  count: u32
  weight: f32
}

// @ts-ignore: decorator
@inline
function voteOnce(ballot: Ballot, label: u32, tree: u32): void {
  const at = <usize>label << 2
  const last = load<u32>(ballot.voted + at)
  if (last == tree + 1) return
  if (last == 0) store<u32>(ballot.listed + (<usize>(ballot.count++) << 2), label)
  store<u32>(ballot.voted + at, tree + 1)
  store<f32>(ballot.scores + at, load<f32>(ballot.scores + at) + ballot.weight)
}

/** The labels of a leaf; those of `own`, ascending, count once less. */
function voteLeaf(forest: Forest, ballot: Ballot, tree: u32, leaf: u32, own: usize, ownCount: u32): void {
  const bits = forest.countBits
  const mask = (1 << bits) - 1
  const at = <usize>leaf << 2
  const end = load<u32>(forest.leafOffsets + at, 4)
  let place: u32 = 0
  for (let e = load<u32>(forest.leafOffsets + at); e < end; e++) {
    const entry = load<u32>(forest.leafEntries + (<usize>e << 2))
    const label = entry >> bits
    while (place < ownCount && load<u32>(own + (<usize>place << 2)) < label) place++
    const carried = place < ownCount && load<u32>(own + (<usize>place << 2)) == label
    if ((entry & mask) > <u32>carried) voteOnce(ballot, label, tree)
  }
  if (forest.addedHeads == 0) return
  let next = load<u32>(forest.addedHeads + at)
  while (next != 0) {
    const pair = forest.addedEntries + (<usize>(next - 1) << 3)
    const entry = load<u32>(pair)
    if ((entry & mask) > 0) voteOnce(ballot, entry >> bits, tree)
    next = load<u32>(pair, 4)
  }
}

/**
 * Votes of all trees, from pairs of a tree and a leaf: each tree's own first, in order, then others. `own` are the labels of a
 * training row that is left out, which is in the trees' own leaves.
 */
export function voteTrees(forest: Forest, ballot: Ballot, pairs: usize, reached: u32, own: usize, ownCount: u32): u32 {
  const trees = forest.trees
  ballot.count = 0
  ballot.weight = <f32>1 / <f32>trees
  for (let tree: u32 = 0; tree < trees; tree++) {
    voteLeaf(forest, ballot, tree, load<u32>(pairs + (<usize>tree << 3), 4), own, ownCount)
    for (let i = trees; i < reached; i++) {
      if (load<u32>(pairs + (<usize>i << 3)) != tree) continue
      voteLeaf(forest, ballot, tree, load<u32>(pairs + (<usize>i << 3), 4), 0, 0)
    }
  }
  for (let i: u32 = 0; i < ballot.count; i++) {
    store<u32>(ballot.voted + (<usize>load<u32>(ballot.listed + (<usize>i << 2)) << 2), 0)
  }
  return ballot.count
}
