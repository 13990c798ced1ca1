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
// @ts-ignore: decorator
@inline
export const cellsKernel: u32 = 6

/** The rows, their labels, and how to split them. */
@unmanaged
export class Growth {
  /** The rows as the trees split them: f32 [rows × dims]. Address 0: the rows are sparse. */
  view: usize
  rows: u32
  dims: u32
  /** One of the numbers above. */
  grower: u32
  /** Nodes at this depth are leaves, and so are nodes with at most `leafSize` rows. */
  depth: u32
  leafSize: u32
  /** How many axes a node chooses from, and how many of its rows it samples to choose. */
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
  /** For sparse rows: the share of nonzero entries in a random direction; 0 means 1 / √(number of features). */
  density: f32
  /** Options of the graph grower: see src/trees/grower.ts. */
  graphNeighbors: u32
  negatives: u32
  epochs: u32
  epochRows: u32
  tailThreshold: u32
  l1: f32
  learningRate: f32
  /** A factor that gives rows length 1 on average. */
  scale: f32
}

/** Where to write a tree. */
@unmanaged
export class TreeOut {
  /** Row numbers, u32 [rows]. In the end they are sorted by leaf; leaf i's rows begin at leafStarts[i]. */
  order: usize
  nodes: usize
  leafStarts: usize
  /** For dense rows, if nodes have their own directions: f32 [dims] per node. */
  directions: usize
  /** For sparse rows: the directions as CSR, one row per inner node, and how many entries fit in all. */
  weightOffsets: usize
  weightIndices: usize
  weightValues: usize
  weightRoom: u32
}
