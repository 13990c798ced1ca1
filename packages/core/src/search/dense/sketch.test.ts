import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import type { DenseMetric } from '../../matrix/dense-metric.ts'
import { Random } from '../../random.ts'
import { clustered, distanceOf } from '../index-oracle.cases.ts'
import { type DenseRows, denseRowsFrom } from './dense-rows.ts'
import { Sketch } from './sketch.ts'

const engine = new Engine()
afterEach(() => expect(engine.arena.usedBytes).toBe(0))
afterAll(() => engine.close())

interface Made {
  readonly rows: DenseRows
  readonly sketch: Sketch
  /** Of each row. */
  readonly sketches: Float32Array[]
  readonly codes: Uint8Array[]
}

async function withSketch<T>(
  matrix: DenseMatrix,
  dims: number,
  use: (made: Made) => T,
  { metric = 'euclidean', threads = 1 }: { metric?: DenseMetric; threads?: number } = {},
): Promise<T> {
  const scope = engine.arena.scope()
  const rows = denseRowsFrom(engine, metric, matrix)
  const sketch = await Sketch.fit(engine, { rows, dims: [dims], seed: 1, threads })
  try {
    const all = await sketch.sketchAll(scope, rows, threads, {})
    const codes = scope.allocate(Uint8Array, rows.rows * sketch.stride)
    sketch.encode(all.pointer, rows.rows, codes.pointer)
    const part = <A extends Float32Array | Uint8Array>(array: A, width: number) =>
      Array.from({ length: rows.rows }, (_, i) => array.slice(i * width, (i + 1) * width) as A)
    return use({ rows, sketch, sketches: part(all.array, dims), codes: part(codes.array, sketch.stride) })
  } finally {
    for (const part of [scope, rows, sketch]) part.free()
  }
}

const euclidean = distanceOf.euclidean

describe('Sketch', () => {
  it('keeps all distances where it keeps all dimensions', async () => {
    const matrix = clustered(5, 60)
    await withSketch(matrix, 16, ({ sketches }) => {
      for (let i = 1; i < 60; i++) {
        expect(euclidean(sketches[0], sketches[i])).toBeCloseTo(euclidean(matrix.row(0), matrix.row(i)), 3)
      }
    })
  })

  it('ends with the length of what the axes leave out', async () => {
    const random = new Random(5)
    const values = Float32Array.from({ length: 200 * 40 }, (_, at) => (1 + (at % 40)) * random.normal() + 30)
    const matrix = new DenseMatrix(200, 40, values)
    await withSketch(matrix, 32, ({ sketch, sketches }) => {
      const { mean, shifts } = sketch.parts
      expect([sketch.axisCount, sketch.dims, mean?.length]).toEqual([31, 32, 40])
      sketches.forEach((numbers, i) => {
        const rest = (numbers[31] ?? 0) + (shifts[31] ?? 0)
        const [length, kept] = [euclidean(matrix.row(i), mean ?? []), Math.hypot(...numbers.subarray(0, 31))]
        expect(rest).toBeCloseTo(Math.sqrt(length ** 2 - kept ** 2), 2)
      })
    })
    for (const [dims, metric] of [
      [31, 'euclidean'],
      [40, 'euclidean'],
      [32, 'dot'],
    ] as const) {
      await withSketch(matrix, dims, ({ sketch }) => expect(sketch.parts.mean).toBe(undefined), { metric })
    }
  })

  it('never makes a distance longer, and loses little where rows lie near a plane', async () => {
    // Points of a plane in three dimensions.
    const flat = DenseMatrix.from(Array.from({ length: 40 }, (_, i) => [i % 7, (3 * i) % 11, (i % 7) + ((3 * i) % 11)]))
    await withSketch(flat, 2, ({ sketches }) => {
      for (let i = 1; i < 40; i++) {
        expect(euclidean(sketches[0], sketches[i])).toBeCloseTo(euclidean(flat.row(0), flat.row(i)), 3)
      }
    })
    const matrix = clustered(5, 60)
    await withSketch(matrix, 4, ({ sketches }) => {
      for (let i = 1; i < 60; i++) {
        expect(euclidean(sketches[0], sketches[i])).toBeLessThan(euclidean(matrix.row(0), matrix.row(i)) + 1e-3)
      }
    })
  })

  it('sketches one row as it does many, to the last bit', async () => {
    for (const metric of ['euclidean', 'dot'] as const) {
      await withSketch(clustered(6, 30), 7, ({ rows, sketch, sketches }) => {
        for (const [i, many] of sketches.entries()) expect(sketch.sketchOne(rows.row(i).slice())).toEqual(many)
      }, { metric }) // biome-ignore format: short enough
    }
  })

  it('has codes in steps of one size around 128, padded with zeros to whole lanes', async () => {
    await withSketch(clustered(7, 50), 5, ({ sketch, sketches, codes }) => {
      expect([sketch.dims, sketch.stride]).toEqual([5, 16])
      for (const [i, code] of codes.entries()) {
        const expected = Array.from(sketches[i], x => Math.round(Math.fround(x * sketch.parts.steps)) + 128)
        for (let j = 0; j < 5; j++) expect(Math.abs(code[j] - expected[j])).toBeLessThanOrEqual(1)
        expect([...code.subarray(5)]).toEqual(Array(11).fill(0))
      }
      const first = codes.map(code => code[0])
      expect(Math.min(...first) === 1 || Math.max(...first) === 255).toBe(true)
    })
  })

  it('gives the ends of the range to rows beyond it', async () => {
    await withSketch(clustered(7, 50), 2, ({ sketch }) => {
      const scope = engine.arena.scope()
      const far = scope.place(Float32Array.of(1e6, -1e6))
      const code = scope.allocate(Uint8Array, 16)
      sketch.encode(far.pointer, 1, code.pointer)
      expect([...code.array.subarray(0, 2)]).toEqual([255, 0])
      scope.free()
    })
  })

  it('lifts rows under dot onto a sphere as wide as the longest row', async () => {
    const matrix = DenseMatrix.from([[3, 4], [6, 8], [0, 0], [-3, 4], [0, -6]]) // biome-ignore format: rows as rows
    const lifts = [Math.sqrt(75), 0, 10, Math.sqrt(75), 8]
    await withSketch(matrix, 2, ({ sketch, sketches }) => {
      const { axes, shifts, liftAxes, radius } = sketch.parts
      expect(radius).toBe(10)
      for (const [i, lift] of lifts.entries()) {
        const [x, y] = matrix.row(i)
        const along = (a: number) => axes[2 * a] * x + axes[2 * a + 1] * y + lift * liftAxes[a] - shifts[a]
        expect(euclidean(sketches[i], [along(0), along(1)])).toBeLessThan(1e-4)
      }
    }, { metric: 'dot' }) // biome-ignore format: short enough
  })

  it('lifts nothing under the other metrics', async () => {
    for (const metric of ['euclidean', 'cosine'] as const) {
      await withSketch(clustered(8, 20), 3, ({ sketch }) => {
        expect([sketch.parts.radius, ...sketch.parts.liftAxes]).toEqual([0, 0, 0, 0])
      }, { metric }) // biome-ignore format: short enough
    }
  })

  it('takes rows that are all equal, or all zero', async () => {
    for (const metric of ['euclidean', 'dot'] as const) {
      for (const value of [0, 3]) {
        const same = new DenseMatrix(9, 3, new Float32Array(27).fill(value))
        await withSketch(same, 3, ({ sketches, codes }) => {
          for (const sketch of sketches) expect(euclidean(sketch, [0, 0, 0])).toBeLessThan(1e-5)
          for (const code of codes) expect(code).toEqual(codes[0])
        }, { metric }) // biome-ignore format: short enough
      }
    }
  })

  it('is the same for one thread and two', async () => {
    const made = [1, 2].map(threads =>
      withSketch(clustered(9, 3000), 6, ({ sketches, sketch }) => [sketch.parts, sketches.slice(0, 3)], { threads }),
    )
    const [one, two] = [await made[0], await made[1]]
    expect(two).toEqual(one)
  })
})
