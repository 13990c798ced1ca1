// Sparse directions of the upper nodes, which nearly every query meets, listed by feature: see assembly/forest/sparse-query.ts.
// They are numbered before all others, so that a number tells whether its direction is listed.

import type { Allocator, Slice } from '../kernels/arena.ts'
import { leafMark, treeNodeAt, treeNodeLength } from '../kernels/generated/blocks/forest.ts'
import {
  type DirectionsHeld,
  featureOf,
  multipleOf,
  type PackedDirections,
  scaleAt,
  weightBits,
} from '../trees/packed-directions.ts'
import type { TreeNodes } from './tree-nodes.ts'

/** Levels whose directions are listed. Further down, too few queries pass a node to make up for the cost of its list. */
const listedLevels = 6
/** A feature gets a row if this share of the directions has it: then a list would cost a query as much. */
const rowShare = 1 / 4
/** Of i16, in the kernels. */
const vectorWidth = 8

/** Renumbers the directions of all trees, those of the upper nodes first; changes the nodes. */
export function upperFirst(
  keeper: Allocator,
  { nodes, roots }: Pick<TreeNodes, 'nodes' | 'roots'>,
  trees: readonly PackedDirections[],
): { readonly offsets: Slice<Uint32Array>; readonly words: Slice<Uint32Array>; readonly listed: number } {
  const firsts = firstDirections(trees)
  const total = firsts[trees.length]
  const numbers = new Uint32Array(total).fill(leafMark)
  const offsets = keeper.allocate(Uint32Array, total + 1, 'directions')
  const wordCount = trees.reduce((sum, { words }) => sum + words.length, 0)
  const words = keeper.allocate(Uint32Array, wordCount, 'directions')
  const array = nodes.array
  let next = 0
  const take = (tree: number, direction: number) => {
    const own = trees[tree].words.subarray(trees[tree].offsets[direction], trees[tree].offsets[direction + 1])
    words.array.set(own, offsets.array[next])
    offsets.array[next + 1] = offsets.array[next] + own.length
    numbers[firsts[tree] + direction] = next++
  }
  trees.forEach((_, tree) => {
    for (const at of upperNodes(array, roots.array[tree], listedLevels))
      take(tree, array[at + treeNodeAt.axis] - firsts[tree])
  })
  const listed = next
  trees.forEach(({ offsets: own }, tree) => {
    for (let direction = 0; direction + 1 < own.length; direction++)
      if (numbers[firsts[tree] + direction] === leafMark) take(tree, direction)
  })
  for (let at: number = treeNodeAt.axis; at < array.length; at += treeNodeLength) {
    if (array[at] !== leafMark) array[at] = numbers[array[at]]
  }
  return { offsets, words, listed }
}

/** The number of each tree's first direction, and how many there are. */
function firstDirections(trees: readonly PackedDirections[]): number[] {
  let next = 0
  return [0, ...trees.map(({ offsets }) => (next += offsets.length - 1))]
}

/** The places of a tree's inner nodes in its upper levels, the root's first. */
function* upperNodes(nodes: Uint32Array, root: number, levels: number, node = 0): Generator<number> {
  const at = treeNodeLength * (root + node)
  if (levels === 0 || nodes[at + treeNodeAt.axis] === leafMark) return
  yield at
  yield* upperNodes(nodes, root, levels - 1, node + 1)
  yield* upperNodes(nodes, root, levels - 1, nodes[at + treeNodeAt.right])
}

/** Weights by feature, without their scales. A feature that has one in many of the directions has a row, others have a list. */
export interface FeatureLists {
  /** u32 [dims + 1]: where each list begins. */
  readonly offsets: Slice<Uint32Array>
  /** A direction's number and below it, in the same word, the weight; a feature's in order of the directions. */
  readonly words: Slice<Uint32Array>
  /** u32 [dims]: 1 + the number of a feature's row; 0 if it has none. */
  readonly rowNumbers: Slice<Uint32Array>
  /** i16 [rows × directions, rounded up to a whole number of vectors]. */
  readonly rows: Slice<Int16Array>
  /** f32 [directions, rounded up in the same way] */
  readonly scales: Slice<Float32Array>
}

/** The first `listed` directions, by feature. */
export function listByFeature(
  keeper: Allocator,
  directions: DirectionsHeld,
  listed: number,
  dims: number,
): FeatureLists {
  const bits = weightBits(dims)
  const ofListed = (use: (feature: number, word: number, direction: number) => void) => {
    const { offsets, words } = directions()
    for (let direction = 0; direction < listed; direction++)
      for (let at = offsets[direction] + 1; at < offsets[direction + 1]; at++)
        use(featureOf(words[at], bits), words[at], direction)
  }
  const ends = keeper.allocate(Uint32Array, dims + 1, 'directions')
  ofListed(feature => ends.array[feature + 1]++)
  const rowNumbers = keeper.allocate(Uint32Array, dims, 'directions')
  const rowCount = giveRows(ends.array, rowNumbers.array, rowShare * listed)
  const next = ends.array.slice()
  const lists = keeper.allocate(Uint32Array, ends.array[dims], 'directions')
  const width = vectorWidth * Math.ceil(listed / vectorWidth)
  const rows = keeper.allocate(Int16Array, rowCount * width, 'directions')
  ofListed((feature, word, direction) => {
    const row = rowNumbers.array[feature]
    if (row > 0) rows.array[(row - 1) * width + direction] = multipleOf(word, bits)
    else lists.array[next[feature]++] = (direction << bits) | (word & (2 ** bits - 1))
  })
  const scales = keeper.allocate(Float32Array, width, 'directions')
  const { offsets, words } = directions()
  for (let direction = 0; direction < listed; direction++) scales.array[direction] = scaleAt(words[offsets[direction]])
  return { offsets: ends, words: lists, rowNumbers, rows, scales }
}

/** Turns the features' counts, shifted by one place, into the starts of lists; features with at least `least` get rows. Returns how many do. */
function giveRows(counts: Uint32Array, rowNumbers: Uint32Array, least: number): number {
  let given = 0
  for (let feature = 0; feature < rowNumbers.length; feature++) {
    if (counts[feature + 1] > 0 && counts[feature + 1] >= least) {
      rowNumbers[feature] = ++given
      counts[feature + 1] = 0
    }
    counts[feature + 1] += counts[feature]
  }
  return given
}
