// A tree as a standalone SVG picture: the root on top, a box for each node, the full version of a shortened text as
// a tooltip. Invariant: a node keeps to the columns of its own leaves, so no box or edge meets another.

import type { DescribedNode } from '../label/described-node.ts'
import { checkOptions, checkText, optionTable } from '../options.ts'
import { fitText, textWidth } from './fit-text.ts'
import {
  checkLevels,
  type ShownEnd,
  type ShownNode,
  type ShownSplit,
  shownTree,
  type TreeOptions,
} from './shown-tree.ts'
import { colorOf, ink, type Point, round, svgPicture, svgText, svgTitle } from './svg-parts.ts'

/** Options of `treeSvg`. */
export interface TreeSvgOptions extends TreeOptions {
  /** Shown above the tree. Default: none. */
  readonly title?: string
}

const svgOptions = optionTable<TreeSvgOptions>({ mostLevels: checkLevels, title: checkText })

/** A node and its place. */
interface Box {
  readonly node: ShownNode
  /** Of its middle. */
  readonly x: number
  /** Of its upper edge. */
  readonly y: number
  readonly height: number
  /** How many leaves and cut nodes are below it, itself included. */
  readonly columns: number
  readonly children: readonly Box[]
}

const boxWidth = 176
const columnWidth = 200
const levelHeight = 132
const padding = 10
const lineHeight = 17
const margin = 16
const titleHeight = 32
/** The title's font size by that of the rest. */
const titleScale = 15 / 12
/** How much wider bold letters are. */
const boldScale = 1.1
/** The distance between the cards of a stack. */
const cardGap = 4

const sideColors = { left: colorOf(0), right: colorOf(1) } as const

/** Returns the SVG as text, ending with a newline. It is as wide as the shown leaves need, or the title. */
export function treeSvg(root: DescribedNode, options: TreeSvgOptions = {}): string {
  checkOptions(options, svgOptions)
  const { title } = options
  const tree = placeNode(shownTree(root, options), 0, 0)
  const boxes = allBoxes(tree)
  const treeWidth = tree.columns * columnWidth
  const width = Math.max(treeWidth, Math.ceil(titleScale * textWidth(title ?? ''))) + 2 * margin
  const top = title === undefined ? margin : margin + titleHeight
  const height = top + boxes.reduce((lowest, { y, height }) => Math.max(lowest, y + height), 0) + margin
  return svgPicture(title, width, height, [
    `<g transform="translate(${round((width - treeWidth) / 2)} ${top})">`,
    ...boxes.flatMap(drawEdges),
    ...boxes.flatMap(drawBox),
    '</g>',
  ])
}

/** The node with all that is below it, in columns from `column` on. */
function placeNode(node: ShownNode, column: number, y: number): Box {
  const height = boxHeight(node)
  if (node.kind !== 'split') return { node, x: (column + 0.5) * columnWidth, y, height, columns: 1, children: [] }
  const left = placeNode(node.left, column, y + levelHeight)
  const right = placeNode(node.right, column + left.columns, y + levelHeight)
  const columns = left.columns + right.columns
  return { node, x: (left.x + right.x) / 2, y, height, columns, children: [left, right] }
}

function boxHeight(node: ShownNode): number {
  const lines = node.kind === 'split' ? node.features.length : node.labels.length
  return 2 * padding + lineHeight * (1 + lines) - 4
}

function allBoxes(box: Box): Box[] {
  return [box, ...box.children.flatMap(allBoxes)]
}

function drawEdges({ node, x, y, height, children: [left, right] }: Box): string[] {
  if (node.kind !== 'split' || !left || !right) return []
  const turn = y + (height + levelHeight) / 2
  const path = `M${round(left.x)} ${left.y}V${turn}H${round(right.x)}V${right.y}M${round(x)} ${y + height}V${turn}`
  return [
    `<path d="${path}" fill="none" stroke="${ink}" stroke-opacity="0.5"/>`,
    svgText(node.below, [left.x + 2, turn - 5], `font-size="10" fill="${sideColors.left}"`),
    svgText(node.atLeast, [right.x - 2, turn - 5], `font-size="10" text-anchor="end" fill="${sideColors.right}"`),
  ]
}

function drawBox(box: Box): string[] {
  const { node, x, y, height } = box
  const corner: Point = [x - boxWidth / 2, y]
  const lines = node.kind === 'split' ? featureLines(node, corner) : labelLines(node, corner)
  return [
    '<g>',
    svgTitle(fullText(node)),
    // All of the box is filled, though invisibly: the mouse may rest anywhere in it.
    `<rect x="${round(corner[0])}" y="${y}" width="${boxWidth}" height="${height}" rx="4" fill="${ink}" ` +
      `fill-opacity="${node.kind === 'split' ? 0 : 0.1}" stroke="${ink}" stroke-opacity="0.5"/>`,
    ...(node.kind === 'cut' ? [1, 2].map(card => drawCard(corner, height, card)) : []),
    headingLine(node.heading, x, y),
    ...lines,
    '</g>',
  ]
}

/** Squeezed if it is too wide: a number must not lose digits. */
function headingLine(heading: string, x: number, y: number): string {
  const room = boxWidth - 2 * padding
  const squeeze = boldScale * textWidth(heading) > room ? ` textLength="${room}" lengthAdjust="spacingAndGlyphs"` : ''
  return svgText(heading, [x, baseline(y, 0)], `text-anchor="middle" font-weight="600"${squeeze}`)
}

/** What can be seen of a card that lies below the box: its lower edge and its right one. */
function drawCard([x, y]: Point, height: number, card: number): string {
  const [startX, startY] = [round(x + card * cardGap), y + height + (card - 1) * cardGap]
  const path = `M${startX} ${startY}v${cardGap}h${boxWidth}v${-height}h${-cardGap}`
  return `<path d="${path}" fill="none" stroke="${ink}" stroke-opacity="0.5"/>`
}

/** Each at the side it sends an item to. */
function featureLines({ features }: ShownSplit, [x, y]: Point): string[] {
  return features.map(({ feature, side }, line) => {
    const name = fitText(feature, boxWidth - 2 * padding - textWidth('← '))
    const fill = `fill="${sideColors[side]}"`
    if (side === 'left') return svgText(`← ${name}`, [x + padding, baseline(y, line + 1)], fill)
    return svgText(`${name} →`, [x + boxWidth - padding, baseline(y, line + 1)], `text-anchor="end" ${fill}`)
  })
}

function labelLines({ labels }: ShownEnd, [x, y]: Point): string[] {
  return labels.flatMap(({ label, rows }, line) => {
    const name = fitText(label, boxWidth - 3 * padding - textWidth(rows))
    return [
      svgText(name, [x + padding, baseline(y, line + 1)]),
      svgText(rows, [x + boxWidth - padding, baseline(y, line + 1)], 'text-anchor="end"'),
    ]
  })
}

function baseline(y: number, line: number): number {
  return y + padding + 10 + line * lineHeight
}

/** Nothing shortened, with the weights and a count of what is not shown. */
function fullText(node: ShownNode): string {
  const lines =
    node.kind === 'split'
      ? node.features.map(({ feature, weight }) => `${feature}: ${weight}`)
      : node.labels.map(({ label, rows }) => `${label}: ${rows}`)
  return [node.heading, ...lines, ...(node.rest ? [node.rest] : [])].join('\n')
}
