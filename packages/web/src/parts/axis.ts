// Places and ticks on an axis of a chart.

export interface Axis {
  /** Where a value is drawn. */
  place(value: number): number
  readonly ticks: readonly number[]
}

/** From `low` to `high`, drawn between `from` and `to`. */
export function linearAxis(low: number, high: number, from: number, to: number, count = 4): Axis {
  const span = high - low || 1
  const step = niceStep(span / count)
  const first = Math.ceil(low / step - 1e-9)
  const last = Math.floor(high / step + 1e-9)
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step)
  return { place: value => from + ((value - low) / span) * (to - from), ticks }
}

/** Like linearAxis, by the logarithm: for values that differ by factors. Ticks are 1, 2 or 5 times a power of ten. */
export function logAxis(low: number, high: number, from: number, to: number): Axis {
  const { place } = linearAxis(Math.log(low), Math.log(high), from, to)
  const ticks: number[] = []
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
    ticks.push(...[1, 2, 5].map(digit => digit * 10 ** power).filter(tick => tick >= low && tick <= high))
  }
  return { place: value => place(Math.log(value)), ticks }
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  return power * ([1, 2, 5, 10].find(digit => digit * power >= rough) ?? 10)
}
