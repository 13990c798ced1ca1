// The principal axes of a sample of rows, by subspace iteration in worker threads: the axes are multiplied by the sample's
// covariance and made orthogonal again, round after round, until the widest come first.

import type { Slice } from '../../kernels/arena.ts'
import type { Engine } from '../../kernels/engine.ts'
import { forestKernels } from '../../kernels/sets/forest.ts'
import { inTurns, type LongWork, type Steps } from '../../long-work.ts'
import { Random } from '../../random.ts'

export interface AxesFit extends LongWork {
  /** f32 [rows × dims] in the arena. */
  readonly sample: Slice<Float32Array>
  readonly rows: number
  readonly dims: number
  /** How many axes, at most `dims`. */
  readonly axes: number
  readonly seed: number
  readonly threads?: number | undefined
}

const rounds = 8
/** The sample is split into this many parts for any number of threads, so that sums have one order. */
const parts = 8

/** `axes` rows of length 1, f32 [axes × dims], the widest first, and the mean. */
export async function principalAxes(engine: Engine, fit: AxesFit): Promise<{ axes: Float32Array; mean: Float32Array }> {
  const { sample, rows, dims, axes: count, seed, threads, signal, onProgress } = fit
  const scope = engine.arena.scope()
  try {
    const random = new Random(seed)
    const mean = scope.place(meanOf(sample.array, rows, dims))
    const axes = scope.allocate(Float32Array, count * dims, 'the axes of a sketch')
    const straighten = async (rows: Float64Array) => {
      const straight = await inTurns(orthogonal(rows, dims, random), { signal })
      axes.array.set(straight)
    }
    await straighten(Float64Array.from({ length: count * dims }, () => random.normal()))
    const picked = scope.place(Uint32Array.from({ length: rows }, (_, i) => i))
    const sums = scope.allocate(Float32Array, parts * count * dims, 'the axes of a sketch')
    const jobs = Array.from({ length: parts }, (_, part) => [
      ...[sample.pointer, picked.pointer, bound(part, rows), bound(part + 1, rows), dims],
      ...[mean.pointer, axes.pointer, count, sums.pointer + 4 * part * count * dims],
    ])
    const pool = engine.pool(threads)
    for (let round = 0; round < rounds; round++) {
      sums.array.fill(0)
      await pool.run(forestKernels, 'spreadAlongAxes', jobs, { scratchBytes: 4 * (dims + count), signal })
      await straighten(addParts(sums.array, count * dims))
      onProgress?.({ what: 'finding axes', done: round + 1, total: rounds })
    }
    return { axes: axes.array.slice(), mean: mean.array.slice() }
  } finally {
    scope.free()
  }
}

function bound(part: number, rows: number): number {
  return Math.floor((part * rows) / parts)
}

function meanOf(values: Float32Array, rows: number, dims: number): Float32Array {
  const sum = new Float64Array(dims)
  for (let i = 0; i < rows; i++) for (let j = 0; j < dims; j++) sum[j] += values[i * dims + j]
  return Float32Array.from(sum, value => value / rows)
}

function addParts(sums: Float32Array, length: number): Float64Array {
  const total = new Float64Array(length)
  for (let part = 0; part < parts; part++) for (let e = 0; e < length; e++) total[e] += sums[part * length + e]
  return total
}

/** Gram and Schmidt, twice over each row; a row that depends on the others is redrawn. With 256 axes it takes some 50 ms. */
function* orthogonal(rows: Float64Array, dims: number, random: Random): Steps<Float64Array> {
  const count = rows.length / dims
  for (let i = 0; i < count; i++) {
    const row = rows.subarray(i * dims, (i + 1) * dims)
    let before = Math.sqrt(product(row, row))
    for (;;) {
      for (let pass = 0; pass < 2; pass++) {
        for (let other = 0; other < i; other++) takeOut(row, rows.subarray(other * dims, (other + 1) * dims))
      }
      const length = Math.sqrt(product(row, row))
      if (length > 1e-6 * before) {
        for (let j = 0; j < dims; j++) row[j] /= length
        break
      }
      for (let j = 0; j < dims; j++) row[j] = random.normal()
      before = Math.sqrt(product(row, row))
    }
    yield
  }
  return rows
}

function takeOut(row: Float64Array, other: Float64Array): void {
  const along = product(row, other)
  for (let j = 0; j < row.length; j++) row[j] -= along * other[j]
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let j = 0; j < a.length; j++) sum += a[j] * b[j]
  return sum
}
