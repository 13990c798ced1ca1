// Sparse directions of the upper nodes, which nearly every query meets, listed by feature: see assembly/forest/sparse-query.ts.
// They are numbered before all others, so that a number tells whether its direction is listed.

import type { Allocator, Slice } from '../kernels/arena.ts'
import type { Directions } from '../trees/grower.ts'
import { leafMark, type TreeNodes } from './tree-nodes.ts'

/** Levels whose directions are listed: below, too few queries come by for what the lists cost all of them. */
const listedLevels = 6

/** Numbers the directions anew, those of the upper nodes first; the nodes are changed. */
export function upperFirst(
  { nodes, roots }: Pick<TreeNodes, 'nodes' | 'roots'>,
  directions: Directions,
): { readonly directions: Directions; readonly listed: number } {
  const array = nodes.array
  const upper: number[] = []
  for (let tree = 0; tree + 1 < roots.length; tree++) collectUpper(array, roots.array[tree], 0, 0, upper)
  const isUpper = new Uint8Array(directions.offsets.length - 1)
  for (const at of upper) isUpper[array[at]] = 1
  const order = new Uint32Array(isUpper.length)
  let next = 0
  for (const at of upper) order[next++] = array[at]
  for (let number = 0; number < isUpper.length; number++) if (!isUpper[number]) order[next++] = number
  const numbers = new Uint32Array(order.length)
  order.forEach((old, number) => {
    numbers[old] = number
  })
  for (let at = 0; at < array.length; at += 3) if (array[at] !== leafMark) array[at] = numbers[array[at]]
  return { directions: reorder(directions, order), listed: upper.length }
}

/** The places of a tree's inner nodes above a level. */
function collectUpper(nodes: Uint32Array, root: number, node: number, level: number, found: number[]): void {
  const at = 3 * (root + node)
  if (level === listedLevels || nodes[at] === leafMark) return
  found.push(at)
  collectUpper(nodes, root, node + 1, level + 1, found)
  collectUpper(nodes, root, nodes[at + 2], level + 1, found)
}

function reorder({ offsets, indices, values }: Directions, order: Uint32Array): Directions {
  const ordered = {
    offsets: new Uint32Array(offsets.length),
    indices: new Uint32Array(indices.length),
    values: new Float32Array(values.length),
  }
  let at = 0
  order.forEach((old, number) => {
    ordered.indices.set(indices.subarray(offsets[old], offsets[old + 1]), at)
    ordered.values.set(values.subarray(offsets[old], offsets[old + 1]), at)
    at += offsets[old + 1] - offsets[old]
    ordered.offsets[number + 1] = at
  })
  return ordered
}

export interface FeatureLists {
  /** u32 [dims + 1] */
  readonly offsets: Slice<Uint32Array>
  /** Pairs of a direction and its weight (f32 bits), a feature's in order of the directions. */
  readonly entries: Slice<Uint32Array>
}

/** The first `listed` directions, by feature. */
export function listByFeature(keeper: Allocator, directions: Directions, listed: number, dims: number): FeatureLists {
  const { offsets, indices, values } = directions
  const end = offsets[listed]
  const lists = keeper.allocate(Uint32Array, dims + 1, 'directions')
  const entries = keeper.allocate(Uint32Array, 2 * end, 'directions')
  for (let e = 0; e < end; e++) lists.array[indices[e] + 1]++
  for (let feature = 0; feature < dims; feature++) lists.array[feature + 1] += lists.array[feature]
  const next = lists.array.slice()
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length)
  for (let direction = 0; direction < listed; direction++) {
    for (let e = offsets[direction]; e < offsets[direction + 1]; e++) {
      const at = 2 * next[indices[e]]++
      entries.array[at] = direction
      entries.array[at + 1] = bits[e]
    }
  }
  return { offsets: lists, entries }
}
