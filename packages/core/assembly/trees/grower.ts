// What the frame (grow.ts) asks of a grower, and what a grower works on. A grower is one function in its own file that answers all these
// questions: `(question, block, node) => usize`.

/** How many bytes it needs at node.work. No tree has begun: the node is a dummy of roomBytes bytes. */
// @ts-ignore: decorator
@inline
export const workBytes: u32 = 0
/** Asked once per tree, before its first node: prepares node.work. Answers `unfinished` to be asked again, else `ready`. */
// @ts-ignore: decorator
@inline
export const prepareTree: u32 = 1
/** Chooses the split of a node: `leaf`, `split` or `unfinished`. */
// @ts-ignore: decorator
@inline
export const chooseSplit: u32 = 2

// @ts-ignore: decorator
@inline
export const ready: u32 = 0

// How a node is split. `unfinished`: its budget is used up, and it goes on where it was when it is called again.
// @ts-ignore: decorator
@inline
export const leaf: u32 = 0
// @ts-ignore: decorator
@inline
export const split: u32 = 1
// @ts-ignore: decorator
@inline
export const unfinished: u32 = 2

/** What a grower sees of a node. */
@unmanaged
export class Node {
  /** Row numbers of the node: u32 [count]. */
  rows: usize
  count: u32
  level: u32
  /** Of the tree: its number, and the state of its generator. */
  tree: u32
  random: usize
  /** Room for one f32 a row of the node: the grower leaves the rows' values here. */
  values: usize
  /** The same amount of room again. */
  spare: usize
  /** The grower's own memory. */
  work: usize
  /** For dense rows: where an oblique split stores the node's own direction, f32 [dims]. */
  direction: usize
  /** Of sparse rows: the direction's entries (see node-weights.ts), and the features that have one, u32 [dims]. */
  weights: usize
  features: usize
  featureCount: u32
  /** Set by the grower: the axis or direction compared (initially the node's own direction), and the threshold. */
  axis: u32
  threshold: f32
  /** The budget left in this step, in numbers touched; see grow.ts. */
  budget: i32
  /** The grower's own progress; zero for a new node. */
  stage: u32
  cursor: u32
  round: u32
  gain: f64
}

/** Subtracts a cost from the budget. */
export function charge(node: Node, cost: u64): void {
  node.budget -= <i32>min<u64>(cost, <u64>i32.MAX_VALUE / 2)
}

/** Pays for as many of the `end - node.cursor` items left as the budget allows, at least one; returns where these end. */
export function spend(node: Node, end: u32, cost: u32): u32 {
  const left = end - node.cursor
  const affordable = <u32>max<i32>(1, node.budget / <i32>max<u32>(1, cost))
  const taken = min<u32>(left, affordable)
  charge(node, <u64>taken * <u64>cost)
  return node.cursor + taken
}

/** Begins the next stage at item 0. */
// @ts-ignore: decorator
@inline
export function nextStage(node: Node): void {
  node.stage++
  node.cursor = 0
}

// @ts-ignore: decorator
@inline
export function rowAt(node: Node, i: u32): u32 {
  return load<u32>(node.rows + (<usize>i << 2))
}
