// What growing a forest works on, as a block of u32 fields (src/trees/grow-block.ts writes it), and one tree's places in the
// scratch of its thread.

// @ts-ignore: decorator
@inline
export const kdGrower: u32 = 0
// @ts-ignore: decorator
@inline
export const chronologicalGrower: u32 = 1
// @ts-ignore: decorator
@inline
export const directionsGrower: u32 = 2
// @ts-ignore: decorator
@inline
export const pcaGrower: u32 = 3
// @ts-ignore: decorator
@inline
export const classificationGrower: u32 = 4

/** View of the rows: f32 [count × dims]. */
// @ts-ignore: decorator
@inline
export function viewRows(block: usize): usize {
  return load<u32>(block)
}
// @ts-ignore: decorator
@inline
export function rowCount(block: usize): u32 {
  return load<u32>(block, 4)
}
// @ts-ignore: decorator
@inline
export function viewDims(block: usize): u32 {
  return load<u32>(block, 8)
}
// @ts-ignore: decorator
@inline
export function growerKind(block: usize): u32 {
  return load<u32>(block, 12)
}
// @ts-ignore: decorator
@inline
export function maxDepth(block: usize): u32 {
  return load<u32>(block, 16)
}
/** Nodes with at most so many rows become leaves. */
// @ts-ignore: decorator
@inline
export function leafSize(block: usize): u32 {
  return load<u32>(block, 20)
}
/** How many axes a node may choose from. */
// @ts-ignore: decorator
@inline
export function axisChoices(block: usize): u32 {
  return load<u32>(block, 24)
}
/** How many of a node's rows are looked at to choose a split. */
// @ts-ignore: decorator
@inline
export function sampleRows(block: usize): u32 {
  return load<u32>(block, 28)
}
/** Labels of the rows as CSR: offsets u32 [count + 1], indices u32. */
// @ts-ignore: decorator
@inline
export function labelOffsets(block: usize): usize {
  return load<u32>(block, 32)
}
// @ts-ignore: decorator
@inline
export function labelIndices(block: usize): usize {
  return load<u32>(block, 36)
}
// @ts-ignore: decorator
@inline
export function labelCount(block: usize): u32 {
  return load<u32>(block, 40)
}
/** Directions shared by the nodes of a level, as CSR: row tree · maxDepth + level. */
// @ts-ignore: decorator
@inline
export function directionOffsets(block: usize): usize {
  return load<u32>(block, 44)
}
// @ts-ignore: decorator
@inline
export function directionIndices(block: usize): usize {
  return load<u32>(block, 48)
}
// @ts-ignore: decorator
@inline
export function directionValues(block: usize): usize {
  return load<u32>(block, 52)
}
/** The most labels a row has. */
// @ts-ignore: decorator
@inline
export function mostLabels(block: usize): u32 {
  return load<u32>(block, 56)
}

/** What a node's split function sees. */
@unmanaged
export class Node {
  /** Row numbers of the node: u32 [count]. */
  rows: usize
  count: u32
  level: u32
  /** Of the tree: state of the generator. */
  random: usize
  /** Room for one f32 a row of the node: the split function leaves the rows' values here. */
  values: usize
  /** Room for as many again. */
  spare: usize
  /** More room of the grower's own. */
  work: usize
  /** Where an oblique split of this node's own puts its direction, f32 [dims]. */
  direction: usize
  /** The tree's number. */
  tree: u32
  /** Set by the split function. */
  axis: u32
  threshold: f32
}

// @ts-ignore: decorator
@inline
export function rowAt(node: Node, i: u32): u32 {
  return load<u32>(node.rows + (<usize>i << 2))
}

// @ts-ignore: decorator
@inline
export function coordinate(block: usize, row: u32, axis: u32): f32 {
  return load<f32>(viewRows(block) + ((<usize>row * <usize>viewDims(block) + <usize>axis) << 2))
}
