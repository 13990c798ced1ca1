// Trees made by hand, for the tests of their pictures.

import type { DescribedNode } from '../label/described-node.ts'

/** A leaf of these labels, each with its rows; it has as many rows as the first of them. */
export function leaf(...labels: readonly (readonly [label: string, rows: number])[]): DescribedNode {
  return { rows: labels[0]?.[1] ?? 0, labels: labels.map(([label, rows]) => ({ label, rows })) }
}

/** A node over two others, with the labels of the left one. */
export function split(
  terms: Readonly<Record<string, number>>,
  threshold: number,
  left: DescribedNode,
  right: DescribedNode,
): DescribedNode {
  const named = Object.entries(terms).map(([feature, weight]) => ({ feature, weight }))
  return { rows: left.rows + right.rows, labels: left.labels, split: { terms: named, threshold, left, right } }
}

/** Bread and ships: two splits, three leaves. */
export const breadAndShips: DescribedNode = split(
  { ships: 0.8, baking: -0.5, bread: -0.25, harbors: 0.125 },
  0.25,
  leaf(['cooking', 4]),
  split({ sea: -1 }, -0.5, leaf(['baltic', 1200], ['birds', 2]), leaf(['shipping', 3], ['harbors', 2], ['fish', 1])),
)

/** All nodes have two branches, down to `levels` levels of nodes; every leaf has one row. */
export function fullTree(levels: number): DescribedNode {
  if (levels === 1) return leaf(['a', 1])
  return split({ x: 1 }, 0, fullTree(levels - 1), fullTree(levels - 1))
}
