// A line plot as a standalone SVG picture: several named series, each with a marker and a color, and axes with marks.

import { checkOptions, optionTable, refuse } from '../options.ts'
import { formatTick, makeAxis, type Plot, type PlotAxis, valuesOf } from './axis.ts'
import { checkPlot } from './check-plot.ts'
import { colorOf, ink, type Point, round, svgPicture, svgText } from './svg-parts.ts'

/** Options of `svgPlot`. */
export interface SvgPlotOptions {
  /** Of the whole picture. Default 640. */
  readonly width?: number
  /** Of the whole picture. Default 400. */
  readonly height?: number
}

/** The space between the axes, in the picture's coordinates. */
interface Frame {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** A smaller plot has no room for axes; a larger one fits no screen. */
const [leastPixels, mostPixels] = [160, 100_000]
const svgOptions = optionTable<SvgPlotOptions>({ width: checkPixels, height: checkPixels })

const legendLine = 18

/** Returns the SVG as text, ending with a newline. */
export function svgPlot(plot: Plot, options: SvgPlotOptions = {}): string {
  checkOptions(options, svgOptions)
  checkPlot(plot)
  const { title, x, y, series } = plot
  const { width = 640, height = 400 } = options
  const legendTop = title === undefined ? 16 : 48
  const top = legendTop + legendLine * Math.ceil(series.length / 2)
  const frame: Frame = { left: 72, right: width - 36, top, bottom: height - 56 }
  const xAxis = makeAxis(x, valuesOf(series, 'x'), Math.max(2, Math.floor((frame.right - frame.left) / 90)))
  const yAxis = makeAxis(y, valuesOf(series, 'y'), Math.max(2, Math.floor((frame.bottom - frame.top) / 50)))
  const toPoint = ([px, py]: readonly [number, number]): Point => [
    between(frame.left, frame.right, xAxis.place(px)),
    between(frame.bottom, frame.top, yAxis.place(py)),
  ]
  return svgPicture(title, width, height, [
    ...levelAxis(xAxis, frame),
    ...uprightAxis(yAxis, frame),
    ...series.flatMap(({ points }, number) => drawSeries(points.map(toPoint), number)),
    ...series.flatMap(({ name }, number) => legend(name, number, frame, legendTop)),
  ])
}

function levelAxis(axis: PlotAxis, { left, right, top, bottom }: Frame): string[] {
  const marks = axis.ticks.flatMap(tick => {
    const at = between(left, right, axis.place(tick))
    return [rule([at, top], [at, bottom]), svgText(formatTick(tick), [at, bottom + 18], 'text-anchor="middle"')]
  })
  return [...marks, svgText(axis.label, [(left + right) / 2, bottom + 42], 'text-anchor="middle"')]
}

function uprightAxis(axis: PlotAxis, { left, right, top, bottom }: Frame): string[] {
  const marks = axis.ticks.flatMap(tick => {
    const at = between(bottom, top, axis.place(tick))
    return [rule([left, at], [right, at]), svgText(formatTick(tick), [left - 8, at + 4], 'text-anchor="end"')]
  })
  const [x, y] = [18, round((top + bottom) / 2)]
  return [...marks, svgText(axis.label, [x, y], `text-anchor="middle" transform="rotate(-90 ${x} ${y})"`)]
}

function drawSeries(points: readonly Point[], number: number): string[] {
  const path = points.map(point => formatPoint(point)).join(' ')
  const line = `<polyline points="${path}" fill="none" stroke="${colorOf(number)}" stroke-width="2"/>`
  return [...(points.length > 1 ? [line] : []), ...points.map(point => sign(point, number))]
}

/** Two names a line, above the frame. */
function legend(name: string, number: number, { left, right }: Frame, top: number): string[] {
  const x = number % 2 === 0 ? left : (left + right) / 2
  const y = top + legendLine * Math.floor(number / 2)
  return [sign([x + 6, y], number), svgText(name, [x + 18, y + 4])]
}

/** Series differ by marker as well as by color: circle, square, diamond, triangle. */
function sign([x, y]: Point, number: number): string {
  const [cx, cy] = [round(x), round(y)]
  const fill = `fill="${colorOf(number)}"`
  if (number % signCorners.length === 0) return `<circle cx="${cx}" cy="${cy}" r="4" ${fill}/>`
  const corners = signCorners[number % signCorners.length]!
  return `<polygon points="${corners.map(([dx, dy]) => formatPoint([x + dx, y + dy])).join(' ')}" ${fill}/>`
}

/** Around the sign's middle; none for the circle. */
const signCorners: readonly (readonly Point[])[] = [
  [],
  [
    [-4, -4],
    [4, -4],
    [4, 4],
    [-4, 4],
  ],
  [
    [0, -5.5],
    [5.5, 0],
    [0, 5.5],
    [-5.5, 0],
  ],
  [
    [0, -5],
    [5, 4],
    [-5, 4],
  ],
]

function rule(from: Point, to: Point): string {
  const [x1, y1, x2, y2] = [...from, ...to].map(round)
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${ink}" stroke-opacity="0.3"/>`
}

function between(from: number, to: number, place: number): number {
  return from + (to - from) * place
}

function formatPoint([x, y]: Point): string {
  return `${round(x)},${round(y)}`
}

function checkPixels(name: string, value: unknown): void {
  if (typeof value === 'number' && value >= leastPixels && value <= mostPixels) return
  refuse(name, value, `${leastPixels} to ${mostPixels} pixels`)
}
