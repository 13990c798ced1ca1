// What one node's split works on, and how it pays for its steps.

// What a split function returns. `unfinished`: its budget is used up, and it goes on where it was when it is called again.
// @ts-ignore: decorator
@inline
export const leaf: u32 = 0
// @ts-ignore: decorator
@inline
export const split: u32 = 1
// @ts-ignore: decorator
@inline
export const unfinished: u32 = 2

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
  /** Where an oblique split of this node's own puts its direction, f32 [dims]; of dense rows. */
  direction: usize
  /** Of sparse rows: the direction's entries (see node-weights.ts), and the features that have one, u32 [dims]. */
  weights: usize
  features: usize
  featureCount: u32
  /** Set by the split function. */
  axis: u32
  threshold: f32
  /** What this step may still cost, in numbers touched; see grow.ts. */
  budget: i32
  /** How far the split function is: zeros for a new node, its own to use. */
  stage: u32
  cursor: u32
  round: u32
  gain: f64
}

/** Takes what something cost off the budget. */
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
