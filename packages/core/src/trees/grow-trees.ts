// Grows trees in worker threads, one per job, each with its own seed: the trees do not depend on the threads.

import { EngineError } from '../errors.ts'
import type { Scope, TypedArray } from '../kernels/arena.ts'
import { placeBlock } from '../kernels/blocks.ts'
import type { Engine } from '../kernels/engine.ts'
import { type GrowthBlock, growthBlock } from '../kernels/generated/blocks/growth.ts'
import { inTurns, type Steps } from '../long-work.ts'
import { Random } from '../random.ts'
import { growWaves, placeTree } from './grow-waves.ts'
import type { Directions, Grower } from './grower.ts'
import { growerDefaults } from './grower-options.ts'
import { findGrower } from './growers.ts'
import { type Growing, type GrownTrees, isSparse } from './growing.ts'

/** The trees live in the scope. */
export async function growTrees(engine: Engine, scope: Scope, growing: Growing): Promise<GrownTrees> {
  const { rows, dims, trees, depth } = growing
  const sparse = isSparse(growing.view)
  // Sparse rows have directions of the nodes' own only.
  const grower = findGrower(growing.grower, sparse ? { ...growing.options, pcaScope: 'node' } : growing.options)
  if (sparse && !grower.takesSparse)
    throw new EngineError('INVALID_OPTION', `${grower.name} trees do not take sparse rows`)
  const splits = sparse ? 'sparse' : grower.splits(growing.options)
  const random = new Random(growing.seed)
  const seeds = Array.from({ length: trees }, () => random.uint32())
  const work = engine.arena.scope()
  try {
    const shared = sharedDirections(grower, growing, seeds)
    const scale = await inTurns(scaleOf(growing.view, rows), { signal: growing.signal })
    const block = placeBlock(work, growthBlock, fieldsOf(grower, growing, placeDirections(work, shared), scale))
    const most = Math.min(2 * rows, 2 ** (depth + 1))
    const slots = seeds.map(seed => ({ seed, ...placeTree(scope, rows, most, splits === 'node' ? most * dims : 0) }))
    const { counts, weights } = await growWaves(engine, growing, block.pointer, slots)
    return {
      splits,
      directions: shared,
      packed: sparse ? weights : [],
      trees: slots.map((tree, i) => ({ ...tree, nodeCount: counts[i], leafCount: (counts[i] + 1) / 2 })),
    }
  } finally {
    work.free()
  }
}

function fieldsOf(grower: Grower, growing: Growing, directions: DirectionFields, scale: number): GrowthBlock {
  const { view, rows, dims, depth, leafSize, labels } = growing
  const options = { ...growerDefaults, ...growing.options }
  const sparse = isSparse(view) ? view : undefined
  return {
    view: isSparse(view) ? 0 : view.pointer,
    ...{ rows, dims, grower: grower.kernel, depth, leafSize },
    axes: grower.axes(options, dims),
    sampleRows: options.sampleRows,
    labelOffsets: labels.offsets.pointer,
    labelIndices: labels.indices.pointer,
    labels: labels.count,
    ...directions,
    mostLabels: mostLabels(labels.offsets.array),
    rowOffsets: sparse?.offsets.pointer ?? 0,
    rowIndices: sparse?.indices.pointer ?? 0,
    rowValues: sparse?.values.pointer ?? 0,
    density: options.density,
    graphNeighbors: options.graphNeighbors,
    negatives: options.negatives,
    epochs: options.epochs,
    epochRows: epochRowsOf(growing),
    tailThreshold: options.tailThreshold,
    l1: options.l1,
    learningRate: options.learningRate,
    scale,
  }
}

const numbersPerStep = 2 ** 18

/** Dense rows may have any length, and steps have theirs: lengths are 1 on average. Sparse rows have length 1. */
function* scaleOf(view: Growing['view'], rows: number): Steps<number> {
  if (isSparse(view)) return 1
  let squares = 0
  for (let from = 0; from < view.array.length; from += numbersPerStep) {
    const { array } = view // another one if memory has grown in a pause
    const to = Math.min(array.length, from + numbersPerStep)
    for (let e = from; e < to; e++) squares += array[e] * array[e]
    yield
  }
  return squares > 0 ? 1 / Math.sqrt(squares / rows) : 1
}

/** Default rows per epoch: at least this many, and enough to see an average feature this often. */
const [leastEpochRows, featureVisits] = [200, 2]

function epochRowsOf({ view, dims, rows, options }: Growing): number {
  if (options.epochRows) return options.epochRows
  const rowLength = isSparse(view) ? Math.max(1, view.indices.length / rows) : dims
  return Math.max(leastEpochRows, Math.ceil((featureVisits * dims) / rowLength))
}

type DirectionFields = Pick<GrowthBlock, 'directionOffsets' | 'directionIndices' | 'directionValues'>

function placeDirections(scope: Scope, { offsets, indices, values }: Directions): DirectionFields {
  const place = (array: TypedArray) => scope.place(array, 'directions').pointer
  return { directionOffsets: place(offsets), directionIndices: place(indices), directionValues: place(values) }
}

function sharedDirections(grower: Grower, growing: Growing, seeds: readonly number[]): Directions {
  const { view, rows, dims, options, depth } = growing
  if (isSparse(view)) return concatDirections([])
  const values = view.array
  const each = grower.directions
    ? seeds.map(seed => grower.directions?.(options, { values, rows, dims }, depth, new Random(seed, 1)))
    : []
  return concatDirections(each.filter(directions => directions !== undefined))
}

function concatDirections(parts: readonly Directions[]): Directions {
  const entries = parts.reduce((sum, { indices }) => sum + indices.length, 0)
  const rows = parts.reduce((sum, { offsets }) => sum + offsets.length - 1, 0)
  const [offsets, indices, values] = [new Uint32Array(rows + 1), new Uint32Array(entries), new Float32Array(entries)]
  let [row, at] = [0, 0]
  for (const part of parts) {
    for (let i = 1; i < part.offsets.length; i++) offsets[++row] = at + part.offsets[i]
    indices.set(part.indices, at)
    values.set(part.values, at)
    at += part.indices.length
  }
  return { offsets, indices, values }
}

function mostLabels(offsets: Uint32Array): number {
  let most = 0
  for (let row = 0; row + 1 < offsets.length; row++) most = Math.max(most, offsets[row + 1] - offsets[row])
  return most
}
