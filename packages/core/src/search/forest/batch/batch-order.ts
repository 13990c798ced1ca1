// The order in which a batch answers its queries: queries on the same side of the widest axes one after the other. They walk through the
// same rows, which are in the caches then.

import type { Scope, Slice } from '../../../kernels/arena.ts'
import type { Engine } from '../../../kernels/engine.ts'
import { forestKernels } from '../../../kernels/sets/forest.ts'
import type { Sketch } from '../../dense/sketch.ts'

/** Fewer queries have too little in common. */
const fewestOrdered = 256
/** Axes compared: with ten, a thousand sorts of queries. */
const mostAxes = 10

/** Which query comes when; undefined if their order does not matter. */
export function orderQueries(
  engine: Engine,
  scope: Scope,
  sketch: Sketch,
  queries: Slice<Float32Array>,
): Uint32Array | undefined {
  const dims = sketch.rowDims
  const count = queries.length / dims
  if (count < fewestOrdered) return undefined
  const axes = Math.min(mostAxes, sketch.axisCount)
  const places = scope.allocate(Float32Array, count * axes, 'an order of queries')
  const [axesAt, shiftsAt] = [sketch.axes.pointer, sketch.shifts.pointer]
  engine
    .exactKernels(forestKernels)
    .sketchRows(queries.pointer, dims, axesAt, shiftsAt, axes, 0, 0, 0, 0, count, places.pointer)
  // A side each for the widest axes first; then the query's number.
  const keys = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    let sides = 0
    for (let a = 0; a < axes; a++) sides = 2 * sides + (places.array[i * axes + a] > 0 ? 1 : 0)
    keys[i] = sides * count + i
  }
  places.free()
  return Uint32Array.from(keys.sort(), key => key % count)
}

/** Puts row order[i] in place i. */
export function permuteRows(values: Float32Array, dims: number, order: Uint32Array): void {
  const isDone = new Uint8Array(order.length)
  const held = new Float32Array(dims)
  for (let start = 0; start < order.length; start++) {
    if (isDone[start]) continue
    held.set(values.subarray(start * dims, (start + 1) * dims))
    let at = start
    for (; order[at] !== start; at = order[at]) {
      values.copyWithin(at * dims, order[at] * dims, (order[at] + 1) * dims)
      isDone[at] = 1
    }
    values.set(held, at * dims)
    isDone[at] = 1
  }
}

/** Puts what was found for the i-th query answered back to place order[i]. */
export function restoreOrder<T extends { readonly k: number; readonly rows: Uint32Array; readonly raw: Float32Array }>(
  found: T & { readonly counts: Uint32Array },
  order: Uint32Array,
): T & { readonly counts: Uint32Array } {
  const { k } = found
  const [rows, raw] = [new Uint32Array(found.rows.length), new Float32Array(found.raw.length)]
  const counts = new Uint32Array(found.counts.length)
  for (const [i, query] of order.entries()) {
    rows.set(found.rows.subarray(i * k, (i + 1) * k), query * k)
    raw.set(found.raw.subarray(i * k, (i + 1) * k), query * k)
    counts[query] = found.counts[i]
  }
  return { ...found, rows, raw, counts }
}
