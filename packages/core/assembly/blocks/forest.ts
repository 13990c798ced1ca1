// A forest (src/forest/forest.ts fills it): the nodes of one tree after another, and the leaves of all trees, numbered consecutively, with
// their counts.

/** Splits compare an axis of the view. */
// @ts-ignore: decorator
@inline
export const axisSplits: u32 = 0
/** Splits compare one of the tree's shared directions, one per level. */
// @ts-ignore: decorator
@inline
export const levelSplits: u32 = 1
/** Splits compare the node's own direction. */
// @ts-ignore: decorator
@inline
export const nodeSplits: u32 = 2
/** Splits compare the node's own sparse direction; the axis field holds its number. */
// @ts-ignore: decorator
@inline
export const sparseSplits: u32 = 3

/** As an axis: the node is a leaf, and the right-child field holds the leaf's number. */
// @ts-ignore: decorator
@inline
export const leafMark: u32 = 0xffffffff

/** A node of a tree, parents before children. The left child is the next node, so half of all steps stay in the same cache line. */
@unmanaged
export class TreeNode {
  /** What is compared: an axis of the view, or a direction. */
  axis: u32
  threshold: f32
  /** The right child's number within its tree; of a leaf, the leaf's number. */
  right: u32
}

/**
 * Branches not taken that a query remembers at most: enough for about a hundred trees. Later ones are ignored. Also the limit of `probes`.
 */
// @ts-ignore: decorator
@inline
export const mostDetours: u32 = 4096

/** A forest, for routing and for counting. */
@unmanaged
export class Forest {
  /** One of the four above. */
  splits: u32
  /** Dimensions of the routed vectors. */
  dims: u32
  trees: u32
  /** The nodes of all trees, and u32 [trees + 1]: where each tree begins. Leaves are numbered across all trees. */
  nodes: usize
  roots: usize
  /**
   * Sparse directions as CSR: shared ones, row tree · levels + level. For the nodes' own directions, only the offset of each one's words.
   */
  levels: u32
  levelOffsets: usize
  levelIndices: usize
  levelValues: usize
  /** The nodes' own directions: f32 [dims] each; the axis field holds the number. */
  ownDirections: usize
  /** u32 [leaves + 1]: where each leaf's entries begin. */
  leafOffsets: usize
  leafEntries: usize
  /** u32 [leaves]: training rows in each leaf. */
  leafRows: usize
  countBits: u32
  labels: u32
  /**
   * Entries added later, as a linked list per leaf: u32 [leaves] holds 1 + the number of the leaf's latest entry, 0 for none. Address 0: no
   * leaf has any.
   */
  addedHeads: usize
  /** Pairs of u32: the entry, and 1 + the number of the previous one. */
  addedEntries: usize
  /** 1: a tree gives a label 1 if the leaf has it (voting); 0: its share of the leaf's rows (natural). */
  plainVotes: u32
  /** Sparse directions below this number are listed by feature (src/forest/top-directions.ts). */
  listed: u32
  listOffsets: usize
  listWords: usize
  listRowNumbers: usize
  listRows: usize
  listScales: usize
  /** The nodes' own sparse directions (src/trees/packed-directions.ts), and the buckets of long ones (src/forest/feature-buckets.ts). */
  words: usize
  bucketStarts: usize
  bucketBounds: usize
}

/** A sparse query on its way through the trees; see forest/sparse-query.ts. */
@unmanaged
export class SparseQuery {
  /** Ascending features u32 and values f32. */
  indices: usize
  values: usize
  count: u32
  /** The same as a dense vector, f32 [dims]. */
  scattered: usize
  /** f32 [listed]: its products with the listed directions. */
  products: usize
  /** Result of the prefetch loop; kept so that the compiler does not remove the loop. */
  seen: u32
}
