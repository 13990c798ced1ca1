// A tree for terminals: one line per node, children indented.

import type { DescribedNode } from '../label/described-node.ts'
import { checkOptions, optionTable } from '../options.ts'
import {
  checkLevels,
  type ShownEnd,
  type ShownNode,
  type ShownSplit,
  shownTree,
  type TreeOptions,
} from './shown-tree.ts'
import { shorten } from './words.ts'

const textOptions = optionTable<TreeOptions>({ mostLevels: checkLevels })
const longestName = 20

/**
 * Draws a tree as lines of text, each ending with a newline. `← bread | ships →` stands for features that send an item to the first branch,
 * and for those that send it to the second; labels have the number of their rows behind them.
 */
export function treeText(root: DescribedNode, options: TreeOptions = {}): string {
  checkOptions(options, textOptions)
  const node = shownTree(root, options)
  const lines = [describeNode(node), ...branches(node)]
  return lines.map(line => `${line}\n`).join('')
}

function branches(node: ShownNode): string[] {
  if (node.kind !== 'split') return []
  return [
    `├ ${node.below}: ${describeNode(node.left)}`,
    ...branches(node.left).map(line => `│ ${line}`),
    `└ ${node.atLeast}: ${describeNode(node.right)}`,
    ...branches(node.right).map(line => `  ${line}`),
  ]
}

function describeNode(node: ShownNode): string {
  const contents = node.kind === 'split' ? listFeatures(node) : listLabels(node)
  return contents === '' ? node.heading : `${node.heading}  ${contents}`
}

function listFeatures({ features }: ShownSplit): string {
  const names = (wanted: string) =>
    features.flatMap(({ feature, side }) => (side === wanted ? [shorten(feature, longestName)] : [])).join('  ')
  const [left, right] = [names('left'), names('right')]
  return [...(left ? [`← ${left}`] : []), ...(right ? [`${right} →`] : [])].join(' | ')
}

function listLabels({ labels, rest }: ShownEnd): string {
  const named = labels.map(({ label, rows }) => `${shorten(label, longestName)} (${rows})`)
  return [...named, ...(rest ? [rest] : [])].join(', ')
}
