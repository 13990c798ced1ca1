// The leading principal directions of a few rows, by power iteration and deflation: for samples, where a plain loop is enough.

import type { Random } from '../random.ts'
import type { View } from './grower.ts'

const rounds = 12

/** f32 [count × dims], the widest first, each of length 1; zeros if the rows do not extend in more directions. */
export function principalDirections(view: View, picked: Uint32Array, count: number, random: Random): Float32Array {
  const { dims } = view
  const rows = centered(view, picked)
  const found = new Float32Array(count * dims)
  for (let i = 0; i < count; i++) {
    const direction = leading(rows, picked.length, dims, random)
    found.set(direction, i * dims)
    deflate(rows, picked.length, direction)
  }
  return found
}

function centered({ values, dims }: View, picked: Uint32Array): Float64Array {
  const rows = new Float64Array(picked.length * dims)
  const mean = new Float64Array(dims)
  picked.forEach((row, i) => {
    for (let j = 0; j < dims; j++) {
      rows[i * dims + j] = values[row * dims + j]
      mean[j] += values[row * dims + j] / picked.length
    }
  })
  for (let e = 0; e < rows.length; e++) rows[e] -= mean[e % dims]
  return rows
}

function leading(rows: Float64Array, count: number, dims: number, random: Random): Float64Array {
  let direction = unit(Float64Array.from({ length: dims }, () => random.normal()))
  for (let round = 0; round < rounds; round++) {
    const next = new Float64Array(dims)
    for (let i = 0; i < count; i++) addScaled(next, rows, i, product(rows, i, direction))
    direction = unit(next)
  }
  return direction
}

function deflate(rows: Float64Array, count: number, direction: Float64Array): void {
  const dims = direction.length
  for (let i = 0; i < count; i++) {
    const along = product(rows, i, direction)
    for (let j = 0; j < dims; j++) rows[i * dims + j] -= along * direction[j]
  }
}

function product(rows: Float64Array, row: number, direction: Float64Array): number {
  let sum = 0
  for (let j = 0; j < direction.length; j++) sum += rows[row * direction.length + j] * direction[j]
  return sum
}

function addScaled(out: Float64Array, rows: Float64Array, row: number, scale: number): void {
  for (let j = 0; j < out.length; j++) out[j] += scale * rows[row * out.length + j]
}

function unit(vector: Float64Array): Float64Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return length > 0 ? vector.map(value => value / length) : vector
}
