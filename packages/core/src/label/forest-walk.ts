// The way of one row down one tree of sparse splits, in the open: the same sums in the same order as the kernels', so that it ends
// in the same leaf.

import type { ForestParts } from '../forest/forest.ts'
import { leafMark } from '../forest/tree-nodes.ts'
import type { SparseRow } from '../matrix/sparse-matrix.ts'

export interface Step {
  /** The features of the row that have a weight here, and the products of weight and value. */
  readonly terms: { readonly feature: number; readonly product: number }[]
  /** How far their sum is above the threshold; below 0 the row goes left. */
  readonly margin: number
}

export function walkDown(forest: ForestParts, row: SparseRow, tree: number): { steps: Step[]; leaf: number } {
  const nodes = forest.nodes.array
  const thresholds = new Float32Array(nodes.buffer, nodes.byteOffset, nodes.length)
  const root = forest.roots.array[tree]
  const steps: Step[] = []
  let at = 3 * root
  while (nodes[at] !== leafMark) {
    const terms = termsOf(forest, row, nodes[at])
    const sum = terms.reduce((total, { product }) => Math.fround(total + product), 0)
    const margin = sum - thresholds[at + 1]
    steps.push({ terms, margin })
    at = margin < 0 ? at + 3 : 3 * (root + nodes[at + 2])
  }
  return { steps, leaf: nodes[at + 2] }
}

function termsOf(forest: ForestParts, { indices, values }: SparseRow, direction: number): Step['terms'] {
  const features = forest.directionIndices.array
  const weights = forest.directionValues.array
  const [from, to] = [forest.directionOffsets.array[direction], forest.directionOffsets.array[direction + 1]]
  const terms: Step['terms'] = []
  for (let e = from, i = 0; e < to && i < indices.length; ) {
    if (features[e] === indices[i]) {
      terms.push({ feature: features[e], product: Math.fround(weights[e] * values[i]) })
      e++
      i++
    } else if (features[e] < indices[i]) e++
    else i++
  }
  return terms
}
