import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Scope } from './arena.ts'
import { Engine } from './engine.ts'
import { type VectorKernels, vectorKernels } from './sets/vectors.ts'

// The readable versions: what each kernel means, in f64.
const squaredL2 = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, x, j) => sum + (x - b[j]) ** 2, 0)
const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, x, j) => sum + x * b[j], 0)
const length = (a: ArrayLike<number>): number => Math.sqrt(dot(a, a))
/** Rows in the order of their scores, ties by row. */
const ranked = (scores: ArrayLike<number>, largest: boolean): number[] =>
  Array.from(scores, (_, row) => row).sort((a, b) => (largest ? scores[b] - scores[a] : scores[a] - scores[b]) || a - b)

const dimensions = [0, 1, 3, 4, 15, 16, 17, 784]
const engine = new Engine()
const unshared = new Engine({ shared: false })
const kinds: [string, Engine, VectorKernels][] = [
  ['kernels over shared memory', engine, engine.exactKernels(vectorKernels)],
  ['kernels over unshared memory', unshared, unshared.exactKernels(vectorKernels)],
]

const normal = fc.float({ min: -100, max: 100, noNaN: true })
const denormal = fc.constantFrom(1e-45, -1e-45, 1e-40, -3e-39, 0, -0)
const number = fc.oneof({ weight: 8, arbitrary: normal }, { weight: 2, arbitrary: denormal }).map(Math.fround)

/** A query and rows of one length, and rows picked from them with repeats. */
const rowsInput = fc
  .tuple(fc.constantFrom(...dimensions.filter(d => d < 784)), fc.integer({ min: 1, max: 9 }))
  .chain(([dims, rows]) =>
    fc.record({
      query: fc.array(number, { minLength: dims, maxLength: dims }),
      rows: fc.array(fc.array(number, { minLength: dims, maxLength: dims }), { minLength: rows, maxLength: rows }),
      picked: fc.array(fc.nat({ max: rows - 1 }), { maxLength: 11 }),
      shift: fc.nat({ max: 3 }), // starts that are not aligned to 16 bytes
    }),
  )

/** `values` in the arena, starting `shift` floats after a 64-byte boundary. */
function placeShifted(scope: Scope, values: number[], shift: number): number {
  const slice = scope.allocate(Float32Array, values.length + shift)
  slice.array.set(values, shift)
  return slice.pointer + 4 * shift
}

/** f32 sums of n terms: each addition may round by 2⁻²⁴ of the terms' magnitude. */
function expectClose(found: number, expected: number, magnitude: number, terms: number): void {
  expect(Math.abs(found - expected)).toBeLessThanOrEqual((terms + 4) * 2 ** -23 * magnitude + (terms + 4) * 1.5e-45)
}

const magnitudeL2 = squaredL2
const magnitudeDot = (a: number[], b: number[]): number => dot(a.map(Math.abs), b.map(Math.abs))

describe.each(kinds)('%s', (_, owner, kernels) => {
  const { arena } = owner

  it.each([
    ['l2Scan', 'l2Gather', squaredL2, magnitudeL2],
    ['dotScan', 'dotGather', dot, magnitudeDot],
  ] as const)('%s and %s agree with the plain loop, at any start', (scanName, gatherName, oracle, magnitude) => {
    fc.assert(
      fc.property(rowsInput, ({ query, rows, picked, shift }) => {
        const scope = arena.scope()
        const q = placeShifted(scope, query, shift)
        const r = placeShifted(scope, rows.flat(), 3 - shift)
        const p = scope.place(Uint32Array.from(picked))
        const out = scope.allocate(Float32Array, 16)
        const check = (expectedRows: number[][]) =>
          expectedRows.forEach((row, i) => {
            expectClose(out.array[i], oracle(query, row), magnitude(query, row), query.length)
          })
        kernels[scanName](q, r, rows.length, query.length, out.pointer)
        check(rows)
        kernels[gatherName](q, r, p.pointer, picked.length, query.length, out.pointer)
        check(picked.map(i => rows[i]))
        scope.free()
      }),
    )
  })

  it.each(dimensions)('distances over %i dimensions agree with the plain loop', dims => {
    const scope = arena.scope()
    const value = (i: number): number => Math.fround(Math.sin(i * 12.9898) * 10)
    const query = Array.from({ length: dims }, (_, j) => value(j))
    const rows = Array.from({ length: 7 }, (_, i) => query.map((_, j) => value((i + 1) * 1000 + j)))
    const [q, r] = [scope.place(Float32Array.from(query)), scope.place(Float32Array.from(rows.flat()))]
    const p = scope.place(Uint32Array.of(6, 0, 3, 3, 5))
    const out = scope.allocate(Float32Array, 7)
    kernels.l2Scan(q.pointer, r.pointer, 7, dims, out.pointer)
    rows.forEach((row, i) => {
      expectClose(out.array[i], squaredL2(query, row), squaredL2(query, row), dims)
    })
    kernels.dotGather(q.pointer, r.pointer, p.pointer, 5, dims, out.pointer)
    p.array.forEach((row, i) => {
      expectClose(out.array[i], dot(query, rows[row]), magnitudeDot(query, rows[row]), dims)
    })
    scope.free()
  })

  it('picked rows have the bits of scanned ones', () => {
    fc.assert(
      fc.property(rowsInput, ({ query, rows, picked, shift }) => {
        const scope = arena.scope()
        const [q, r] = [placeShifted(scope, query, shift), placeShifted(scope, rows.flat(), 3 - shift)]
        const p = scope.place(Uint32Array.from(picked))
        const [scanned, out] = [scope.allocate(Float32Array, 16), scope.allocate(Float32Array, 16)]
        const touched = scope.allocate(Uint32Array, 1)
        for (const [scan, pick] of [
          [kernels.l2Scan, kernels.l2Pick],
          [kernels.dotScan, kernels.dotPick],
        ] as const) {
          scan(q, r, rows.length, query.length, scanned.pointer)
          pick(q, r, p.pointer, picked.length, query.length, out.pointer, touched.pointer)
          expect([...out.array.subarray(0, picked.length)]).toEqual(picked.map(row => scanned.array[row]))
        }
        scope.free()
      }),
    )
  })

  it('a distance too large for f32 is Infinity, never NaN', () => {
    const scope = arena.scope()
    const q = scope.place(new Float32Array(17).fill(3e38))
    const r = scope.place(new Float32Array(17).fill(-3e38))
    const out = scope.allocate(Float32Array, 1)
    kernels.l2Scan(q.pointer, r.pointer, 1, 17, out.pointer)
    expect(out.array[0]).toBe(Number.POSITIVE_INFINITY)
    kernels.l2Scan(q.pointer, q.pointer, 1, 17, out.pointer)
    expect(out.array[0]).toBe(0)
    kernels.dotScan(q.pointer, r.pointer, 1, 17, out.pointer)
    expect(out.array[0]).toBe(Number.NEGATIVE_INFINITY)
    scope.free()
  })

  it('denormal numbers are not flushed to zero', () => {
    const scope = arena.scope()
    const q = scope.place(Float32Array.of(1e-45, 0, 0, 0, 1e-45))
    const one = scope.place(Float32Array.of(1, 1, 1, 1, 1))
    const out = scope.allocate(Float32Array, 1)
    kernels.dotScan(q.pointer, one.pointer, 1, 5, out.pointer)
    expect(out.array[0]).toBe(Math.fround(2.8e-45))
    scope.free()
  })

  it('cosines come from dot products and inverse lengths; a zero row has cosine 0', () => {
    const scope = arena.scope()
    const rows = [
      [3, 4],
      [0, 0],
      [-6, 8],
    ] // lengths 5, 0, 10
    const r = scope.place(Float32Array.from(rows.flat()))
    const q = scope.place(Float32Array.of(0, 2))
    const picked = scope.place(Uint32Array.of(2, 0))
    const [scales, out] = [scope.allocate(Float32Array, 3), scope.allocate(Float32Array, 3)]
    kernels.inverseLengths(r.pointer, 3, 2, scales.pointer)
    expect([...scales.array]).toEqual([0.2, 0, 0.1].map(Math.fround))
    kernels.dotScan(q.pointer, r.pointer, 3, 2, out.pointer)
    kernels.cosineScale(out.pointer, scales.pointer, 3, 1 / length([0, 2]))
    expect(Array.from(out.array)).toEqual([expect.closeTo(0.8, 6), 0, expect.closeTo(0.8, 6)])
    kernels.dotGather(q.pointer, r.pointer, picked.pointer, 2, 2, out.pointer)
    kernels.cosineScaleGather(out.pointer, scales.pointer, picked.pointer, 2, 0.5)
    expect(Array.from(out.array.subarray(0, 2))).toEqual([expect.closeTo(0.8, 6), expect.closeTo(0.8, 6)])
    scope.free()
  })

  it('8-bit distances are exact integers, rounded once to f32', () => {
    const code = (low: number, high: number) =>
      fc.constantFrom(...dimensions).chain(dims =>
        fc.record({
          dims: fc.constant(dims),
          query: fc.array(fc.integer({ min: low, max: high }), { minLength: dims, maxLength: dims }),
          seed: fc.nat(),
        }),
      )
    const check = (low: number, high: number, l2: boolean) =>
      fc.property(code(low, high), ({ dims, query, seed }) => {
        const scope = arena.scope()
        const stride = Math.ceil(dims / 16) * 16
        const rows = Array.from({ length: 6 }, (_, i) =>
          query.map((_, j) => low + ((Math.imul(seed + i * 7919 + j * 104729, 2654435761) >>> 8) % (high - low + 1))),
        )
        const wide = scope.allocate(Int16Array, stride)
        wide.array.set(query)
        const codes = l2 ? scope.allocate(Uint8Array, 6 * stride) : scope.allocate(Int8Array, 6 * stride)
        rows.forEach((row, i) => {
          codes.array.set(row, i * stride)
        })
        const picked = scope.place(Uint32Array.of(5, 1, 1, 0, 4))
        const out = scope.allocate(Float32Array, 6)
        const oracle = l2 ? squaredL2 : dot
        const [scan, gather] = l2 ? [kernels.l2ScanU8, kernels.l2GatherU8] : [kernels.dotScanI8, kernels.dotGatherI8]
        scan(wide.pointer, codes.pointer, 6, stride, out.pointer)
        expect([...out.array]).toEqual(rows.map(row => Math.fround(oracle(query, row))))
        gather(wide.pointer, codes.pointer, picked.pointer, 5, stride, out.pointer)
        expect([...out.array.subarray(0, 5)]).toEqual([5, 1, 1, 0, 4].map(i => Math.fround(oracle(query, rows[i]))))
        scope.free()
      })
    fc.assert(check(0, 255, true), { numRuns: 40 })
    fc.assert(check(-128, 127, false), { numRuns: 40 })
  })

  it('selects the k best scores, ties by row', () => {
    const score = fc.oneof(fc.constantFrom(0, -0, 1, -1, 2.5, 3e38, -3e38, 1e-45), fc.float({ noNaN: true }))
    fc.assert(
      fc.property(
        fc.array(score, { maxLength: 70 }),
        fc.integer({ min: 0, max: 80 }),
        fc.boolean(),
        (list, k, largest) => {
          const scope = arena.scope()
          const scores = scope.place(Float32Array.from(list))
          const heap = scope.allocate(Float64Array, k)
          const [rows, best] = [scope.allocate(Uint32Array, k), scope.allocate(Float32Array, k)]
          const select = largest ? kernels.selectLargest : kernels.selectSmallest
          const found = select(scores.pointer, list.length, k, heap.pointer, rows.pointer, best.pointer)
          const expected = ranked(scores.array, largest).slice(0, k)
          expect([...rows.array.subarray(0, found)]).toEqual(expected)
          expect([...best.array.subarray(0, found)]).toEqual(expected.map(row => scores.array[row] + 0))
          scope.free()
        },
      ),
      { numRuns: 300 },
    )
  })

  it('sparse rows meet dense vectors as the plain loop does', () => {
    const rows = fc.array(fc.uniqueArray(fc.tuple(fc.nat({ max: 30 }), number), { selector: ([index]) => index }))
    fc.assert(
      fc.property(rows, fc.array(number, { minLength: 31, maxLength: 31 }), (sparse, dense) => {
        const scope = arena.scope()
        let end = 0
        const offsets = scope.place(Uint32Array.from([0, ...sparse.map(row => (end += row.length))]))
        const indices = scope.place(Uint32Array.from(sparse.flat().map(([index]) => index)))
        const values = scope.place(Float32Array.from(sparse.flat().map(([, value]) => value)))
        const vector = scope.place(Float32Array.from(dense))
        const out = scope.allocate(Float32Array, sparse.length)
        kernels.sparseDotScan(
          offsets.pointer,
          indices.pointer,
          values.pointer,
          sparse.length,
          vector.pointer,
          out.pointer,
        )
        sparse.forEach((row, i) => {
          const products = row.map(([index, value]) => value * dense[index])
          const sum = products.reduce((a, b) => a + b, 0)
          expectClose(
            out.array[i],
            sum,
            products.reduce((a, b) => a + Math.abs(b), 0),
            row.length,
          )
        })
        scope.free()
      }),
    )
  })

  it('axpy adds a multiple of one vector to another, dense or sparse', () => {
    fc.assert(
      fc.property(fc.array(normal, { maxLength: 40 }), normal, fc.nat({ max: 3 }), (list, alpha, shift) => {
        const scope = arena.scope()
        const x = scope.place(Float32Array.from(list))
        const y = scope.allocate(Float32Array, list.length + shift)
        y.array.fill(1)
        kernels.axpy(alpha, x.pointer, y.pointer + 4 * shift, list.length)
        const expected = Array.from(x.array, value => 1 + Math.fround(alpha) * value)
        y.array.subarray(shift).forEach((found, i) => {
          expectClose(found, expected[i], Math.abs(expected[i]) + 2, 2)
        })
        const back = scope.place(Uint32Array.from(list, (_, i) => list.length - 1 - i))
        y.array.fill(1)
        kernels.sparseAxpy(alpha, back.pointer, x.pointer, list.length, y.pointer)
        expected.reverse().forEach((value, i) => {
          expectClose(y.array[i], value, Math.abs(value) + 2, 2)
        })
        scope.free()
      }),
    )
  })

  it('frees all it used', () => {
    expect(arena.usedBytes).toBe(0)
  })
})
