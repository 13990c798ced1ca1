// The nearest neighbors of the training rows, which the leaves of a natural forest count. Computing them all exactly is what the
// paper calls its main limitation; so by default they are found by a first forest, and refined by walks along links between the rows
// of the lists, until a sample says that hardly any is missing.

import type { Forest } from '../../forest/forest.ts'
import { growForest } from '../../forest/grow-forest.ts'
import { type NeighborLists, neighborLabels, selfLists } from '../../forest/label-source.ts'
import type { Slice } from '../../kernels/arena.ts'
import type { Engine } from '../../kernels/engine.ts'
import type { LongWork, Progress } from '../../long-work.ts'
import { Random } from '../../random.ts'
import { depthFor } from '../../trees/growers.ts'
import type { DenseRows } from '../dense/dense-rows.ts'
import { exactNeighbors } from '../dense/exact-search.ts'
import type { Searched, TreeEffort } from './block.ts'
import { exactByCodes } from './exact-by-codes.ts'
import { linkRows } from './links/link-rows.ts'
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
/** Shorter lists lead to too few rows: these are made longer, and cut in the end. */
const fewestListed = 25
/** Links of a row while lists are refined. */
const linkWidth = 24
/** Walks start from one tree, and keep so many times k rows, which are compared exactly. */
const walkFactor = 1.6
const sampleSize = 80
/** One walk leaves this share or more, unless the codes lose neighbors; then longer walks find some of them. */
const enoughRecall = 0.88
const leastGain = 0.015
const mostPasses = 4
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
  const forest = await firstForest(engine, bootstrap, k)
  try {
    bootstrap.onGrown?.()
    let lists = await lookUp(engine, { ...bootstrap, k }, forest)
    let recall = check(lists)
    let walk = Math.ceil(walkFactor * k)
    for (let pass = 0; pass < mostPasses && recall < (pass === 0 ? 1 : enoughRecall); pass++) {
      lists = await walkFrom(engine, { ...bootstrap, k }, forest, lists, walk)
      const gain = check(lists) - recall
      recall += gain
      if (gain < leastGain) walk *= 2
    }
    return { lists: shorten(lists, wanted), recall }
  } finally {
    forest.free()
  }
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
    const truth = await exactByCodes(engine, { rows, queries: placed, k, threads, signal }, searched)
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

/** Trees whose leaves hold the rows in them. */
async function firstForest(
  engine: Engine,
  { searched, sketches, seed, threads, signal, onProgress }: Bootstrap,
  k: number,
): Promise<Forest> {
  const { rows, sketch } = searched
  const leafSize = Math.max(firstLeaf, 2 * k)
  const scope = engine.arena.scope()
  try {
    const labels = neighborLabels(scope, selfLists(rows.rows), rows.rows)
    return await growForest(engine, {
      ...{ view: sketches, rows: rows.rows, dims: sketch.dims, labels, plainVotes: true },
      ...{ grower: 'kd', options: {}, trees: firstTrees, leafSize, depth: depthFor('kd', rows.rows, leafSize) },
      ...{ seed, threads, signal, onProgress },
    })
  } finally {
    scope.free()
  }
}

/** The nearest of the rows that share a leaf. */
function lookUp(engine: Engine, bootstrap: Bootstrap, forest: Forest): Promise<NeighborLists> {
  const searched = { ...bootstrap.searched, forest: forest.pointer, treesSeeSketch: true }
  const effort = { trees: firstTrees, threshold: 0, probes: 0, rerank: bootstrap.k, walk: 0 }
  return searchAll(engine, bootstrap, searched, effort, 'finding neighbors')
}

/** What walks along links between the rows of the lists find. */
async function walkFrom(
  engine: Engine,
  bootstrap: Bootstrap,
  forest: Forest,
  lists: NeighborLists,
  walk: number,
): Promise<NeighborLists> {
  const { threads, signal, onProgress } = bootstrap
  const linking = { searched: bootstrap.searched, lists, width: linkWidth, threads, signal, onProgress }
  const links = await linkRows(engine, linking)
  try {
    const placed = { pointer: links.pointer, width: linkWidth }
    const searched = { ...bootstrap.searched, forest: forest.pointer, treesSeeSketch: true, links: placed }
    const effort = { trees: 1, threshold: 0, probes: 0, rerank: walk, walk }
    return await searchAll(engine, bootstrap, searched, effort, 'refining neighbors')
  } finally {
    links.free()
  }
}

/** The lists of all rows, some rows at a time: the answers have distances, which would take as much memory once more. */
async function searchAll(
  engine: Engine,
  { k, threads, signal, onProgress }: Bootstrap,
  searched: Searched,
  effort: TreeEffort,
  what: string,
): Promise<NeighborLists> {
  const { rows: total, dims, pointer } = searched.rows
  const lists = { k, rows: new Uint32Array(total * k), counts: new Uint32Array(total) }
  for (let from = 0; from < total; from += rowsAtOnce) {
    const queries = { pointer: pointer + 4 * from * dims, rows: Math.min(rowsAtOnce, total - from) }
    const report = onProgress && (({ done }: Progress) => onProgress({ what, done: from + done, total }))
    const found = await forestNeighbors(engine, { searched, queries, k, effort, threads, signal, onProgress: report })
    lists.rows.set(found.rows, from * k)
    lists.counts.set(found.counts, from)
  }
  return lists
}
