import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../kernels/engine.ts'
import { leafMark } from '../kernels/generated/blocks/forest.ts'
import { multipleOf, packDirections, termsOf, weightBits } from '../trees/packed-directions.ts'
import { listByFeature, upperFirst } from './top-directions.ts'

const engine = new Engine()
afterAll(() => engine.close())

/** A chain of this many splits, each with a leaf on its left, and one direction a split. */
function chain(splits: number) {
  const nodes: number[] = []
  for (let i = 0; i < splits; i++) nodes.push(i, 0, 2 * i + 2, leafMark, 0, i)
  nodes.push(leafMark, 0, splits)
  const offsets = Uint32Array.from({ length: splits + 1 }, (_, i) => i)
  const indices = Uint32Array.from({ length: splits }, (_, i) => i % 3)
  return { nodes, directions: { offsets, indices, values: Float32Array.from(indices, (_, i) => i + 0.5) } }
}

/** The features of what `chain` makes are below this. */
const dims = 4

describe('directions of upper nodes', () => {
  it('come first, of all trees, and every node keeps its own', () => {
    const { nodes, directions } = chain(8)
    const scope = engine.arena.scope()
    // Two trees of the same shape; the second one's directions follow.
    const both = [...nodes, ...nodes.map((value, i) => (i % 3 === 0 && value !== leafMark ? value + 8 : value))]
    const placed = scope.place(Uint32Array.from(both))
    const roots = scope.place(Uint32Array.of(0, nodes.length / 3, (2 * nodes.length) / 3))
    const others = { ...directions, values: directions.values.map(value => value + 100) }
    const trees = [directions, others].map(one => packDirections(one, dims))
    const { offsets, words, listed } = upperFirst(scope, { nodes: placed, roots }, trees)
    expect(listed).toBe(12)
    const numbers = [...placed.array].filter((value, i) => i % 3 === 0 && value !== leafMark)
    const ordered = { offsets: offsets.array, words: words.array }
    const weights = numbers.flatMap(number => termsOf(ordered, dims, number).map(({ weight }) => weight))
    expect(weights).toEqual([...directions.values, ...others.values])
    const level = (i: number) => i % 8
    numbers.forEach((number, i) => {
      expect(number < listed).toBe(level(i) < 6)
    })
    scope.free()
  })

  it('are listed by feature, in a row where many of them have a weight for it', () => {
    const scope = engine.arena.scope()
    // Feature 0 in every direction, feature 1 in every tenth, feature 2 in none; only the first thirty are listed.
    const weights = Array.from({ length: 40 }, (_, i) => (i % 10 === 0 ? [i + 1, -i - 0.5] : [i + 1]))
    let end = 0
    const offsets = Uint32Array.of(0, ...weights.map(own => (end += own.length)))
    const indices = Uint32Array.from(weights.flatMap(own => [...own.keys()]))
    const directions = packDirections({ offsets, indices, values: Float32Array.from(weights.flat()) }, dims)
    const lists = listByFeature(scope, () => directions, 30, dims)
    expect([...lists.rowNumbers.array]).toEqual([1, 0, 0, 0])
    expect(lists.rows.length).toBe(32) // a whole number of vectors
    const { array: scales } = lists.scales
    expect(Array.from(scales.subarray(0, 30), (scale, i) => lists.rows.array[i] * scale)).toEqual(
      weights.slice(0, 30).map(own => own[0]),
    )
    const listOf = (feature: number) =>
      Array.from(lists.words.array.subarray(lists.offsets.array[feature], lists.offsets.array[feature + 1]), word => {
        const direction = word >>> weightBits(dims)
        return [direction, multipleOf(word, weightBits(dims)) * scales[direction]]
      })
    expect([0, 1, 2, 3].map(listOf)).toEqual([[], [[0, -0.5], [10, -10.5], [20, -20.5]], [], []]) // biome-ignore format: lists
    scope.free()
  })
})
