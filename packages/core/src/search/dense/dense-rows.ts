// The rows of a dense index, f32 [rows × dims], in the engine's memory. Under cosine they have length
// 1, so that half a squared distance is 1 − cosine: accurate for near rows, unlike a product close to 1.

import type { Allocator, Slice } from '../../kernels/arena.ts'
import type { Engine } from '../../kernels/engine.ts'
import { GrowingSlice } from '../../kernels/growing-slice.ts'
import type { Discard } from '../../kernels/readers.ts'
import { finish, inTurns, type LongWork, type Steps } from '../../long-work.ts'
import { checkDims, checkedSquare, checkScale, squareOf } from '../../matrix/dense-checks.ts'
import type { DenseMetric } from '../../matrix/dense-metric.ts'
import type { DenseNumbers } from '../../matrix/dense-values.ts'
import { copyNumbers, type DenseVector, requireNumberList } from '../../matrix/given-vector.ts'

export class DenseRows {
  readonly metric: DenseMetric
  readonly dims: number
  readonly #slice: GrowingSlice<Float32Array>
  #rows: number

  /** Takes the slice over: [rows × dims] and room for more, already prepared. `discard` frees what batches may still be reading. */
  constructor(
    engine: Engine,
    metric: DenseMetric,
    dims: number,
    slice: Slice<Float32Array>,
    discard?: Discard,
    rows = slice.length / dims,
  ) {
    this.metric = metric
    this.dims = dims
    this.#slice = new GrowingSlice(engine.arena, Float32Array, { from: slice, growth: 2, what: 'the rows', discard })
    this.#rows = rows
  }

  /** Copies the rows into the arena in turns, checked, for cosine scaled to length 1. The numbers are copied before the first pause, unless `leaveUnchanged` was called: the caller may change them then. */
  static async fromInTurns(
    engine: Engine,
    metric: DenseMetric,
    matrix: DenseNumbers,
    discard: Discard,
    work: LongWork,
  ): Promise<DenseRows> {
    const scope = engine.arena.scope()
    try {
      const { signal } = work
      const { rows, columns, values } = matrix
      const slice = unchanging.has(matrix)
        ? await inTurns(placeInSteps(scope, values, Math.ceil(roomShare * rows) * columns), { signal })
        : finish(placeInSteps(scope, values))
      const square = await inTurns(prepareRows(slice, metric, columns, 'row', rows), { signal })
      checkScale(square, metric)
      return new DenseRows(engine, metric, columns, slice, discard, rows)
    } catch (error) {
      scope.free()
      throw error
    }
  }

  /** Rows in use. */
  get rows(): number {
    return this.#rows
  }

  /** Address of the first row; another one after `append` and `keep`. */
  get pointer(): number {
    return this.#slice.pointer
  }

  /** Whether raw values are products (the largest is the nearest) or squared distances. */
  get products(): boolean {
    return this.metric === 'dot'
  }

  /** Row `i` as a view, good until something is allocated. */
  row(i: number): Float32Array {
    return this.#slice.array.subarray(i * this.dims, (i + 1) * this.dims)
  }

  /** All rows as a view, good until something is allocated. */
  get array(): Float32Array {
    return this.#slice.array.subarray(0, this.#rows * this.dims)
  }

  /** All rows, copied in steps, as they are when the first one is taken. Hold them: they may move meanwhile. */
  *copySteps(): Steps<Float32Array> {
    const { slice } = this.#slice
    const length = this.#rows * this.dims
    yield
    const copy = new Float32Array(length)
    for (let from = 0; from < length; from += numbersPerStep) {
      const to = Math.min(length, from + numbersPerStep)
      copy.set(slice.array.subarray(from, to), from)
      yield
    }
    return copy
  }

  /** A query or a row to add, checked and, for cosine, scaled: a copy. `name` is what messages call it. */
  prepare(row: DenseVector, name: string): Float32Array {
    return this.prepareIn(new Float32Array(this.dims), row, name)
  }

  /**
   * The same in an array of the caller's, which it returns: making one for every query takes longer than filling it. `measure` gives
   * squared lengths.
   */
  prepareIn(
    target: Float32Array,
    row: DenseVector,
    name: string,
    measure: (row: Float32Array) => number = squareOf,
  ): Float32Array {
    requireNumberList(row, name)
    checkDims(row.length, this.dims, name)
    copyNumbers(row, target, 0, name)
    prepareRow(target, this.metric, () => name, measure(target))
    return target
  }

  /** Many queries in the arena, prepared the same way; on an error, free the scope. `what` names one of them in messages. */
  place(queries: DenseNumbers, scope: Allocator, what = 'query'): Slice<Float32Array> {
    checkDims(queries.columns, this.dims, `each ${what}`)
    return placePrepared(scope, this.metric, queries, what).slice
  }

  /** Adds a row that `prepare` gave. */
  append(row: Float32Array): void {
    this.#slice.append(row, this.#rows * this.dims)
    this.#rows++
  }

  /** Keeps only these rows, in this order. */
  keep(kept: Uint32Array): void {
    this.#slice.replace(kept.length * this.dims, fewer => {
      for (let i = 0; i < kept.length; i++) fewer.set(this.row(kept[i]), i * this.dims)
    })
    this.#rows = kept.length
  }

  /** The metric's distance, as f32, of a raw value: a squared distance, or a product if `products` is set. */
  distance(raw: number): number {
    if (this.metric === 'euclidean') return Math.fround(Math.sqrt(raw))
    return Math.fround(this.metric === 'cosine' ? raw / 2 : 0 - raw)
  }

  free(): void {
    this.#slice.free()
  }
}

/** Copies the rows into the arena at once, checked, for cosine scaled to length 1. `what` names a row in messages. */
export function denseRowsFrom(
  engine: Engine,
  metric: DenseMetric,
  matrix: DenseNumbers,
  what = 'row',
  discard?: Discard,
): DenseRows {
  const scope = engine.arena.scope()
  try {
    const { slice, square } = placePrepared(scope, metric, matrix, what)
    checkScale(square, metric)
    return new DenseRows(engine, metric, matrix.columns, slice, discard)
  } catch (error) {
    scope.free()
    throw error
  }
}

function placePrepared(
  allocator: Allocator,
  metric: DenseMetric,
  matrix: DenseNumbers,
  what: string,
): { slice: Slice<Float32Array>; square: number } {
  const { columns, values } = matrix
  const slice = finish(placeInSteps(allocator, values))
  return { slice, square: finish(prepareRows(slice, metric, columns, what)) }
}

/** About this many numbers per step. */
const numbersPerStep = 2 ** 16

const unchanging = new WeakSet<DenseNumbers>()
/** Rows that are made of such a matrix get room for more: they will grow. Memory that nobody writes to takes up none. */
const roomShare = 4 / 3

/** Promises that nobody changes the matrix, so that it is copied in steps when rows are made of it. */
export function leaveUnchanged<Numbers extends DenseNumbers>(matrix: Numbers): Numbers {
  unchanging.add(matrix)
  return matrix
}

function* placeInSteps(
  scope: Allocator,
  values: DenseNumbers['values'],
  length = values.length,
): Steps<Slice<Float32Array>> {
  const slice = scope.allocateUnset(Float32Array, length, 'the rows')
  for (let from = 0; from < values.length; from += numbersPerStep) {
    slice.array.set(values.subarray(from, from + numbersPerStep), from)
    yield
  }
  return slice
}

/** Returns the squared length of the longest row. */
function* prepareRows(
  slice: Slice<Float32Array>,
  metric: DenseMetric,
  columns: number,
  what: string,
  rows = slice.length / columns,
): Steps<number> {
  let longest = 0
  const perStep = Math.ceil(numbersPerStep / columns)
  for (let from = 0; from < rows; from += perStep) {
    const { array } = slice // another one if memory has grown in a pause
    for (let i = from; i < Math.min(rows, from + perStep); i++) {
      const square = prepareRow(array.subarray(i * columns, (i + 1) * columns), metric, () => `${what} ${i}`)
      longest = Math.max(longest, square)
    }
    yield
  }
  return longest
}

/** Squares of lengths that are 1 up to the precision of 32 bits: scaling again would change some last bits, and nothing else. */
const unitError = 2 ** -22

/** Checks the row, and for cosine scales it in place to length 1. Returns the square of the length it had. */
function prepareRow(row: Float32Array, metric: DenseMetric, name: () => string, known = squareOf(row)): number {
  const square = checkedSquare(row, metric, name, known)
  if (metric !== 'cosine' || Math.abs(square - 1) < unitError) return square
  const scale = 1 / Math.sqrt(square)
  for (let j = 0; j < row.length; j++) row[j] *= scale
  return square
}
