// A tree of a fitted model as nodes with names, for pictures and for people.

import { EngineError, shown } from '../../errors.ts'
import { leafMark, treeNodeAt, treeNodeFloatAt, treeNodeLength } from '../../kernels/generated/blocks/forest.ts'
import type { NamedLabel } from '../label-names.ts'
import { featureNamesOf } from '../reading/item-reader.ts'
import type { ForestModel } from './model.ts'
import { splitTerms } from './walk.ts'

/** A node of a described tree, with everything below it. An item goes left if Σ weight · value over `terms` is below `threshold`. */
export interface DescribedNode {
  /** Training rows that pass here. */
  readonly rows: number
  /** The labels of these rows, those of the most rows first. */
  readonly labels: readonly (NamedLabel & { readonly rows: number })[]
  /** Absent for a leaf. */
  readonly split?: DescribedSplit
}

/** An inner node of a described tree. */
export interface DescribedSplit {
  /** The features that decide, the heaviest weight first. */
  readonly terms: readonly { readonly feature: string; readonly weight: number }[]
  readonly threshold: number
  readonly left: DescribedNode
  readonly right: DescribedNode
}

export function describeTree(model: ForestModel, tree: number): DescribedNode {
  const { trees } = model.forest
  if (!Number.isInteger(tree) || tree < 0 || tree >= trees) {
    throw new EngineError('INVALID_OPTION', `tree is ${shown(tree)}, expected a whole number from 0 to ${trees - 1}`)
  }
  const names = featureNamesOf(model)
  return describeNode(model, names, tree, 0).node
}

/** A node, with its rows. Children are found from the root, which their numbers count from. */
function describeNode(
  model: ForestModel,
  names: readonly string[] | undefined,
  tree: number,
  number: number,
): { readonly node: DescribedNode; readonly rows: readonly number[] } {
  const nodes = model.forest.parts.nodes.array
  const at = treeNodeLength * (model.forest.parts.roots.array[tree] + number)
  const [axis, next] = [nodes[at + treeNodeAt.axis], nodes[at + treeNodeAt.right]]
  if (axis === leafMark) {
    const rows = model.rows.rowsOf(next)
    return { node: { rows: rows.length, labels: labelsOf(model, rows) }, rows }
  }
  const left = describeNode(model, names, tree, number + 1)
  const right = describeNode(model, names, tree, next)
  const rows = [...left.rows, ...right.rows]
  const threshold = new Float32Array(nodes.buffer, nodes.byteOffset, nodes.length)[at + treeNodeFloatAt.threshold]
  const split = { terms: namedTerms(model, names, tree, axis), threshold, left: left.node, right: right.node }
  return { node: { rows: rows.length, labels: labelsOf(model, rows), split }, rows }
}

/** The heaviest first. */
function namedTerms(model: ForestModel, names: readonly string[] | undefined, tree: number, direction: number) {
  const terms = splitTerms(model.forest.parts, tree, direction)
  const named = terms.map(({ feature, weight }) => ({ feature: names?.[feature] ?? String(feature), weight }))
  return named.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
}

function labelsOf({ rows: leafRows, labelNames }: ForestModel, rows: readonly number[]): DescribedNode['labels'] {
  const counts = new Map<number, number>()
  for (const row of rows) for (const label of leafRows.labels.row(row)) counts.set(label, (counts.get(label) ?? 0) + 1)
  const sorted = [...counts].sort(([a, some], [b, others]) => others - some || a - b)
  return sorted.map(([label, count]) => ({ ...labelNames.named(label), rows: count }))
}
