import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../kernels/engine.ts'
import { packDirections, termsOf } from '../trees/packed-directions.ts'
import { listByFeature, upperFirst } from './listed-directions.ts'
import { leafMark } from './tree-nodes.ts'

const engine = new Engine()
afterAll(() => engine.close())

/** A chain of so many splits, each with a leaf on its left, and one direction a split. */
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

  it('are listed by feature, in their order', () => {
    const scope = engine.arena.scope()
    const { offsets, entries } = listByFeature(scope, packDirections(chain(5).directions, dims), 4, dims)
    const weights = new Float32Array(entries.array.buffer, entries.array.byteOffset, entries.array.length)
    const listOf = (feature: number) =>
      Array.from({ length: offsets.array[feature + 1] - offsets.array[feature] }, (_, i) => {
        const at = 2 * (offsets.array[feature] + i)
        return [entries.array[at], weights[at + 1]]
      })
    expect([0, 1, 2, 3].map(listOf)).toEqual([[[0, 0.5], [3, 3.5]], [[1, 1.5]], [[2, 2.5]], []]) // biome-ignore format: lists
    scope.free()
  })
})
