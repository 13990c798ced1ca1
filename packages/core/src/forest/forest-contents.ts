// A forest as the parts of a model file, and back. Everything is stored as it is in memory. Refuses arrays that could lead a
// kernel out of bounds.

import type { EngineError } from '../errors.ts'
import { leafMark, mostDetours, treeNodeAt, treeNodeLength } from '../kernels/generated/blocks/forest.ts'
import { allBelow, allFinite, climbs } from '../store/array-checks.ts'
import type { ModelContents } from '../store/header.ts'
import type { JsonObject } from '../store/json.ts'
import { type Tensor, tensor1d } from '../store/tensor.ts'
import type { SplitKind } from '../trees/grower.ts'
import { mostListed, packedFault } from '../trees/packed-directions.ts'
import { type ForestArrays, type ForestParts, splitKinds } from './forest.ts'
import type { PackedLeaves } from './repack-leaves.ts'

/** Makes the error that says what is wrong with the file. */
export type Fail = (fault: string, cause?: unknown) => EngineError

export function tensorOf<T>(contents: ModelContents, name: string, type: new (...args: never[]) => T, fail: Fail): T {
  const array = contents.tensors[name]?.array
  if (array instanceof type) return array
  throw fail(`there is no ${type.name} "${name}"`)
}

export function numberOf(value: unknown, fail: Fail): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value
  throw fail('a number is missing')
}

export function objectOf(value: unknown, fail: Fail): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw fail('a part of its description is missing')
}

export function wholeOf(value: unknown, fail: Fail): number {
  const number = numberOf(value, fail)
  if (Number.isSafeInteger(number)) return number
  throw fail(`${number} is not a whole number`)
}

/** What the option `depth` may be at most. */
export const mostDepth = 64

/** What the option `probes` may be at most: each is a detour. */
export const mostProbes = mostDetours

const tensorNames = {
  nodes: Uint32Array,
  roots: Uint32Array,
  ownDirections: Float32Array,
  directionOffsets: Uint32Array,
  directionIndices: Uint32Array,
  directionValues: Float32Array,
  directionWords: Uint32Array,
  offsets: Uint32Array,
  entries: Uint32Array,
  rows: Uint32Array,
} as const

/** The tensors of leaves that were packed. */
export function leafTensors({ offsets, entries }: PackedLeaves): Record<string, Tensor> {
  return { 'forest.offsets': tensor1d(offsets), 'forest.entries': tensor1d(entries) }
}

/** The arrays, with names that differ from those of other tensors. */
export function forestTensors(forest: ForestParts): Record<string, Tensor> {
  const names = Object.keys(tensorNames) as (keyof typeof tensorNames)[]
  return Object.fromEntries(names.map(name => [`forest.${name}`, tensor1d(forest[name].array.slice())]))
}

/** What the header says about them. */
export function forestMeta(forest: ForestParts): JsonObject {
  const { splits, dims, trees, depth, listed, labels, plainVotes, countBits } = forest
  return { splits, dims, trees, depth, ...(splits === 'sparse' && { listed }), labels, plainVotes, countBits }
}

export function forestArrays(contents: ModelContents, fail: Fail): ForestArrays {
  const about = objectOf(contents.meta.forest, fail)
  const arrays = Object.fromEntries(
    Object.entries(tensorNames).map(([name, type]) => [
      name,
      tensorOf(contents, `forest.${name}`, type as never, fail),
    ]),
  )
  const splits = splitKinds.find(kind => kind === about.splits)
  if (!splits) throw fail('its splits are of an unknown kind')
  const [dims, trees, depth] = [about.dims, about.trees, about.depth].map(value => wholeOf(value, fail))
  const [labels, countBits] = [about.labels, about.countBits].map(value => wholeOf(value, fail))
  // All arrays of the table were found, each of its type.
  return {
    ...arrays,
    splits,
    dims,
    trees,
    depth,
    listed: splits === 'sparse' ? wholeOf(about.listed, fail) : 0,
    labels,
    countBits,
    plainVotes: about.plainVotes === true,
  } as ForestArrays
}

/** What is wrong with the arrays, in words; undefined if nothing is. */
export function forestFault(forest: ForestArrays): string | undefined {
  if (forest.depth > mostDepth) return `its trees have ${forest.depth} levels`
  return leavesFault(forest) ?? nodesFault(forest) ?? directionsFault(forest)
}

function leavesFault({ offsets, entries, rows, countBits, labels }: ForestArrays): string | undefined {
  if (offsets.length !== rows.length + 1 || !climbs(offsets, entries.length)) return 'its leaves are broken'
  if (countBits < 1 || countBits > 31) return 'its counts are broken'
  const mask = 2 ** countBits - 1
  for (let e = 0; e < entries.length; e++) {
    if (entries[e] >>> countBits >= labels) return 'a leaf names a row that does not exist'
    // Kernels list a label when its score is still 0: with a count of 0 it would be listed again and again.
    if ((entries[e] & mask) === 0) return 'a leaf counts a row that it does not have'
  }
  return undefined
}

/** Children must come after their parents, so that every walk ends in a leaf. */
function nodesFault({
  nodes,
  roots,
  rows,
  trees,
  splits,
  dims,
  depth,
  ownDirections,
}: ForestArrays): string | undefined {
  if (trees < 1 || roots.length !== trees + 1 || !climbs(roots, nodes.length / treeNodeLength))
    return 'its trees are broken'
  const inner = nodes.length / treeNodeLength - rows.length
  if (ownDirections.length !== (splits === 'node' ? inner * dims : 0)) return 'its directions are broken'
  if (!allFinite(ownDirections)) return 'its directions have numbers that are not finite'
  const axes = { axis: dims, level: depth, node: inner, sparse: inner }[splits satisfies SplitKind]
  for (let tree = 0; tree < trees; tree++) {
    const count = roots[tree + 1] - roots[tree]
    if (count === 0) return 'a tree has no nodes'
    for (let node = 0; node < count; node++) {
      const at = treeNodeLength * (roots[tree] + node)
      const [axis, right] = [nodes[at + treeNodeAt.axis], nodes[at + treeNodeAt.right]]
      const fits = axis === leafMark ? right < rows.length : axis < axes && right > node + 1 && right < count
      if (!fits) return `tree ${tree} leads nowhere`
    }
  }
  return undefined
}

function directionsFault(forest: ForestArrays): string | undefined {
  const { splits, directionOffsets, directionIndices, directionValues, directionWords, trees, depth, dims } = forest
  const inner = forest.nodes.length / treeNodeLength - forest.rows.length
  const rows = { axis: 0, node: 0, level: trees * depth, sparse: inner }[splits]
  const [entries, others] =
    splits === 'sparse' ? [directionWords, directionIndices] : [directionIndices, directionWords]
  if (others.length > 0) return 'its directions are broken'
  const listable = forest.listed <= Math.min(rows, mostListed)
  const fits = listable && directionOffsets.length === rows + 1 && climbs(directionOffsets, entries.length)
  if (!fits || directionValues.length !== directionIndices.length) return 'its directions are broken'
  if (!allFinite(directionValues)) return 'its directions have numbers that are not finite'
  if (splits === 'sparse') return packedFault({ offsets: directionOffsets, words: directionWords }, dims)
  return allBelow(directionIndices, dims) ? undefined : 'a direction names a dimension that does not exist'
}
