// A histogram of whole numbers, drawn with block characters. Small numbers get a bar each; wide ranges get bars that
// double (0, 1, 2–3, 4–7, …), because the counts (labels per row, rows per label, lengths) have a long tail.

import { bar } from './bar.ts'
import { formatCount } from './quantity.ts'
import { formatTable } from './table.ts'

export interface Bin {
  /** The smallest number counted here. */
  readonly from: number
  /** The largest one. */
  readonly to: number
  readonly count: number
}

const mostSingleBins = 12
const widestBar = 40

/** Counts whole numbers in [0, 2³²), in ascending bins from the smallest number met to the largest. */
export function countInBins(values: ArrayLike<number>): Bin[] {
  let largest = 0
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, values[i]!)
  const single = largest < mostSingleBins
  const binOf = single ? (value: number) => value : bitLength
  const counts = new Float64Array(binOf(largest) + 1)
  for (let i = 0; i < values.length; i++) counts[binOf(values[i]!)]!++
  const bins = Array.from(counts, (count, bin) => ({
    ...(single ? { from: bin, to: bin } : rangeOf(bin, largest)),
    count,
  }))
  const first = counts.findIndex(count => count > 0)
  return first < 0 ? [] : bins.slice(first)
}

/** One line per bin (its range, its count and a bar), with a header for the first two columns. */
export function formatHistogram(bins: readonly Bin[], heads: readonly [numbers: string, counts: string]): string {
  const most = Math.max(1, ...bins.map(({ count }) => count))
  const rows = bins.map(({ from, to, count }) => {
    const range = from === to ? formatCount(from) : `${formatCount(from)}–${formatCount(to)}`
    return [range, formatCount(count), bar(count / most, widestBar)]
  })
  return formatTable([heads, ...rows], ['right', 'right'])
}

/** 0 for 0, 1 for 1, 2 for 2 and 3, 3 for 4 to 7 … */
function bitLength(value: number): number {
  return 32 - Math.clz32(value)
}

/** The numbers of that bit length, up to the largest one. */
function rangeOf(bits: number, largest: number): { from: number; to: number } {
  return bits === 0 ? { from: 0, to: 0 } : { from: 2 ** (bits - 1), to: Math.min(2 ** bits - 1, largest) }
}
