// Where a layout begins: the two directions along which similarities differ most, found by power iteration.

import type { Similarities } from './layout.ts'

const steps = 60
/** Small, so that all points can still pass each other. */
const spread = 0.01

export function principalPlaces(similarities: Similarities): Float64Array {
  const { count } = similarities
  const first = principalDirection(similarities, [], 1)
  const second = principalDirection(similarities, [first], 2)
  const scale = spread * Math.sqrt(count)
  const places = new Float64Array(2 * count)
  for (let i = 0; i < count; i++) {
    // Even identical points get places of their own.
    places[2 * i] = scale * first[i] + (spread / 10) * bend(i, 1)
    places[2 * i + 1] = scale * second[i] + (spread / 10) * bend(i, 2)
  }
  return places
}

/** Of length 1, at right angles to those found before; zeros if nothing is left. */
function principalDirection(
  { count, values }: Similarities,
  before: readonly Float64Array[],
  number: number,
): Float64Array {
  let direction = Float64Array.from({ length: count }, (_, i) => bend(i, number))
  for (let step = 0; step < steps; step++) {
    const next = new Float64Array(count)
    for (let i = 0; i < count; i++) {
      let sum = 0
      for (let j = 0; j < count; j++) sum += values[i * count + j] * direction[j]
      next[i] = sum
    }
    for (const other of before) {
      const along = dot(next, other)
      for (let i = 0; i < count; i++) next[i] -= along * other[i]
    }
    const length = Math.sqrt(dot(next, next))
    if (length < 1e-12) return new Float64Array(count)
    direction = next.map(value => value / length)
  }
  return direction
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}

/** Numbers from −1 to 1 that repeat no pattern: multiples of irrational steps, so the same on every machine. */
function bend(i: number, number: number): number {
  const turn = (i + 1) * (number === 1 ? 0.618033988749895 : 0.7548776662466927)
  return 2 * (turn - Math.floor(turn)) - 1
}
