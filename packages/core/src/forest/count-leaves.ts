// Counting the labels in the leaves of grown trees: once to know the sizes, then again to write them. Both run in worker threads, one
// tree per job.

import { EngineError } from '../errors.ts'
import type { Allocator } from '../kernels/arena.ts'
import type { Engine } from '../kernels/engine.ts'
import { treeKernels } from '../kernels/sets/trees.ts'
import type { LongWork } from '../long-work.ts'
import type { GrownTree, PlacedLabels } from '../trees/growing.ts'
import { bitsFor, checkPacking, type LeafCounts } from './leaf-counts.ts'

export interface Counting extends LongWork {
  readonly trees: readonly GrownTree[]
  readonly labels: PlacedLabels
  readonly threads?: number | undefined
}

export async function countLeaves(engine: Engine, keeper: Allocator, counting: Counting): Promise<LeafCounts> {
  const { trees, labels, threads, signal, onProgress } = counting
  const pool = engine.pool(threads)
  const total = trees.reduce((sum, { leafCount }) => sum + leafCount, 0)
  const offsets = keeper.allocate(Uint32Array, total + 1, 'leaves')
  const rows = keeper.allocate(Uint32Array, total, 'leaves')
  const firsts = firstLeaves(trees)
  const work = { scratchBytes: 8 * labels.count, signal, onProgress }
  const common = (tree: GrownTree) => [
    ...[tree.order.pointer, tree.leafStarts.pointer, tree.leafCount],
    ...[labels.offsets.pointer, labels.indices.pointer, labels.count],
  ]
  // Sizes are written one place on, so that summing them up turns them into offsets.
  const sized = trees.map((tree, i) => [...common(tree), offsets.pointer + 4 * (firsts[i] + 1)])
  const highest = await pool.run(treeKernels, 'leafSizes', sized, { ...work, what: 'counting labels' })
  const countBits = bitsFor(highest.reduce((most, count) => Math.max(most, count), 1))
  checkPacking(labels.count, countBits)
  sumUp(offsets.array)
  for (const [i, tree] of trees.entries()) fillRows(rows.array, tree, firsts[i])
  const entries = keeper.allocate(Uint32Array, offsets.array[total], 'the labels of the leaves')
  const filled = trees.map((tree, i) => [...common(tree), entries.pointer + 4 * offsets.array[firsts[i]], countBits])
  await pool.run(treeKernels, 'fillLeaves', filled, { ...work, what: 'writing leaves' })
  return { offsets, entries, rows, countBits }
}

/** The number of each tree's first leaf. */
export function firstLeaves(trees: readonly { readonly leafCount: number }[]): number[] {
  let next = 0
  return trees.map(({ leafCount }) => {
    next += leafCount
    return next - leafCount
  })
}

function sumUp(offsets: Uint32Array): void {
  let sum = 0
  for (let i = 0; i < offsets.length; i++) {
    sum += offsets[i]
    if (sum > 2 ** 30) throw new EngineError('OUT_OF_MEMORY', 'the leaves would hold more than 2³⁰ labels')
    offsets[i] = sum
  }
}

function fillRows(rows: Uint32Array, { leafStarts, leafCount }: GrownTree, first: number): void {
  const starts = leafStarts.array
  for (let leaf = 0; leaf < leafCount; leaf++) rows[first + leaf] = starts[leaf + 1] - starts[leaf]
}
