// One tree's nodes, parents before children, twelve bytes each: what is compared (an axis of the view, or a direction), at which
// value, and where the right child is. The left child is the next node, so that half of all steps stay in the same cache line.

/** In the place of the axis: the node is a leaf, and the place of the right child holds the leaf's number. */
// @ts-ignore: decorator
@inline
export const leafMark: u32 = 0xffffffff

// @ts-ignore: decorator
@inline
export function nodeAt(nodes: usize, node: u32): usize {
  return nodes + <usize>node * 12
}

// @ts-ignore: decorator
@inline
export function axisOf(node: usize): u32 {
  return load<u32>(node)
}

// @ts-ignore: decorator
@inline
export function thresholdOf(node: usize): f32 {
  return load<f32>(node, 4)
}

/** The right child's number within its tree; of a leaf, the leaf's number. */
// @ts-ignore: decorator
@inline
export function rightOf(node: usize): u32 {
  return load<u32>(node, 8)
}

// @ts-ignore: decorator
@inline
export function setSplit(node: usize, axis: u32, threshold: f32): void {
  store<u32>(node, axis)
  store<f32>(node, threshold, 4)
}

// @ts-ignore: decorator
@inline
export function setRight(node: usize, right: u32): void {
  store<u32>(node, right, 8)
}
