// A tree of a fitted model as nodes with names, for pictures and for people.

import { EngineError, shown } from '../../errors.ts'
import { leafMark, treeNodeAt, treeNodeFloatAt, treeNodeLength } from '../../kernels/generated/blocks/forest.ts'
import type { DescribedNode } from '../described-node.ts'
import { featureNamesOf } from '../reading/item-reader.ts'
import type { ForestModel } from './model.ts'
import { splitTerms } from './walk.ts'

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

/** Largest weight first. */
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
