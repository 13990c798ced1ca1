// Distances of dense vectors, a tight loop each. All are metrics: 'angle' instead of 1 − cosine, which breaks the triangle inequality;
// 'jaccard' in its weighted form (1 − Σ min / Σ max), which is the usual one if values are 0 and 1; 'earth-mover' between
// histograms over one dimension, brought to the same mass: the sum of the differences of their running totals.

import { EngineError } from '../../errors.ts'
import type { Metric } from './metric.ts'

type Distance = (a: Float32Array, b: Float32Array) => number

export const denseMetricFunctions = {
  euclidean(a, b) {
    let sum = 0
    for (let j = 0; j < a.length; j++) {
      const difference = a[j] - b[j]
      sum += difference * difference
    }
    return Math.sqrt(sum)
  },
  manhattan(a, b) {
    let sum = 0
    for (let j = 0; j < a.length; j++) sum += Math.abs(a[j] - b[j])
    return sum
  },
  chebyshev(a, b) {
    let most = 0
    for (let j = 0; j < a.length; j++) most = Math.max(most, Math.abs(a[j] - b[j]))
    return most
  },
  angle(a, b) {
    let [product, squareA, squareB] = [0, 0, 0]
    for (let j = 0; j < a.length; j++) {
      product += a[j] * b[j]
      squareA += a[j] * a[j]
      squareB += b[j] * b[j]
    }
    return angleOf(product, squareA, squareB)
  },
  jaccard(a, b) {
    let [least, most] = [0, 0]
    for (let j = 0; j < a.length; j++) {
      least += Math.min(a[j], b[j])
      most += Math.max(a[j], b[j])
    }
    return most === 0 ? 0 : 1 - least / most
  },
  'earth-mover'(a, b) {
    const [massA, massB] = [massOf(a), massOf(b)]
    let [moved, sum] = [0, 0]
    for (let j = 0; j < a.length; j++) {
      moved += a[j] / massA - b[j] / massB
      sum += Math.abs(moved)
    }
    return sum
  },
} as const satisfies Record<string, Distance>

export type DenseMetricName = keyof typeof denseMetricFunctions

/** What the metric requires of a vector besides finite numbers. */
export function denseCheck(name: DenseMetricName): Metric<Float32Array>['check'] {
  if (name === 'jaccard') return refuseNegative
  if (name !== 'earth-mover') return undefined
  return (item, what) => {
    refuseNegative(item, what)
    if (massOf(item) > 0) return
    throw new EngineError('BAD_DATA', `${what} is all zeros, so it is not a histogram, which earth-mover needs`)
  }
}

/** In radians. A zero vector is at a right angle to all others, so that the angle remains a metric. */
export function angleOf(product: number, squareA: number, squareB: number): number {
  if (squareA === 0 || squareB === 0) return squareA === squareB ? 0 : Math.PI / 2
  return Math.acos(Math.max(-1, Math.min(1, product / Math.sqrt(squareA * squareB))))
}

export function refuseNegative(values: Float32Array, what: string): void {
  const at = values.findIndex(value => value < 0)
  if (at < 0) return
  throw new EngineError('BAD_DATA', `${what}, value ${at} is ${values[at]}, expected a number of at least 0`, {
    hint: 'jaccard and earth-mover compare amounts. Use euclidean or manhattan for numbers below 0.',
  })
}

function massOf(histogram: Float32Array): number {
  let mass = 0
  for (let j = 0; j < histogram.length; j++) mass += histogram[j]
  return mass
}
