import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { forestKernels } from '../../kernels/sets/forest.ts'
import { squareOf } from '../../matrix/dense-checks.ts'
import { Random } from '../../random.ts'

const engine = new Engine()
const kernels = engine.exactKernels(forestKernels)
afterEach(() => expect(engine.arena.usedBytes).toBe(0))
afterAll(() => engine.close())

const lengthOf = (vector: Float32Array) => Math.sqrt(squareOf(vector))

/** `count` random axes of length 1. */
function axesOf(random: Random, count: number, dims: number): Float32Array[] {
  return Array.from({ length: count }, () => {
    const axis = Float32Array.from({ length: dims }, () => random.normal())
    const length = lengthOf(axis)
    return axis.map(value => value / length)
  })
}

/** By the kernels. */
function shortProducts(vector: Float32Array, axes: readonly Float32Array[]): Float32Array {
  const scope = engine.arena.scope()
  try {
    const [count, dims] = [axes.length, vector.length]
    const [counts, lanes] = [Math.ceil(count / 4) * 4, Math.ceil(dims / 8) * 8]
    const placed = scope.place(Float32Array.from(axes.flatMap(axis => [...axis])))
    const short = scope.allocate(Int16Array, counts * lanes)
    short.array.fill(-1) // what was in memory before
    kernels.shortenAxes(placed.pointer, count, dims, short.pointer)
    const room = scope.allocate(Int16Array, lanes)
    room.array.fill(-1)
    const out = scope.allocate(Float32Array, counts)
    kernels.productsWithShortAxes(scope.place(vector).pointer, short.pointer, count, dims, room.pointer, out.pointer)
    return out.array.slice(0, count)
  } finally {
    scope.free()
  }
}

const kinds: [string, (random: Random, j: number) => number][] = [
  ['ordinary', random => random.normal()],
  ['mostly zero', (random, j) => (j % 7 === 3 ? random.normal() : 0)],
  ['all the same', () => 1],
  ['with one number that outweighs all others', (random, j) => (j === 2 ? 5000 : random.normal())],
]

describe('products with short axes', () => {
  it.each(kinds)('are within 0.0002 of the length of vectors that are %s, at any scale', (_name, numberAt) => {
    const random = new Random(7)
    for (const [count, dims] of [
      [1, 1],
      [3, 5],
      [4, 8],
      [6, 31],
      [95, 784],
      [13, 4096],
    ] as const) {
      // biome-ignore format: pairs
      const axes = axesOf(random, count, dims)
      const shape = Float32Array.from({ length: dims }, (_, j) => numberAt(random, j))
      for (const scale of [1e-15, 1, 1e15]) {
        const vector = shape.map(value => value * scale)
        const [most, length] = [shortProducts(vector, axes), lengthOf(vector)]
        axes.forEach((axis, a) => {
          const exact = axis.reduce((sum, value, j) => sum + value * vector[j], 0)
          expect(Math.abs(most[a] - exact)).toBeLessThanOrEqual(2e-4 * length)
        })
      }
    }
  })

  it('do not overflow if a long vector lies on an axis', () => {
    for (const dims of [8, 784, 4096]) {
      const axis = new Float32Array(dims).fill(1 / Math.sqrt(dims))
      const vector = new Float32Array(dims).fill(-3)
      const [product] = shortProducts(vector, [axis])
      expect(product / lengthOf(vector)).toBeCloseTo(-1, 3)
    }
  })

  it('are 0 for a vector of zeros', () => {
    expect([...shortProducts(new Float32Array(10), axesOf(new Random(1), 5, 10))]).toEqual([0, 0, 0, 0, 0])
  })
})

it('squared lengths have the same bits in a kernel and in TypeScript', () => {
  const random = new Random(3)
  for (const dims of [1, 2, 3, 4, 5, 7, 8, 100, 783]) {
    const vector = Float32Array.from({ length: dims }, () => random.normal() * 10 ** (20 * random.float() - 10))
    const scope = engine.arena.scope()
    expect(kernels.squareOf(scope.place(vector).pointer, dims)).toBe(squareOf(vector))
    scope.free()
  }
})
