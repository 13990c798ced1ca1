// Recall against time: what an index finds of the true neighbors, and how long it takes, for a row of efforts.
// Queries run one by one on this thread, each effort three times, and the fastest round counts: what else the
// machine does only ever adds time. Distances decide what is found, as ties make rows a matter of chance.

import { assert, EngineError, throwIfAborted } from '../errors.ts'
import { checkLists, neighborRecallByDistance } from '../evaluate/ann-recall.ts'
import type { Id } from '../ids/id.ts'
import type { LongWork } from '../long-work.ts'
import { checkedLater, checkNumber, checkObject, checkOptions, optionTable, refuse, workChecks } from '../options.ts'
import type { Neighbor } from './neighbor.ts'
import { checkK } from './neighbor.ts'
import type { NeighborArrays } from './neighbor-batch.ts'
import { checkIndex, checkVectors, type QueryOptions, type SearchIndex, type Vectors } from './search-index.ts'

/** Options of `measureCurve`. */
export interface CurveOptions extends LongWork {
  /** Number of neighbors. Default 10. */
  readonly k?: number
  /** Options of `index.search` to measure, one point each. Default: its own defaults. */
  readonly efforts?: readonly QueryOptions[]
  /** The true neighbors of the queries: at least k of each, if there are that many rows. */
  readonly truth: NeighborArrays
  /**
   * The id to leave out of the answers to each query, if queries are items of the index: an item is not its own neighbor. `truth` is as
   * the index gives it, the items included. Default: none.
   */
  readonly except?: readonly Id[]
}

/** Recall and time of one effort, as means over the queries. */
export interface CurvePoint {
  /** The share of the k true neighbors that was found. */
  readonly recall: number
  readonly microsPerQuery: number
  /** Candidate rows compared; all rows if the index does not report it. */
  readonly candidates: number
  /** The effort. */
  readonly options: QueryOptions
}

const curveOptions = optionTable<CurveOptions>({
  ...{ k: checkedLater, efforts: checkedLater, truth: checkedLater, except: checkedLater },
  ...workChecks,
})

const rounds = 3
/** How long queries run before others get a turn: Ctrl-C, a progress bar. */
const turnMillis = 50

/** The Pareto front of recall and time, ascending in both. */
export async function measureCurve(index: SearchIndex, queries: Vectors, options: CurveOptions): Promise<CurvePoint[]> {
  checkOptions(options, curveOptions)
  const { k = 10, efforts = [{}], truth, except, signal, onProgress } = options
  checkK(k)
  checkIndex(index)
  checkVectors('queries', queries)
  checkLists('truth', truth)
  if (!Array.isArray(efforts)) refuse('efforts', efforts, 'a list of options')
  checkExcept(except, queries.rows)
  if (queries.rows === 0) throw new EngineError('EMPTY_DATA', 'there are no queries to measure with')
  const points: CurvePoint[] = []
  for (const [done, effort] of efforts.entries()) {
    const watch = (share: number) => {
      throwIfAborted(signal)
      onProgress?.({ what: 'measuring', done: done + share, total: efforts.length })
    }
    points.push(await measurePoint(index, queries, { k, effort, truth, except, watch }))
  }
  return paretoFront(points)
}

/** The points that no other beats in recall and time. If two are equal, keeps the first. */
export function paretoFront(points: readonly CurvePoint[]): CurvePoint[] {
  if (!Array.isArray(points)) refuse('points', points, 'a list of points')
  for (const [i, point] of points.entries()) checkPoint(point, i)
  const fromBest = [...points].sort((a, b) => b.recall - a.recall || a.microsPerQuery - b.microsPerQuery)
  let quickest = Number.POSITIVE_INFINITY
  const front = fromBest.filter(({ microsPerQuery }) => {
    if (microsPerQuery >= quickest) return false
    quickest = microsPerQuery
    return true
  })
  return front.reverse()
}

function checkPoint(point: CurvePoint, i: number): void {
  checkObject(`point ${i}`, point, 'an object with recall and microsPerQuery')
  for (const part of ['recall', 'microsPerQuery'] as const) {
    checkNumber(`${part} of point ${i}`, point[part], Number.isFinite, 'a finite number')
  }
}

function checkExcept(except: unknown, queries: number): void {
  if (except === undefined) return
  if (!Array.isArray(except) || except.length !== queries)
    refuse('except', except, `a list of ${queries} ids, one per query`)
}

interface PointPlan {
  readonly k: number
  readonly effort: QueryOptions
  readonly truth: NeighborArrays
  readonly except: readonly Id[] | undefined
  /** Called between turns with how much of the point is measured. */
  readonly watch: (share: number) => void
}

async function measurePoint(index: SearchIndex, queries: Vectors, plan: PointPlan): Promise<CurvePoint> {
  const { k, effort, truth, except, watch } = plan
  const options = { ...effort, k: except ? k + 1 : k }
  const answers: Neighbor[][] = []
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const watchRound = (share: number) => watch((round + share) / rounds)
    best = Math.min(best, await timeRound(index, queries, options, { answers, watch: watchRound }))
  }
  return {
    recall: except
      ? recallOf(index, without(answers, except, k), truthWithout(index, truth, except, k), Math.min(k, index.rows - 1))
      : recallOf(index, answers, truth, Math.min(k, index.rows)),
    microsPerQuery: (best * 1000) / queries.rows,
    candidates: meanCandidates(index, queries, options),
    options: effort,
  }
}

/** The answers without the items that were asked for. */
function without(answers: readonly Neighbor[][], except: readonly Id[], k: number): Neighbor[][] {
  return answers.map((neighbors, i) => neighbors.filter(({ id }) => id !== except[i]).slice(0, k))
}

function truthWithout(index: SearchIndex, truth: NeighborArrays, except: readonly Id[], k: number): NeighborArrays {
  const lists = Array.from(except, (id, query) => {
    const from = query * truth.k
    const places = Array.from({ length: truth.counts[query] }, (_, place) => from + place)
    return places.filter(at => truth.rows[at] !== index.rowOf(id)).slice(0, k)
  })
  const [rows, distances] = [new Uint32Array(lists.length * k), new Float32Array(lists.length * k)]
  lists.forEach((places, query) => {
    places.forEach((at, place) => {
      rows[query * k + place] = truth.rows[at]
      distances[query * k + place] = truth.distances[at]
    })
  })
  return { queries: lists.length, k, rows, distances, counts: Uint32Array.from(lists, ({ length }) => length) }
}

/** The milliseconds that all queries took, pauses left out; the answers are put into `answers`. */
async function timeRound(
  index: SearchIndex,
  queries: Vectors,
  options: QueryOptions,
  { answers, watch }: { answers: Neighbor[][]; watch: (share: number) => void },
): Promise<number> {
  let total = 0
  let done = 0
  while (done < queries.rows) {
    watch(done / queries.rows)
    await pause()
    const start = performance.now()
    let now = start
    while (done < queries.rows && now - start < turnMillis) {
      answers[done] = index.search(queries.row(done), options)
      done++
      now = performance.now()
    }
    total += now - start
  }
  return total
}

function meanCandidates(index: SearchIndex, queries: Vectors, options: QueryOptions): number {
  if (!index.searchCandidates) return index.rows
  let sum = 0
  for (let i = 0; i < queries.rows; i++) sum += index.searchCandidates(queries.row(i), options)
  return sum / queries.rows
}

/** Recall at `k`, or at the number of rows if there are fewer. */
function recallOf(index: SearchIndex, answers: readonly Neighbor[][], truth: NeighborArrays, k: number): number {
  const rows = new Uint32Array(answers.length * k)
  const distances = new Float32Array(answers.length * k)
  answers.forEach((neighbors, i) => {
    neighbors.forEach(({ id, distance }, place) => {
      const row = index.rowOf(id)
      assert(row !== undefined, `the index found ${id}, which it does not hold`)
      rows[i * k + place] = row
      distances[i * k + place] = distance
    })
  })
  const counts = Uint32Array.from(answers, ({ length }) => length)
  return neighborRecallByDistance({ queries: answers.length, k, rows, distances, counts }, truth, k)
}

function pause(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 0))
}
