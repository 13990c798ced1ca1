// A forest (src/forest/forest.ts fills it): its trees' nodes one after the other, and the leaves of all trees, numbered through, with
// what they count.

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
/** Splits compare a sparse direction of the node's own, at the number in the place of the axis. */
// @ts-ignore: decorator
@inline
export const sparseSplits: u32 = 3

/** In the place of a node's axis: the node is a leaf, and the place of the right child holds the leaf's number. */
// @ts-ignore: decorator
@inline
export const leafMark: u32 = 0xffffffff

/** A node of a tree, parents before children. The left child is the next node, so that half of all steps stay in the same cache line. */
@unmanaged
export class TreeNode {
  /** What is compared: an axis of the view, or a direction. */
  axis: u32
  threshold: f32
  /** The right child's number within its tree; of a leaf, the leaf's number. */
  right: u32
}

/** Places not gone to that are noted at most: enough for some hundred trees; later ones are passed over. What `probes` is at most. */
// @ts-ignore: decorator
@inline
export const mostDetours: u32 = 4096

/** A forest, for routing and for counting. */
@unmanaged
export class Forest {
  /** One of the four above. */
  splits: u32
  /** Numbers in what is routed. */
  dims: u32
  trees: u32
  /** All trees' nodes, and u32 [trees + 1]: where each tree's begin. Leaf numbers run through all trees. */
  nodes: usize
  roots: usize
  /** Sparse directions as CSR: shared ones, row tree · levels + level. Of the nodes' own: where each one's words begin, no more. */
  levels: u32
  levelOffsets: usize
  levelIndices: usize
  levelValues: usize
  /** Directions of the nodes' own: f32 [dims] each, at the number in the place of the axis. */
  ownDirections: usize
  /** u32 [leaves + 1]: where each leaf's entries begin. */
  leafOffsets: usize
  leafEntries: usize
  /** u32 [leaves]: training rows in each leaf. */
  leafRows: usize
  countBits: u32
  labels: u32
  /** Entries added since: u32 [leaves], 1 + the number of a leaf's latest; 0 where there is none. Address 0: no leaf has any. */
  addedHeads: usize
  /** Pairs of u32: the entry, and 1 + the number of the one before it. */
  addedEntries: usize
  /** 1: a label's share of a tree is 1 where the leaf has it (voting); 0: its proportion among the leaf's rows (natural). */
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
  /** The same as f32 [dims], zeros elsewhere. */
  scattered: usize
  /** f32 [listed]: the products with the directions that are listed. */
  products: usize
  /** What was read ahead. */
  seen: u32
}
