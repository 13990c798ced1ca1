// The nearest neighbors of the training rows, which the leaves of a natural forest count. Computing them all exactly is what the
// paper calls its main limitation; so by default they are found by a first forest, and bettered by looking at neighbors'
// neighbors until a sample says that hardly any is missing.

import { Forest } from '../../forest/forest.ts'
import { type NeighborLists, neighborLabels, selfLists } from '../../forest/label-source.ts'
import type { Slice } from '../../kernels/arena.ts'
import type { Engine } from '../../kernels/engine.ts'
import { searchedBlock } from '../../kernels/generated/blocks/dense-forest.ts'
import { roomBytes } from '../../kernels/generated/blocks/rooms.ts'
import { forestKernels } from '../../kernels/sets/forest.ts'
import type { LongWork, Progress } from '../../long-work.ts'
import { Random } from '../../random.ts'
import { depthFor } from '../../trees/growers.ts'
import type { DenseRows } from '../dense/dense-rows.ts'
import { exactNeighbors } from '../dense/exact-search.ts'
import { type Searched, writeSearched } from './block.ts'
import { forestNeighbors } from './search.ts'

export interface Bootstrap extends LongWork {
  /** What is searched, but for the forest. */
  readonly searched: Omit<Searched, 'forest' | 'treesSeeSketch'> & { readonly rows: DenseRows }
  readonly sketches: Slice<Float32Array>
  /** Neighbors of each row, itself among them. */
  readonly k: number
  readonly seed: number
  readonly threads?: number | undefined
  /** Called when the sketches are no longer needed. */
  onGrown?(): void
}

/** The first forest: few trees with large leaves. */
const firstTrees = 8
const firstLeaf = 48
/** Shorter lists have too few neighbors' neighbors: these are made longer, and cut in the end. */
const fewestListed = 25
/** Codes choose so many times k rows for exact comparison. */
const rerankFactor = 4
const sampleSize = 200
const enoughRecall = 0.99
const mostPasses = 6
/** A pass that finds less than this share more is the last, if the lists have this share of the neighbors. */
const leastGain = 0.015
const fairRecall = 0.9
const rowsPerJob = 256
const rowsAtOnce = 2 ** 16

/** Exact lists: every training row against every corpus row. */
export async function exactLists(
  engine: Engine,
  rows: DenseRows,
  training: DenseRows,
  k: number,
  options: LongWork & { readonly threads?: number | undefined },
): Promise<NeighborLists> {
  return exactNeighbors(engine, { ...options, rows, queries: training, k: Math.min(k, rows.rows) })
}

/** Lists of all rows of an index, nearly exact, with the recall that a sample of them has. */
export async function bootstrapLists(
  engine: Engine,
  bootstrap: Bootstrap,
): Promise<{ lists: NeighborLists; recall: number }> {
  const { rows } = bootstrap.searched
  const wanted = Math.min(bootstrap.k, rows.rows)
  const k = Math.min(Math.max(wanted, fewestListed), rows.rows)
  const check = await sampleCheck(engine, bootstrap, k)
  const lists = await firstLists(engine, { ...bootstrap, k })
  let recall = check(lists)
  let rerank = rerankFactor * k
  for (let pass = 0; pass < mostPasses && recall < enoughRecall; pass++) {
    await passOver(engine, { ...bootstrap, k }, lists, rerank)
    const gain = check(lists) - recall
    recall += gain
    if (gain >= leastGain) continue
    // Where looking further no longer helps, it is the codes that lose neighbors. Leaves that count nearly all of them are good enough.
    if (recall >= fairRecall) break
    rerank *= 2
  }
  return { lists: shorten(lists, wanted), recall }
}

/** Only the nearest `k` of each list. */
function shorten(lists: NeighborLists, k: number): NeighborLists {
  if (lists.k === k) return lists
  const rows = new Uint32Array(lists.counts.length * k)
  for (let i = 0; i < lists.counts.length; i++) rows.set(lists.rows.subarray(i * lists.k, i * lists.k + k), i * k)
  return { k, rows, counts: lists.counts.map(count => Math.min(count, k)) }
}

/** A function that says which share of the true neighbors of a sample the lists have. */
async function sampleCheck(engine: Engine, { searched, seed, threads, signal }: Bootstrap, k: number) {
  const { rows } = searched
  const picked = new Random(seed, 2).sample(rows.rows, Math.min(sampleSize, rows.rows))
  const scope = engine.arena.scope()
  try {
    const queries = scope.allocate(Float32Array, picked.length * rows.dims, 'a sample of the rows')
    for (let i = 0; i < picked.length; i++) queries.array.set(rows.row(picked[i]), i * rows.dims)
    const placed = { pointer: queries.pointer, rows: picked.length }
    const truth = await exactNeighbors(engine, { rows, queries: placed, k, threads, signal })
    return (lists: NeighborLists) => {
      let found = 0
      picked.forEach((row, i) => {
        const own = new Set(lists.rows.subarray(row * k, row * k + lists.counts[row]))
        for (const neighbor of truth.rows.subarray(i * k, (i + 1) * k)) found += own.has(neighbor) ? 1 : 0
      })
      return found / (picked.length * k)
    }
  } finally {
    scope.free()
  }
}

/** What a lookup in a first forest finds: the rows that share a leaf. */
async function firstLists(
  engine: Engine,
  { searched, sketches, k, seed, threads, onGrown, ...work }: Bootstrap,
): Promise<NeighborLists> {
  const { rows, sketch } = searched
  const leafSize = Math.max(firstLeaf, 2 * k)
  const scope = engine.arena.scope()
  try {
    const forest = await Forest.fit(engine, {
      ...work,
      ...{
        view: sketches,
        rows: rows.rows,
        dims: sketch.dims,
        labels: neighborLabels(scope, selfLists(rows.rows), rows.rows),
        plainVotes: true,
      },
      ...{
        grower: 'kd',
        options: {},
        trees: firstTrees,
        leafSize,
        depth: depthFor('kd', rows.rows, leafSize),
        seed,
        threads,
      },
    })
    try {
      onGrown?.()
      return await searchAll(engine, { ...searched, forest: forest.pointer, treesSeeSketch: true }, k, threads, work)
    } finally {
      forest.free()
    }
  } finally {
    scope.free()
  }
}

/** The lists of all rows, some rows at a time: the answers have distances, which would take as much memory once more. */
async function searchAll(
  engine: Engine,
  searched: Searched,
  k: number,
  threads: number | undefined,
  { signal, onProgress }: LongWork,
): Promise<NeighborLists> {
  const { rows: total, dims, pointer } = searched.rows
  const lists = { k, rows: new Uint32Array(total * k), counts: new Uint32Array(total) }
  const effort = { trees: firstTrees, threshold: 0, probes: 0, rerank: rerankFactor * k, walk: 0 }
  const what = 'finding neighbors'
  for (let from = 0; from < total; from += rowsAtOnce) {
    const queries = { pointer: pointer + 4 * from * dims, rows: Math.min(rowsAtOnce, total - from) }
    const report = onProgress && (({ done }: Progress) => onProgress({ what, done: from + done, total }))
    const found = await forestNeighbors(engine, { searched, queries, k, effort, threads, signal, onProgress: report })
    lists.rows.set(found.rows, from * k)
    lists.counts.set(found.counts, from)
  }
  return lists
}

/** One pass over neighbors' neighbors, which changes the lists: with many rows they take too much memory to have them twice. */
async function passOver(
  engine: Engine,
  { searched, k, threads, signal, onProgress }: Bootstrap,
  lists: NeighborLists,
  rerank: number,
): Promise<void> {
  const { rows } = searched
  const scope = engine.arena.scope()
  try {
    const index = scope.allocate(Uint32Array, searchedBlock.length)
    writeSearched(index.array, { ...searched, forest: 0, treesSeeSketch: true })
    const [inRows, inCounts] = [scope.place(lists.rows, 'neighbors'), scope.place(lists.counts)]
    const outRows = scope.allocate(Uint32Array, lists.rows.length, 'neighbors')
    const outCounts = scope.allocate(Uint32Array, rows.rows)
    const room = scope.allocate(Uint8Array, roomBytes)
    const scratchBytes = engine.exactKernels(forestKernels).neighborScratchBytes(room.pointer, index.pointer)
    const jobs: number[][] = []
    for (let from = 0; from < rows.rows; from += rowsPerJob) {
      jobs.push([
        ...[index.pointer, inRows.pointer, inCounts.pointer, k, rerank],
        ...[outRows.pointer, outCounts.pointer, from, Math.min(rows.rows, from + rowsPerJob)],
      ])
    }
    const work = {
      scratchBytes,
      what: 'bettering neighbors',
      signal,
      onProgress,
    }
    await engine.pool(threads).run(forestKernels, 'neighborPass', jobs, work)
    lists.rows.set(outRows.array)
    lists.counts.set(outCounts.array)
  } finally {
    scope.free()
  }
}
