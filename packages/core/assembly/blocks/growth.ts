// What growing trees works on (src/trees/grow-trees.ts and grow-waves.ts fill it).

/** The number of each grower: trees/growers.ts. */
// @ts-ignore: decorator
@inline
export const kdKernel: u32 = 0
// @ts-ignore: decorator
@inline
export const chronologicalKernel: u32 = 1
// @ts-ignore: decorator
@inline
export const directionsKernel: u32 = 2
// @ts-ignore: decorator
@inline
export const pcaKernel: u32 = 3
// @ts-ignore: decorator
@inline
export const classificationKernel: u32 = 4
// @ts-ignore: decorator
@inline
export const graphKernel: u32 = 5

/** The rows, their labels, and how to part them. */
@unmanaged
export class Growth {
  /** What trees see of the rows: f32 [rows × dims]. Address 0: the rows are sparse. */
  view: usize
  rows: u32
  dims: u32
  /** One of the numbers above. */
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
  /** Sparse rows as CSR: offsets u32 [rows + 1], indices u32, ascending in a row, and values f32. */
  rowOffsets: usize
  rowIndices: usize
  rowValues: usize
  /** Share of a random direction's entries that are not zero; 0: 1 / √(features at hand). Of sparse rows. */
  density: f32
  /** The graph grower's: see src/trees/grower.ts. */
  graphNeighbors: u32
  negatives: u32
  epochs: u32
  epochRows: u32
  tailThreshold: u32
  l1: f32
  learningRate: f32
  /** What rows are multiplied with, so that they have length 1 on average. */
  scale: f32
}

/** Where a tree goes. */
@unmanaged
export class TreeOut {
  /** The rows' numbers, u32 [rows]: ends up in order of the leaves, leaf i's rows beginning at leafStarts[i]. */
  order: usize
  nodes: usize
  leafStarts: usize
  /** Where nodes of dense rows have directions of their own: f32 [dims] a node. */
  directions: usize
  /** Of sparse rows, as CSR, a row an inner node: its direction. There is room for so many entries in all. */
  weightOffsets: usize
  weightIndices: usize
  weightValues: usize
  weightRoom: u32
}
