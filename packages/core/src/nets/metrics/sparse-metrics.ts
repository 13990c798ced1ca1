// The same distances of sparse rows, without making them dense: one walk along both rows computes the sums for all of them.

import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import { angleOf } from './dense-metrics.ts'

/** The sums of the last walk: one object for all calls, so that a distance allocates nothing. */
const sums = { squares: 0, absolutes: 0, largest: 0, product: 0, least: 0, most: 0, squareA: 0, squareB: 0 }

type Distance = (a: SparseRow, b: SparseRow) => number

export const sparseMetricFunctions = {
  euclidean: (a, b) => Math.sqrt(walk(a, b).squares),
  manhattan: (a, b) => walk(a, b).absolutes,
  chebyshev: (a, b) => walk(a, b).largest,
  angle(a, b) {
    const { product, squareA, squareB } = walk(a, b)
    return angleOf(product, squareA, squareB)
  },
  jaccard(a, b) {
    const { least, most } = walk(a, b)
    return most === 0 ? 0 : 1 - least / most
  },
} as const satisfies Record<string, Distance>

export type SparseMetricName = keyof typeof sparseMetricFunctions

function walk(a: SparseRow, b: SparseRow): typeof sums {
  let [squares, absolutes, largest, product, least, most, squareA, squareB] = [0, 0, 0, 0, 0, 0, 0, 0]
  const [indicesA, indicesB] = [a.indices, b.indices]
  for (let i = 0, j = 0; i < indicesA.length || j < indicesB.length; ) {
    const featureA = i < indicesA.length ? indicesA[i] : 2 ** 32
    const featureB = j < indicesB.length ? indicesB[j] : 2 ** 32
    const x = featureA <= featureB ? a.values[i++] : 0
    const y = featureB <= featureA ? b.values[j++] : 0
    const difference = Math.abs(x - y)
    squares += difference * difference
    absolutes += difference
    if (difference > largest) largest = difference
    product += x * y
    least += Math.min(x, y)
    most += Math.max(x, y)
    squareA += x * x
    squareB += y * y
  }
  sums.squares = squares
  sums.absolutes = absolutes
  sums.largest = largest
  sums.product = product
  sums.least = least
  sums.most = most
  sums.squareA = squareA
  sums.squareB = squareB
  return sums
}
