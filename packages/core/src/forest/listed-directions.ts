// Sparse directions of the upper nodes, which nearly every query meets, listed by feature: see assembly/forest/sparse-query.ts.
// They are numbered before all others, so that a number tells whether its direction is listed.

import type { Allocator, Slice } from '../kernels/arena.ts'
import { featureOf, multipleOf, type PackedDirections, scaleAt, weightBits } from '../trees/packed-directions.ts'
import { leafMark, type TreeNodes } from './tree-nodes.ts'

/** Levels whose directions are listed: below, too few queries come by for what the lists cost all of them. */
const listedLevels = 6

/** Numbers the directions of all trees anew, those of the upper nodes first; the nodes are changed. */
export function upperFirst(
  keeper: Allocator,
  { nodes, roots }: Pick<TreeNodes, 'nodes' | 'roots'>,
  trees: readonly PackedDirections[],
): { readonly offsets: Slice<Uint32Array>; readonly words: Slice<Uint32Array>; readonly listed: number } {
  const array = nodes.array
  const firsts = firstDirections(trees)
  const total = firsts[trees.length]
  const numbers = new Uint32Array(total).fill(leafMark)
  const offsets = keeper.allocate(Uint32Array, total + 1, 'directions')
  const wordCount = trees.reduce((sum, { words }) => sum + words.length, 0)
  const words = keeper.allocate(Uint32Array, wordCount, 'directions')
  let next = 0
  const take = (tree: number, direction: number) => {
    const own = trees[tree].words.subarray(trees[tree].offsets[direction], trees[tree].offsets[direction + 1])
    words.array.set(own, offsets.array[next])
    offsets.array[next + 1] = offsets.array[next] + own.length
    numbers[firsts[tree] + direction] = next++
  }
  trees.forEach((_, tree) => {
    for (const at of upperNodes(array, roots.array[tree])) take(tree, array[at] - firsts[tree])
  })
  const listed = next
  trees.forEach(({ offsets: own }, tree) => {
    for (let direction = 0; direction + 1 < own.length; direction++)
      if (numbers[firsts[tree] + direction] === leafMark) take(tree, direction)
  })
  for (let at = 0; at < array.length; at += 3) if (array[at] !== leafMark) array[at] = numbers[array[at]]
  return { offsets, words, listed }
}

/** The number of each tree's first direction, and how many there are. */
function firstDirections(trees: readonly PackedDirections[]): number[] {
  let next = 0
  return [0, ...trees.map(({ offsets }) => (next += offsets.length - 1))]
}

/** The places of a tree's inner nodes above a level, the root's first. */
function* upperNodes(nodes: Uint32Array, root: number, node = 0, level = 0): Generator<number> {
  const at = 3 * (root + node)
  if (level === listedLevels || nodes[at] === leafMark) return
  yield at
  yield* upperNodes(nodes, root, node + 1, level + 1)
  yield* upperNodes(nodes, root, nodes[at + 2], level + 1)
}

export interface FeatureLists {
  /** u32 [dims + 1] */
  readonly offsets: Slice<Uint32Array>
  /** Pairs of a direction and its weight (f32 bits), a feature's in order of the directions. */
  readonly entries: Slice<Uint32Array>
}

/** The first `listed` directions, by feature. */
export function listByFeature(
  keeper: Allocator,
  { offsets, words }: PackedDirections,
  listed: number,
  dims: number,
): FeatureLists {
  const bits = weightBits(dims)
  const lists = keeper.allocate(Uint32Array, dims + 1, 'directions')
  const entries = keeper.allocate(Uint32Array, 2 * (offsets[listed] - listed), 'directions')
  const weights = new Float32Array(entries.array.buffer, entries.array.byteOffset, entries.length)
  const ofListed = (use: (word: number, direction: number, scale: number) => void) => {
    for (let direction = 0; direction < listed; direction++) {
      const scale = scaleAt(words[offsets[direction]])
      for (let at = offsets[direction] + 1; at < offsets[direction + 1]; at++) use(words[at], direction, scale)
    }
  }
  ofListed(word => lists.array[featureOf(word, bits) + 1]++)
  for (let feature = 0; feature < dims; feature++) lists.array[feature + 1] += lists.array[feature]
  const next = lists.array.slice()
  ofListed((word, direction, scale) => {
    const at = 2 * next[featureOf(word, bits)]++
    entries.array[at] = direction
    weights[at + 1] = multipleOf(word, bits) * scale
  })
  return { offsets: lists, entries }
}
