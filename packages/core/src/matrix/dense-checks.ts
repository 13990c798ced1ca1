// The checks at the door of every dense index. Rows and queries must be so short that no distance between two of them
// overflows 32 bits: then kernels never meet a NaN or an infinity, and the order of neighbors is always defined.

import { EngineError } from '../errors.ts'
import { checkWord } from '../options.ts'
import type { DenseMatrix } from './dense-matrix.ts'
import { type DenseMetric, denseMetrics } from './dense-metric.ts'

/** Squares of lengths stay below this: then |a − b|² ≤ (|a| + |b|)² is below the largest f32, 2¹²⁸. */
export const squareLimit = 2 ** 125

export function checkMetric(metric: DenseMetric): void {
  checkWord('metric', metric, denseMetrics)
}

export function checkCorpus(rows: DenseMatrix): void {
  if (rows.rows === 0) throw new EngineError('EMPTY_DATA', 'there are no rows to index')
  if (rows.columns === 0) throw new EngineError('EMPTY_DATA', 'the rows to index have no dimensions')
}

/** `name` is what messages call the vector: 'the query'. */
export function checkDims(found: number, dims: number, name: string): void {
  if (found === dims) return
  throw new EngineError('DIMENSION_MISMATCH', `${name} has ${found} dimensions, this index has ${dims}`, {
    hint: 'Use the same embedding model for queries as for the rows of the index.',
  })
}

/** The squared length of `row`, which is found good for the metric: finite, not too long, and for cosine not zero. */
export function checkedSquare(row: Float32Array, metric: DenseMetric, name: () => string): number {
  let square = 0
  for (let j = 0; j < row.length; j++) square += row[j] * row[j]
  const isGood = metric === 'cosine' ? square > 0 && square < Number.POSITIVE_INFINITY : square < squareLimit
  if (!isGood) throw faultOf(row, square, name())
  return square
}

/** Rows of length 1 that were rounded have squares this near 1. */
const unitTolerance = 1e-3

/** Whether rows that an index has kept are as `checkedSquare` lets them in and, under cosine, as they are scaled; holes are zeros. */
export function areKeptRows(values: Float32Array, dims: number, metric: DenseMetric, isHole: (row: number) => boolean) {
  const [least, most] = metric === 'cosine' ? [1 - unitTolerance, 1 + unitTolerance] : [0, squareLimit]
  for (let row = 0; row * dims < values.length; row++) {
    let square = 0
    for (let at = row * dims; at < (row + 1) * dims; at++) square += values[at] * values[at]
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
