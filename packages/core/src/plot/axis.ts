// One axis of a plot: where a value is on it, and which values are marked. Linear or logarithmic.
// Invariant: every point and every mark has a place from 0 to 1.

import { EngineError } from '../errors.ts'

/** The label and scale of an axis. */
export interface AxisOptions {
  readonly label: string
  /** Default 'linear'. */
  readonly scale?: 'linear' | 'log'
}

/** A named list of points, joined by a line in this order. */
export interface Series {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

/** The title, axes and series that `svgPlot` draws. */
export interface Plot {
  readonly title?: string
  readonly x: AxisOptions
  readonly y: AxisOptions
  readonly series: readonly Series[]
}

export interface PlotAxis {
  readonly label: string
  /** Values to mark, ascending. */
  readonly ticks: readonly number[]
  /** 0 at the axis's beginning, 1 at its end. */
  place(value: number): number
}

/** An axis long enough for all `values`, with about `marks` marks. */
export function makeAxis({ label, scale = 'linear' }: AxisOptions, values: readonly number[], marks: number): PlotAxis {
  checkValues(label, scale, values)
  const least = values.reduce((a, b) => Math.min(a, b))
  const most = values.reduce((a, b) => Math.max(a, b))
  return scale === 'log' ? logAxis(label, least, most) : linearAxis(label, least, most, marks)
}

/** The numbers of one axis of all series. */
export function valuesOf(series: readonly Series[], axis: 'x' | 'y'): number[] {
  return series.flatMap(({ points }) => points.map(point => point[axis === 'x' ? 0 : 1]))
}

/** A mark as short as it can be: '0.95', '20', '1,000'. */
export function formatTick(value: number): string {
  return new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 }).format(value)
}

function linearAxis(label: string, least: number, most: number, marks: number): PlotAxis {
  const step = niceStep((most - least) / marks || Math.abs(most) / marks || 1)
  const from = Math.floor(least / step + 1e-9)
  const to = Math.max(Math.ceil(most / step - 1e-9), from + 1)
  // Multiples of the step, rounded: repeated additions of 0.1 would drift.
  const ticks = Array.from({ length: to - from + 1 }, (_, i) => Number(((from + i) * step).toPrecision(12)))
  return { label, ticks, place: value => (value / step - from) / (to - from) }
}

/** 1, 2 or 5 times a power of ten: the smallest that is not below `step`. */
function niceStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step))
  return power * (digits.find(digit => digit * power >= step * (1 - 1e-9)) ?? 10)
}

const digits = [1, 2, 5] as const
/** On this many powers of ten and more, only these are marked. */
const manyPowers = 3

function logAxis(label: string, least: number, most: number): PlotAxis {
  const coarse = Math.log10(most / least) >= manyPowers
  const [from, to] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))]
  const powers = Array.from({ length: to - from + 1 }, (_, i) => from + i)
  const marks = powers.flatMap(power => (coarse ? [1] : digits).map(digit => Number(`${digit}e${power}`)))
  const first = marks.findLastIndex(mark => mark <= least)
  const last = marks.findIndex((mark, i) => mark >= most && i > first)
  const ticks = marks.slice(first, last + 1)
  const [begin, end] = [Math.log10(ticks[0]!), Math.log10(ticks.at(-1)!)]
  return { label, ticks, place: value => (Math.log10(value) - begin) / (end - begin) }
}

function checkValues(label: string, scale: 'linear' | 'log', values: readonly number[]): void {
  if (values.length === 0) throw new EngineError('EMPTY_DATA', 'there are no points to plot')
  const bad = values.find(value => !Number.isFinite(value) || (scale === 'log' && value <= 0))
  if (bad === undefined) return
  const expected = scale === 'log' ? 'a finite number above 0' : 'a finite number'
  throw new EngineError('BAD_DATA', `"${label}" has the value ${bad}, expected ${expected}`)
}
