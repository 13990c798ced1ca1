// Checks of rows and queries for every dense index. Vectors must be short enough that no distance between two of them overflows 32
// bits. So kernels never see a NaN or an infinity, and the order of neighbors is always defined.

import { EngineError } from '../errors.ts'
import { checkWord } from '../options.ts'
import { checkSomeRows } from './checks.ts'
import { type DenseMetric, denseMetrics } from './dense-metric.ts'
import type { DenseNumbers } from './dense-values.ts'

/** Squares of lengths stay below this: then |a − b|² ≤ (|a| + |b|)² is below the largest f32, 2¹²⁸. */
export const squareLimit = 2 ** 125

export function checkMetric(metric: DenseMetric): void {
  checkWord('metric', metric, denseMetrics)
}

export function checkCorpus(rows: DenseNumbers): void {
  checkSomeRows(rows.rows)
  if (rows.columns === 0) throw new EngineError('EMPTY_DATA', 'the rows to index have no dimensions')
}

/** If all rows are shorter than this, squares of their differences lose their digits, and in the end are 0. */
const leastLength = 2 ** -50

/** `square` is that of the longest row; zeros alone are fine. */
export function checkScale(square: number, metric: DenseMetric): void {
  if (metric !== 'euclidean' || square === 0 || square >= leastLength ** 2) return
  const [length, least] = [Math.sqrt(square), leastLength].map(of => of.toExponential(1))
  throw new EngineError('BAD_DATA', `your longest row has length ${length}, expected ${least} or more`, {
    hint: 'Multiply all rows and queries by the same number: such small distances do not fit 32-bit numbers.',
  })
}

/** `name` is what messages call the vector: 'the query'. */
export function checkDims(found: number, dims: number, name: string): void {
  if (found === dims) return
  throw new EngineError('DIMENSION_MISMATCH', `${name} has ${found} dimensions, this index has ${dims}`, {
    hint: 'Use the same embedding model for queries as for the rows of the index.',
  })
}

/** The squared length of `row`, `square` if you know it; refuses rows that are not finite, too long, or zero under cosine. */
export function checkedSquare(
  row: Float32Array,
  metric: DenseMetric,
  name: () => string,
  square = squareOf(row),
): number {
  const isGood = metric === 'cosine' ? square > 0 && square < Number.POSITIVE_INFINITY : square < squareLimit
  if (!isGood) throw faultOf(row, square, name())
  return square
}

/** In four sums, so that no addition waits for the one before. */
export function squareOf(row: Float32Array): number {
  let [a, b, c, d] = [0, 0, 0, 0]
  const most = row.length - 3
  let j = 0
  for (; j < most; j += 4) {
    a += row[j] * row[j]
    b += row[j + 1] * row[j + 1]
    c += row[j + 2] * row[j + 2]
    d += row[j + 3] * row[j + 3]
  }
  for (; j < row.length; j++) a += row[j] * row[j]
  return a + b + (c + d)
}

/** Rows scaled to length 1 have squares this close to 1 after rounding. */
const unitTolerance = 1e-3

/** Whether stored rows pass `checkedSquare` and, under cosine, have length 1; removed rows are zeros. */
export function areKeptRows(values: Float32Array, dims: number, metric: DenseMetric, isHole: (row: number) => boolean) {
  const [least, most] = metric === 'cosine' ? [1 - unitTolerance, 1 + unitTolerance] : [0, squareLimit]
  for (let row = 0; row * dims < values.length; row++) {
    const square = squareOf(values.subarray(row * dims, (row + 1) * dims))
    const isGood = square >= least && square < most
    if (!isGood && !(square === 0 && isHole(row))) return false
  }
  return true
}

function faultOf(row: Float32Array, square: number, name: string): EngineError {
  const column = row.findIndex(value => !Number.isFinite(value))
  if (column >= 0) {
    return new EngineError('BAD_DATA', `${name}, column ${column} is ${row[column]}, expected a finite 32-bit number`, {
      hint: 'Remove or replace the value.',
    })
  }
  if (square === 0) {
    return new EngineError('BAD_DATA', `${name} is all zeros, so it has no direction, which cosine needs`, {
      hint: 'Leave it out, or use the euclidean metric.',
    })
  }
  return tooLong(name, square)
}

/** The error for a vector whose distances would overflow. */
export function tooLong(name: string, square: number): EngineError {
  const [length, limit] = [square, squareLimit].map(of => Math.sqrt(of).toExponential(1))
  return new EngineError('BAD_DATA', `${name} has length ${length}, expected less than ${limit}`, {
    hint: 'Scale the values down: distances would not fit 32-bit numbers.',
  })
}
