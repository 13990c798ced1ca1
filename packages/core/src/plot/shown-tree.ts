// One tree as its pictures show it: cut off below some levels, each node reduced to what there is room to say.

import type { DescribedNode, DescribedSplit } from '../label/described-node.ts'
import { checkList } from '../matrix/checks.ts'
import { checkObject, checkWhole, refuse } from '../options.ts'
import { formatCount, formatCountOf, oneLine } from './words.ts'

export interface TreeOptions {
  /** Levels of nodes to show, the root's included; what is below is summed up. At least 1. Default 4. */
  readonly mostLevels?: number
}

export const treeDefaults: Required<TreeOptions> = Object.freeze({ mostLevels: 4 })

export type ShownNode = ShownSplit | ShownEnd

export interface ShownSplit {
  readonly kind: 'split'
  /** '12 rows' */
  readonly heading: string
  /** The features with the largest weights. */
  readonly features: readonly ShownFeature[]
  /** '5 more features'; empty if there are none. */
  readonly rest: string
  /** What leads left: 'below 0.25'. */
  readonly below: string
  /** What leads right: 'at least 0.25'. */
  readonly atLeast: string
  readonly left: ShownNode
  readonly right: ShownNode
}

/** The more an item has of the feature, the more it tends to `side`. */
export interface ShownFeature {
  readonly feature: string
  readonly side: 'left' | 'right'
  readonly weight: string
}

/** A leaf, or a node that represents everything below it. */
export interface ShownEnd {
  readonly kind: 'leaf' | 'cut'
  /** '12 rows', or '… 3 leaves, 12 rows' if something was cut. */
  readonly heading: string
  /** The most frequent labels. */
  readonly labels: readonly { readonly label: string; readonly rows: string }[]
  /** '5 more labels'; empty if there are none. */
  readonly rest: string
}

const mostNamed = 3

/** `options` are checked by the caller, who may take more of them. */
export function shownTree(root: DescribedNode, { mostLevels = treeDefaults.mostLevels }: TreeOptions): ShownNode {
  checkNode(root)
  return showNode(root, mostLevels)
}

/** Refuses what no classifier described. */
function checkNode(root: DescribedNode): void {
  checkObject('root', root, 'a node, as describeTree() returns it')
  checkWhole('root.rows', root.rows, 0, 2 ** 32)
  checkList('root.labels', root.labels, 'a list of labels')
  const { split } = root
  if (split !== undefined) checkObject('root.split', split, 'the split of a node, as describeTree() returns it')
}

export function checkLevels(name: string, value: unknown): void {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1) return
  refuse(name, value, 'a whole number of at least 1')
}

function showNode(node: DescribedNode, levels: number): ShownNode {
  const { rows, labels, split } = node
  const heading = formatCountOf(rows, 'row')
  if (split && levels > 1) return showSplit(heading, split, levels)
  return {
    kind: split ? 'cut' : 'leaf',
    heading: split ? `… ${formatCount(countLeaves(node))} leaves, ${heading}` : heading,
    labels: labels
      .slice(0, mostNamed)
      .map(({ label, name, rows }) => ({ label: oneLine(name ?? label), rows: formatCount(rows) })),
    rest: formatRest(labels.length, 'label'),
  }
}

function showSplit(heading: string, { terms, threshold, left, right }: DescribedSplit, levels: number): ShownSplit {
  const deciding = terms.filter(({ weight }) => weight !== 0)
  return {
    kind: 'split',
    heading,
    features: deciding.slice(0, mostNamed).map(({ feature, weight }) => {
      return { feature: oneLine(feature), side: weight < 0 ? 'left' : 'right', weight: threeDigits(weight) }
    }),
    rest: formatRest(deciding.length, 'feature'),
    below: `below ${threeDigits(threshold)}`,
    atLeast: `at least ${threeDigits(threshold)}`,
    left: showNode(left, levels - 1),
    right: showNode(right, levels - 1),
  }
}

function formatRest(count: number, noun: string): string {
  return count > mostNamed ? formatCountOf(count - mostNamed, `more ${noun}`) : ''
}

/** Without recursion, because the hidden part may be very deep. */
function countLeaves(root: DescribedNode): number {
  const waiting = [root]
  let leaves = 0
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.split) waiting.push(node.split.left, node.split.right)
    else leaves++
  }
  return leaves
}

/** '0.25', '1200', '1e-9': short at any scale. */
function threeDigits(value: number): string {
  return String(Number(value.toPrecision(3)))
}
