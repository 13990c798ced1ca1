// A plot for terminals: points of several series between two axes, a sign for each series.

import { formatTick, makeAxis, type Plot, type PlotAxis, valuesOf } from './axis.ts'

export interface TextPlotOptions {
  /** Characters between the axes. Default 60. */
  readonly width?: number
  /** Lines between the axes. Default 15. */
  readonly height?: number
}

const signs = ['●', '○', '◆', '◇', '▲', '△', '■', '□'] as const

/** Draws a plot as lines of text, each ending with a newline. A later series covers an earlier one. */
export function textPlot({ title, x, y, series }: Plot, { width = 60, height = 15 }: TextPlotOptions = {}): string {
  const xAxis = makeAxis(x, valuesOf(series, 'x'), Math.max(2, Math.floor(width / 12)))
  const yAxis = makeAxis(y, valuesOf(series, 'y'), Math.max(2, Math.floor(height / 3)))
  const field = Array.from({ length: height }, () => new Array<string>(width).fill(' '))
  for (const [number, { points }] of series.entries()) {
    for (const [px, py] of points) {
      field[height - 1 - cell(yAxis.place(py), height)]![cell(xAxis.place(px), width)] = signOf(number)
    }
  }
  const margin = Math.max(...yAxis.ticks.map(tick => formatTick(tick).length))
  return [
    ...(title === undefined ? [] : [title]),
    y.label,
    ...withTicks(field, yAxis, margin),
    ...bottom(xAxis, width, margin),
    ...(series.length > 1
      ? series.map(({ name }, number) => `${' '.repeat(margin + 2)}${signOf(number)} ${name}`)
      : []),
  ]
    .map(line => `${line.trimEnd()}\n`)
    .join('')
}

function signOf(number: number): string {
  return signs[number % signs.length]!
}

/** Which of `count` characters holds a place from 0 to 1. */
function cell(place: number, count: number): number {
  return Math.round(place * (count - 1))
}

/** The lines of the field behind the upright axis. */
function withTicks(field: readonly string[][], axis: PlotAxis, margin: number): string[] {
  const height = field.length
  const marks = new Map(axis.ticks.map(tick => [height - 1 - cell(axis.place(tick), height), formatTick(tick)]))
  return field.map((characters, line) => {
    const mark = marks.get(line)
    return `${(mark ?? '').padStart(margin)} ${mark === undefined ? '│' : '┤'}${characters.join('')}`
  })
}

/** The level axis, its marks, and its label. Marks that would touch the one before are left out. */
function bottom(axis: PlotAxis, width: number, margin: number): string[] {
  const line = new Array<string>(width).fill('─')
  let marks = ''
  for (const tick of axis.ticks) {
    const at = cell(axis.place(tick), width)
    const text = formatTick(tick)
    const from = Math.max(0, at - Math.floor(text.length / 2))
    if (marks !== '' && from <= marks.length) continue
    line[at] = '┬'
    marks = marks.padEnd(from) + text
  }
  const space = ' '.repeat(margin + 1)
  return [
    `${space}└${line.join('')}`,
    `${space} ${marks}`,
    `${space} ${axis.label.padStart(Math.floor((width + axis.label.length) / 2))}`,
  ]
}
