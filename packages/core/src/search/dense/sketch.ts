// A sketch of a row: its coordinates on the principal axes of a sample, which keep most of its distances in a tenth of the numbers.
// Trees are grown on sketches, and their codes, one byte per coordinate, sift candidates before exact distances are computed.
// Under 'dot' rows are first lifted onto a sphere by one more coordinate, so that the largest product is the nearest point.

import type { Scope, Slice } from '../../kernels/arena.ts'
import type { Engine } from '../../kernels/engine.ts'
import { forestKernels } from '../../kernels/sets/forest.ts'
import type { LongWork } from '../../long-work.ts'
import { Random } from '../../random.ts'
import type { DenseRows } from './dense-rows.ts'
import { enoughAxes } from './enough-axes.ts'

/** Everything a model file keeps of a sketch. */
export interface SketchParts {
  /** f32 [dims of the sketch × dims of the rows]. */
  readonly axes: Float32Array
  /** The mean's place on each axis; then, if there is a rest, what is taken off it to center its codes. */
  readonly shifts: Float32Array
  /**
   * The mean of the rows, if a sketch ends with its rest: the length of what the axes leave out. Undefined if they leave out nothing, for
   * 'dot', and if sketches are all that is kept.
   */
  readonly mean?: Float32Array | undefined
  /** What one unit of the lifted coordinate adds on each axis; zeros but for 'dot'. */
  readonly liftAxes: Float32Array
  /** The radius of the sphere that rows are lifted onto; 0 but for 'dot'. */
  readonly radius: number
  /** Code steps a unit. */
  readonly steps: number
}

export interface SketchFit extends LongWork {
  readonly rows: DenseRows
  /** How many axes, at most the rows' dimensions: the first of these numbers that keeps the neighbors of a sample apart, else the last. */
  readonly dims: readonly [number, ...number[]]
  readonly seed: number
  /** Whether the last number may be the length of what the axes leave out. Default true. */
  readonly rest?: boolean
  readonly threads?: number | undefined
}

/** Rows that the axes are found on. */
const sampleRows = 4096
/** Coordinates beyond this many standard deviations of the widest axis get the last code. */
const codeRange = 6
const rowsPerJob = 1024
/** Of fewer numbers, none can be spared for the rest. */
const fewestWithRest = 32
/** Codes have so many steps to either side. */
const mostSteps = 127

export class Sketch {
  /** Numbers in a sketch. */
  readonly dims: number
  /** Bytes in a code: `dims`, filled up to whole SIMD lanes. */
  readonly stride: number
  parts: SketchParts
  readonly axes: Slice<Float32Array>
  /** For queries: assembly/forest/short-axes.ts. */
  readonly shortAxes: Slice<Int16Array>
  readonly shifts: Slice<Float32Array>
  readonly liftAxes: Slice<Float32Array>
  readonly mean: Slice<Float32Array> | undefined
  /** Axes, and their dimensions. */
  readonly axisCount: number
  readonly rowDims: number
  readonly #engine: Engine
  #stretch: number | undefined

  constructor(engine: Engine, parts: SketchParts) {
    this.#engine = engine
    this.parts = parts
    this.dims = parts.shifts.length
    this.stride = Math.ceil(this.dims / 16) * 16
    this.axes = engine.arena.place(parts.axes, 'the axes of a sketch')
    this.shifts = engine.arena.place(parts.shifts)
    this.liftAxes = engine.arena.place(parts.liftAxes)
    this.mean = parts.mean && engine.arena.place(parts.mean)
    this.axisCount = this.dims - (parts.mean ? 1 : 0)
    this.rowDims = parts.axes.length / this.axisCount
    this.shortAxes = shorten(engine, this)
  }

  static async fit(engine: Engine, { rows, dims, seed, rest = true, threads, ...work }: SketchFit): Promise<Sketch> {
    const radius = rows.products ? longest(rows) : 0
    const scope = engine.arena.scope()
    try {
      const random = new Random(seed)
      const picked = random.sample(rows.rows, Math.min(rows.rows, sampleRows))
      const width = rows.dims + (rows.products ? 1 : 0)
      const sample = scope.allocate(Float32Array, picked.length * width, 'a sample of the rows')
      picked.forEach((row, i) => {
        sample.array.set(rows.row(row), i * width)
        if (rows.products) sample.array[(i + 1) * width - 1] = liftOf(rows.row(row), radius)
      })
      const fit = { ...work, sample, rows: picked.length, dims: width, seed: random.uint32(), threads }
      // The rest takes the place of the last axis, unless the axes are all there are.
      const hasRest = rest && !rows.products && dims[0] >= fewestWithRest
      const axesFor = (count: number) => (hasRest && count < width ? count - 1 : count)
      const [first, ...more] = dims
      const found = await enoughAxes(engine, fit, [axesFor(first), ...more.map(axesFor)])
      const parts = partsOf(found, rows.dims, width, { sample: sample.array, radius })
      return new Sketch(engine, hasRest && found.axes.length < width * width ? withRest(parts, found.mean) : parts)
    } finally {
      scope.free()
    }
  }

  /** Sketches of rows in the arena, f32 [count × dims], in the scope; `rows` are prepared as an index's own. */
  async sketchAll(
    scope: Scope,
    rows: DenseRows,
    threads: number | undefined,
    work: LongWork,
  ): Promise<Slice<Float32Array>> {
    const out = scope.allocateUnset(Float32Array, rows.rows * this.dims, 'sketches')
    const lift = this.#placeLift(scope, rows)
    const jobs: number[][] = []
    for (let from = 0; from < rows.rows; from += rowsPerJob) {
      const to = Math.min(rows.rows, from + rowsPerJob)
      jobs.push([rows.pointer, rows.dims, ...this.#axesFields(lift), from, to, out.pointer])
    }
    await this.#engine.pool(threads).run(forestKernels, 'sketchRows', jobs, { what: 'sketching', ...work })
    return out
  }

  /** The sketch of one prepared row. */
  sketchOne(row: Float32Array): Float32Array {
    const scope = this.#engine.arena.scope()
    try {
      const placed = scope.place(row)
      const lift = this.parts.radius > 0 ? scope.place(Float32Array.of(liftOf(row, this.parts.radius))).pointer : 0
      const out = scope.allocate(Float32Array, this.dims)
      this.#engine
        .exactKernels(forestKernels)
        .sketchRows(placed.pointer, row.length, ...this.#axesFields(lift), 0, 1, out.pointer)
      return out.array.slice()
    } finally {
      scope.free()
    }
  }

  /** Codes of sketches in the arena, u8 [count × stride], into `out`. */
  encode(sketches: number, count: number, out: number): void {
    this.#engine
      .exactKernels(forestKernels)
      .encodeSketches(sketches, this.dims, this.parts.steps, this.stride, 0, count, out)
  }

  /** The same for many, in threads. */
  async encodeAll(
    sketches: number,
    count: number,
    out: number,
    threads: number | undefined,
    work: LongWork,
  ): Promise<void> {
    const jobs: number[][] = []
    for (let from = 0; from < count; from += rowsPerJob) {
      const to = Math.min(count, from + rowsPerJob)
      jobs.push([sketches, this.dims, this.parts.steps, this.stride, from, to, out])
    }
    await this.#engine.pool(threads).run(forestKernels, 'encodeSketches', jobs, work)
  }

  /** Codes from now on cover coordinates up to `reach`: those there are must be made anew. */
  rescale(reach: number): void {
    this.parts = { ...this.parts, steps: Math.fround(mostSteps / reach) }
  }

  /** Codes of all rows, into `out`; on this thread, some rows at a time. */
  encodeRows(rows: DenseRows, out: number): void {
    const scope = this.#engine.arena.scope()
    try {
      const sketches = scope.allocate(Float32Array, rowsPerJob * this.dims, 'sketches')
      const lift = this.#placeLift(scope, rows)
      const kernels = this.#engine.exactKernels(forestKernels)
      for (let from = 0; from < rows.rows; from += rowsPerJob) {
        const count = Math.min(rowsPerJob, rows.rows - from)
        const axes = this.#axesFields(lift && lift + 4 * from)
        kernels.sketchRows(rows.pointer + 4 * from * rows.dims, rows.dims, ...axes, 0, count, sketches.pointer)
        this.encode(sketches.pointer, count, out + from * this.stride)
      }
    } finally {
      scope.free()
    }
  }

  /** The coordinate farthest from 0 if it lies beyond the range of the codes, else 0. */
  reachBeyond(sketch: Float32Array): number {
    const reach = Math.max(...sketch.map(Math.abs))
    return reach * this.parts.steps > mostSteps + 1 ? reach : 0
  }

  /**
   * Sketches are at most this many times as far apart as their rows: 1, but for rounding, if the axes are at right angles and of length 1. The
   * largest row sum of their products is no less than the largest square by which they lengthen anything.
   */
  get stretch(): number {
    this.#stretch ??= Math.sqrt(largestRowSum(this.parts.axes, this.axisCount)) * (1 + 1e-6)
    return this.#stretch
  }

  /** The numbers that a code represents. */
  decode(code: Uint8Array): Float32Array {
    return Float32Array.from({ length: this.dims }, (_, j) => (code[j] - 128) / this.parts.steps)
  }

  free(): void {
    for (const slice of [this.axes, this.shortAxes, this.shifts, this.liftAxes, this.mean]) slice?.free()
  }

  #axesFields(lift: number): [number, number, number, number, number, number] {
    return [this.axes.pointer, this.shifts.pointer, this.dims, lift, this.liftAxes.pointer, this.mean?.pointer ?? 0]
  }

  #placeLift(scope: Scope, rows: DenseRows): number {
    if (this.parts.radius === 0) return 0
    const lift = scope.allocate(Float32Array, rows.rows)
    for (let row = 0; row < rows.rows; row++) lift.array[row] = liftOf(rows.row(row), this.parts.radius)
    return lift.pointer
  }
}

function shorten(engine: Engine, { axes, axisCount, rowDims }: Sketch): Slice<Int16Array> {
  const [count, dims] = [Math.ceil(axisCount / 4) * 4, Math.ceil(rowDims / 8) * 8]
  const short = engine.arena.allocate(Int16Array, count * dims, 'the axes of a sketch')
  engine.exactKernels(forestKernels).shortenAxes(axes.pointer, axisCount, rowDims, short.pointer)
  return short
}

/** Splits axes over lifted rows into those of the rows and the lifted coordinate, and measures the range of codes. */
function partsOf(
  { axes, mean }: { axes: Float32Array; mean: Float32Array },
  dims: number,
  width: number,
  { sample, radius }: { sample: Float32Array; radius: number },
): SketchParts {
  const count = axes.length / width
  const own = new Float32Array(count * dims)
  const liftAxes = new Float32Array(count)
  const shifts = new Float32Array(count)
  for (let a = 0; a < count; a++) {
    const axis = axes.subarray(a * width, (a + 1) * width)
    own.set(axis.subarray(0, dims), a * dims)
    if (width > dims) liftAxes[a] = axis[dims]
    shifts[a] = dot(axis, mean, 0)
  }
  return { axes: own, shifts, liftAxes, radius, steps: stepsOf(sample, axes.subarray(0, width), shifts[0]) }
}

/** With the rest as last number. It is not negative: all codes are for numbers from 0 on. */
function withRest(parts: SketchParts, mean: Float32Array): SketchParts {
  const shifts = Float32Array.of(...parts.shifts, mostSteps / parts.steps)
  return { ...parts, shifts, liftAxes: Float32Array.of(...parts.liftAxes, 0), mean }
}

/** 127 steps cover the sample's widest axis, or `codeRange` deviations if that is less. */
function stepsOf(sample: Float32Array, widest: Float32Array, shift: number): number {
  const width = widest.length
  let [farthest, squares] = [0, 0]
  for (let at = 0; at < sample.length; at += width) {
    const value = dot(widest, sample, at) - shift
    farthest = Math.max(farthest, Math.abs(value))
    squares += value * value
  }
  const deviation = Math.sqrt((squares * width) / sample.length)
  const reach = Math.min(farthest, codeRange * deviation)
  return reach > 0 ? Math.fround(mostSteps / reach) : 1
}

function dot(axis: Float32Array, values: Float32Array, at: number): number {
  let sum = 0
  for (let j = 0; j < axis.length; j++) sum += axis[j] * values[at + j]
  return sum
}

/** Of the products of all pairs of axes, without their signs. */
function largestRowSum(axes: Float32Array, count: number): number {
  const dims = axes.length / count
  const sums = new Float64Array(count)
  for (let a = 0; a < count; a++) {
    const axis = axes.subarray(a * dims, (a + 1) * dims)
    sums[a] += Math.abs(dot(axis, axis, 0))
    for (let b = 0; b < a; b++) {
      const product = Math.abs(dot(axis, axes, b * dims))
      sums[a] += product
      sums[b] += product
    }
  }
  return Math.max(...sums)
}

function longest(rows: DenseRows): number {
  let most = 0
  for (let row = 0; row < rows.rows; row++) most = Math.max(most, squareOf(rows.row(row)))
  return Math.sqrt(most)
}

/** The coordinate that lifts a row onto the sphere; 0 for a row that is longer than its radius, as an added one may be. */
function liftOf(row: Float32Array, radius: number): number {
  return Math.sqrt(Math.max(0, radius * radius - squareOf(row)))
}

function squareOf(row: Float32Array): number {
  let sum = 0
  for (let j = 0; j < row.length; j++) sum += row[j] * row[j]
  return sum
}
