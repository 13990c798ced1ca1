// The nodes of one tree, read and written at their addresses.

import { TreeNode } from '../blocks/forest'

// @ts-ignore: decorator
@inline
export function nodeAt(nodes: usize, node: u32): usize {
  return nodes + <usize>node * offsetof<TreeNode>()
}

// @ts-ignore: decorator
@inline
export function axisOf(node: usize): u32 {
  return changetype<TreeNode>(node).axis
}

// @ts-ignore: decorator
@inline
export function thresholdOf(node: usize): f32 {
  return changetype<TreeNode>(node).threshold
}

// @ts-ignore: decorator
@inline
export function rightOf(node: usize): u32 {
  return changetype<TreeNode>(node).right
}

// @ts-ignore: decorator
@inline
export function setSplit(node: usize, axis: u32, threshold: f32): void {
  changetype<TreeNode>(node).axis = axis
  changetype<TreeNode>(node).threshold = threshold
}

// @ts-ignore: decorator
@inline
export function setRight(node: usize, right: u32): void {
  changetype<TreeNode>(node).right = right
}
