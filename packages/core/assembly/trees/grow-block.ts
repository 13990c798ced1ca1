// What growing a forest works on (src/trees/grow-trees.ts writes it, 4 bytes a field), and what one node's split works on.

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

@unmanaged
export class Growth {
  /** What trees see of the rows: f32 [rows × dims]. */
  view: usize
  rows: u32
  dims: u32
  grower: u32
  /** Deeper nodes are leaves, and nodes with at most `leafSize` rows. */
  depth: u32
  leafSize: u32
  /** How many axes a node may choose from, and how many of its rows are looked at to choose. */
  axes: u32
  sampleRows: u32
  /** Labels of the rows as CSR: offsets u32 [rows + 1], indices u32; and how many labels there are. */
  labelOffsets: usize
  labelIndices: usize
  labels: u32
  /** Directions shared by the nodes of a level, as CSR: row tree · depth + level. */
  directionOffsets: usize
  directionIndices: usize
  directionValues: usize
  /** The most labels a row has. */
  mostLabels: u32
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
export function coordinate(block: Growth, row: u32, axis: u32): f32 {
  return load<f32>(block.view + ((<usize>row * <usize>block.dims + <usize>axis) << 2))
}
