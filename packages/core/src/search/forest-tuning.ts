// Chooses how thoroughly to search for a wanted recall, as MRPT does: grow once, then try efforts on rows that were held out of
// growing. What an effort costs is counted, not timed, so that the same seed gives the same index on every machine.

import { type RuleName, takesThreshold } from '../forest/rule.ts'
import type { Engine } from '../kernels/engine.ts'
import type { LongWork } from '../progress.ts'
import type { DenseRows } from './dense-rows.ts'
import { exactNeighbors } from './exact-search.ts'
import type { Effort, Searched } from './forest-block.ts'
import type { ForestSettings } from './forest-options.ts'
import { forestNeighbors } from './forest-search.ts'

/** One effort that was tried. */
export interface TriedEffort {
  readonly effort: Effort
  /** The share of the true neighbors of held-out rows that was found. */
  readonly recall: number
  /** Candidates a query. */
  readonly candidates: number
  /** Estimated microseconds a query on a machine of today: what efforts are compared by. */
  readonly cost: number
}

export interface ForestTuning {
  readonly target: number
  readonly k: number
  readonly chosen: TriedEffort
  /** False where even the most thorough effort found less than the target. */
  readonly reached: boolean
  /** The efforts that no other beats in both recall and cost, ascending. */
  readonly curve: readonly TriedEffort[]
}

export interface TuningQuestion extends LongWork {
  readonly searched: Searched & { readonly rows: DenseRows }
  readonly rule: RuleName
  /** Trees grown, and labels in an average leaf. */
  readonly trees: number
  readonly leafEntries: number
  /** Rows of the index that its trees have not seen, as queries. */
  readonly heldOut: Uint32Array
  readonly k: number
  readonly target: number
  readonly threads?: number | undefined
}

// Nanoseconds of the parts of a search (bench/results/ann-fashion-mnist.json): only their ratios matter.
const nanos = { tree: 160, entry: 2.2, probe: 450, candidate: 16, exactPerDim: 0.75, sketchPerProduct: 0.1 }

const treeShares = [0.15, 0.25, 0.4, 0.6, 0.8, 1]
/** Thresholds as parts of one vote a tree. */
const thresholds = [0, 0.3, 0.6]
/** Probes a tree. */
const probeRates = [0, 1, 3]
const rerankFactors = [1.5, 2, 3, 4, 6, 9, 14, 20]

export async function tuneEffort(engine: Engine, question: TuningQuestion): Promise<ForestTuning> {
  const { k, target, onProgress } = question
  const measure = await measurer(engine, question)
  const wide = coarseEfforts(question)
  const tried: Measured[] = []
  for (const [done, effort] of wide.entries()) {
    onProgress?.({ what: 'tuning', done, total: 2 * wide.length })
    tried.push(await measure(effort))
  }
  const front = frontOf(tried)
  const fine = front.flatMap(({ effort }) =>
    rerankFactors.map(factor => ({ ...effort, rerank: Math.ceil(factor * k) })),
  )
  for (const [done, effort] of fine.entries()) {
    onProgress?.({ what: 'tuning', done: fine.length + done, total: 2 * fine.length })
    tried.push(await measure(effort))
  }
  const curve = frontOf(tried)
  const good = curve.find(({ recall, error }) => recall - error >= target)
  const chosen = good ?? curve[curve.length - 1]
  return { target, k, chosen: plain(chosen), reached: good !== undefined, curve: curve.map(plain) }
}

/** Efforts worth showing on a curve: those the tuning found, else a row of them from quick to thorough. */
export function forestEfforts({
  tuning,
  settings,
}: {
  tuning: ForestTuning | undefined
  settings: ForestSettings
}): Effort[] {
  if (tuning) return tuning.curve.map(({ effort }) => effort)
  return coarseEfforts(settings).flatMap(effort =>
    [2, 4, 8].map(factor => ({ ...effort, rerank: factor * settings.k })),
  )
}

/** A tried effort with the standard error of its recall: the target must be beaten by that much. */
interface Measured extends TriedEffort {
  readonly error: number
}

function plain({ effort, recall, candidates, cost }: TriedEffort): TriedEffort {
  return { effort, recall, candidates, cost }
}

/** All of trees, thresholds and probes, with as much re-ranking as is ever worth it. */
function coarseEfforts({ trees, k, rule }: Pick<ForestSettings, 'trees' | 'k' | 'rule'>): Effort[] {
  const counts = [...new Set(treeShares.map(share => Math.max(1, Math.round(share * trees))))]
  const rerank = Math.ceil(rerankFactors[rerankFactors.length - 1] * k)
  return counts.flatMap(asked =>
    (takesThreshold(rule) ? thresholds : [0]).flatMap(votes =>
      probeRates.map(rate => ({ trees: asked, threshold: fourDecimals(votes / asked), probes: rate * asked, rerank })),
    ),
  )
}

/** A threshold as people would write it. */
function fourDecimals(value: number): number {
  return Math.round(10_000 * value) / 10_000
}

/** Measures one effort on the held-out rows, each of which is left out of its own neighbors. */
async function measurer(engine: Engine, question: TuningQuestion): Promise<(effort: Effort) => Promise<Measured>> {
  const { searched, heldOut, k, threads, signal } = question
  const { rows } = searched
  const work = { threads, signal }
  const wanted = Math.min(k + 1, rows.rows)
  const truth = await withQueries(engine, rows, heldOut, queries =>
    exactNeighbors(engine, { ...work, rows, queries, k: wanted }),
  )
  const others = (found: Uint32Array, i: number, count: number) =>
    found.subarray(i * wanted, i * wanted + count).filter(row => row !== heldOut[i])
  return effort =>
    withQueries(engine, rows, heldOut, async queries => {
      const found = await forestNeighbors(engine, { ...work, searched, queries, k: wanted, effort })
      const recalls = Float64Array.from(heldOut, (_, i) => {
        const near = others(truth.rows, i, truth.counts[i]).slice(0, k)
        const have = new Set(others(found.rows, i, found.counts[i]).slice(0, k))
        return near.length === 0 ? 1 : near.filter(row => have.has(row)).length / near.length
      })
      const candidates = found.candidates / heldOut.length
      return { effort, ...meanAndError(recalls), candidates, cost: costOf(effort, candidates, question) }
    })
}

function meanAndError(values: Float64Array): { recall: number; error: number } {
  const recall = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - recall) ** 2, 0)
  return { recall, error: Math.sqrt(squares / Math.max(1, values.length - 1) / values.length) }
}

async function withQueries<T>(
  engine: Engine,
  rows: DenseRows,
  picked: Uint32Array,
  use: (queries: { pointer: number; rows: number }) => Promise<T>,
): Promise<T> {
  const scope = engine.arena.scope()
  try {
    const queries = scope.allocate(Float32Array, picked.length * rows.dims, 'held-out rows')
    for (let i = 0; i < picked.length; i++) queries.array.set(rows.row(picked[i]), i * rows.dims)
    return await use({ pointer: queries.pointer, rows: picked.length })
  } finally {
    scope.free()
  }
}

function costOf(effort: Effort, candidates: number, { searched, leafEntries }: TuningQuestion): number {
  const { rows, sketch } = searched
  const leaves = effort.trees + effort.probes
  const total =
    nanos.sketchPerProduct * rows.dims * sketch.dims +
    nanos.tree * effort.trees +
    nanos.probe * effort.probes +
    nanos.entry * leafEntries * leaves +
    nanos.candidate * candidates +
    nanos.exactPerDim * rows.dims * Math.min(candidates, effort.rerank)
  return total / 1000
}

/** Ascending recall and cost; of equals the first. */
function frontOf<T extends TriedEffort>(tried: readonly T[]): T[] {
  const fromBest = [...tried].sort((a, b) => b.recall - a.recall || a.cost - b.cost)
  let cheapest = Number.POSITIVE_INFINITY
  const front = fromBest.filter(({ cost }) => {
    if (cost >= cheapest) return false
    cheapest = cost
    return true
  })
  return front.reverse()
}
