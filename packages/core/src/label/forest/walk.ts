// One row's path down one tree, step by step, for explanations: the same sums in the same order as in the kernels, so that it ends
// in the same leaf.

import { type ForestParts, packedOf } from '../../forest/forest.ts'
import { leafMark, treeNodeAt, treeNodeFloatAt, treeNodeLength } from '../../kernels/generated/blocks/forest.ts'
import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import { type Term, termsOf } from '../../trees/packed-directions.ts'

export interface WalkStep {
  /** The features of the row that have a weight here, and the products of weight and value. */
  readonly terms: { readonly feature: number; readonly product: number }[]
  /** How far their sum is above the threshold; below 0 the row goes left. */
  readonly margin: number
}

export function walkDown(forest: ForestParts, row: SparseRow, tree: number): { steps: WalkStep[]; leaf: number } {
  const nodes = forest.nodes.array
  const thresholds = new Float32Array(nodes.buffer, nodes.byteOffset, nodes.length)
  const root = forest.roots.array[tree]
  const values = new Map(Array.from(row.indices, (feature, e) => [feature, row.values[e]]))
  const steps: WalkStep[] = []
  let at = treeNodeLength * root
  while (nodes[at + treeNodeAt.axis] !== leafMark) {
    const terms = productsOf(forest, values, tree, nodes[at + treeNodeAt.axis])
    const sum = terms.reduce((total, { product }) => Math.fround(total + product), 0)
    const margin = sum - thresholds[at + treeNodeFloatAt.threshold]
    steps.push({ terms, margin })
    at = margin < 0 ? at + treeNodeLength : treeNodeLength * (root + nodes[at + treeNodeAt.right])
  }
  return { steps, leaf: nodes[at + treeNodeAt.right] }
}

/** In the order in which kernels add them up. */
function productsOf(
  forest: ForestParts,
  values: ReadonlyMap<number, number>,
  tree: number,
  direction: number,
): WalkStep['terms'] {
  const terms = splitTerms(forest, tree, direction, feature => values.has(feature))
  return terms.map(({ feature, weight }) => ({ feature, product: Math.fround(weight * (values.get(feature) ?? 0)) }))
}

/** What a split compares: one number, a direction that the tree's levels share, or one of the node's own. */
export function splitTerms(
  forest: ForestParts,
  tree: number,
  direction: number,
  isWanted: (feature: number) => boolean = () => true,
): Term[] {
  if (forest.splits === 'sparse') return termsOf(packedOf(forest), forest.dims, direction, isWanted)
  if (forest.splits === 'axis') return [{ feature: direction, weight: 1 }].filter(({ feature }) => isWanted(feature))
  if (forest.splits === 'node') return ownTerms(forest, direction).filter(({ feature }) => isWanted(feature))
  const { directionOffsets, directionIndices, directionValues } = forest
  const number = tree * forest.depth + direction
  const [from, to] = [directionOffsets.array[number], directionOffsets.array[number + 1]]
  const terms = Array.from(directionIndices.array.subarray(from, to), (feature, e) => ({ feature, weight: directionValues.array[from + e] })) // biome-ignore format: one list
  return terms.filter(({ feature }) => isWanted(feature))
}

/** For growers that only take dense rows: all numbers count. */
function ownTerms({ ownDirections, dims }: ForestParts, direction: number): Term[] {
  const weights = ownDirections.array.subarray(direction * dims, (direction + 1) * dims)
  return Array.from(weights, (weight, feature) => ({ feature, weight }))
}
