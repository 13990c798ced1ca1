// A forest as a block of u32 fields (src/forest/forest-block.ts writes it): its trees' nodes one after the other, and the leaves of
// all trees, numbered through, with what they count.

/** Splits compare an axis of the view. */
// @ts-ignore: decorator
@inline
export const axisSplits: u32 = 0
/** Splits compare one of the tree's shared directions, one a level. */
// @ts-ignore: decorator
@inline
export const levelSplits: u32 = 1
/** Splits compare a direction of the node's own. */
// @ts-ignore: decorator
@inline
export const nodeSplits: u32 = 2

// @ts-ignore: decorator
@inline
export function splitKind(forest: usize): u32 {
  return load<u32>(forest)
}
/** Number of dimensions of what is routed. */
// @ts-ignore: decorator
@inline
export function forestDims(forest: usize): u32 {
  return load<u32>(forest, 4)
}
// @ts-ignore: decorator
@inline
export function treeCount(forest: usize): u32 {
  return load<u32>(forest, 8)
}
/** The nodes of one tree; their leaf numbers run through all trees. */
// @ts-ignore: decorator
@inline
export function nodesOf(forest: usize, tree: u32): usize {
  const first = load<u32>(<usize>load<u32>(forest, 16) + (<usize>tree << 2))
  return <usize>load<u32>(forest, 12) + <usize>first * 12
}
/** Shared directions as CSR, row tree · levels + level. */
// @ts-ignore: decorator
@inline
export function levels(forest: usize): u32 {
  return load<u32>(forest, 20)
}
// @ts-ignore: decorator
@inline
export function levelOffsets(forest: usize): usize {
  return load<u32>(forest, 24)
}
// @ts-ignore: decorator
@inline
export function levelIndices(forest: usize): usize {
  return load<u32>(forest, 28)
}
// @ts-ignore: decorator
@inline
export function levelValues(forest: usize): usize {
  return load<u32>(forest, 32)
}
/** Directions of the nodes' own: f32 [dims] each, at the number in the place of the axis. */
// @ts-ignore: decorator
@inline
export function nodeDirection(forest: usize, number: u32): usize {
  return <usize>load<u32>(forest, 36) + ((<usize>number * <usize>forestDims(forest)) << 2)
}
/** u32 [leaves + 1]: where each leaf's entries begin. */
// @ts-ignore: decorator
@inline
export function leafOffsets(forest: usize): usize {
  return load<u32>(forest, 40)
}
// @ts-ignore: decorator
@inline
export function leafEntries(forest: usize): usize {
  return load<u32>(forest, 44)
}
/** u32 [leaves]: training rows in each leaf. */
// @ts-ignore: decorator
@inline
export function leafRows(forest: usize): usize {
  return load<u32>(forest, 48)
}
// @ts-ignore: decorator
@inline
export function countBits(forest: usize): u32 {
  return load<u32>(forest, 52)
}
// @ts-ignore: decorator
@inline
export function labelCount(forest: usize): u32 {
  return load<u32>(forest, 56)
}
/** Entries added since: u32 [leaves], 1 + the number of a leaf's latest; 0 where there is none. Address 0: no leaf has any. */
// @ts-ignore: decorator
@inline
export function addedHeads(forest: usize): usize {
  return load<u32>(forest, 60)
}
/** Pairs of u32: the entry, and 1 + the number of the one before it. */
// @ts-ignore: decorator
@inline
export function addedEntries(forest: usize): usize {
  return load<u32>(forest, 64)
}
/** 1: a label's share of a tree is 1 where the leaf has it (voting); 0: its proportion among the leaf's rows (natural). */
// @ts-ignore: decorator
@inline
export function plainVotes(forest: usize): bool {
  return load<u32>(forest, 68) != 0
}
