// How a label's reasons are shown: neighbors and features with their shares of the score, drawn as bars.

import type { Explanation, TreePath } from '@vicinal/core'
import { bar } from '../terminal/bar.ts'
import { labelText } from '../terminal/label-text.ts'
import { formatCount, formatCountOf } from '../terminal/quantity.ts'
import { formatTable, oneLine, shorten } from '../terminal/table.ts'

interface Reason {
  readonly name: string
  readonly share: number
}

interface Shown {
  /** How many reasons of a kind at most. Default 5. */
  readonly most?: number
  /** Whether to sum up those that are not shown. Default true. */
  readonly rest?: boolean
}

const barWidth = 12
const longestName = 70
/** Trees whose paths are shown. */
const shownTrees = 3
/** Smaller shares of the score are not shown. */
const leastShare = 0.01

/** The label and its score, then the neighbors and features that support it most. */
export function formatExplanation(explanation: Explanation, shown: Shown = {}): string {
  const { score, neighbors, features, paths = [], margin } = explanation
  const near = neighbors.map(({ id, text, share, distance }) => {
    const far = distance === undefined ? '' : `, at ${Number(distance.toPrecision(3))}`
    return { name: `${text ?? `item ${id}`}${far}`, share }
  })
  const words = features.map(({ feature, share }) => ({ name: feature, share }))
  const ways = paths.map(path => ({ name: pathWords(path), share: path.share })).sort((a, b) => b.share - a.share)
  const rows = [
    ...reasonRows('near', near, score, shown),
    ...reasonRows('word', words, score, shown),
    ...reasonRows('tree', ways.slice(0, shownTrees), score, { ...shown, rest: false }),
  ]
  const reasons = formatTable(rows.length > 0 ? rows : [['no evidence for it']], ['left', 'right'])
  const byMargin = margin === undefined ? '' : `  margin ${fraction(margin)}`
  return `${labelText(explanation)}  ${fraction(score)}${byMargin}\n${reasons}`
}

/** The features with the most influence at each step, among those that pulled in its direction. */
function pathWords({ tree, rows, steps }: TreePath): string {
  const words = steps.map(({ side, features }) => {
    const [first] = features.filter(({ product }) => product < 0 === (side === 'left'))
    return `${side === 'left' ? '‹' : '›'} ${first?.feature ?? '–'}`
  })
  return `${tree}: ${[...words, formatCountOf(rows, 'row')].join(' ')}`
}

function reasonRows(
  kind: string,
  reasons: readonly Reason[],
  score: number,
  { most = 5, rest = true }: Shown,
): string[][] {
  const named = reasons.slice(0, most).filter(({ share }) => share >= leastShare * score)
  const others = reasons.slice(named.length)
  const rows = named.map(({ name, share }) => row(kind, share, score, shorten(oneLine(name), longestName)))
  if (!rest || others.length === 0) return rows
  const share = others.reduce((sum, { share }) => sum + share, 0)
  return [...rows, row(named.length === 0 ? kind : '', share, score, `${formatCount(others.length)} more`)]
}

/** The bar is as long as the reason's part of the score. */
function row(kind: string, share: number, score: number, name: string): string[] {
  return [kind, fraction(share), bar(share / score, barWidth), name]
}

function fraction(value: number): string {
  return value.toFixed(3)
}
