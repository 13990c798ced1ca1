// How many rows must be compared exactly after a look at all codes, so that the target is reached: for k neighbors, and for more. A
// filter that lets one row in five pass wants the k nearest that pass, which are among the 5 · k nearest of all: codes must be good
// enough for so many.

import { type EffortTrials, meanAndError, type TrialForest } from './trials/effort-trials.ts'

/** The sift settings for one number of neighbors. */
export interface TunedSift {
  readonly k: number
  /** Rows to compare: those with the nearest codes of all. */
  readonly rerank: number
  /** The share of the true neighbors of held-out rows that are among them. */
  readonly recall: number
}

export interface SiftQuestion {
  readonly trials: EffortTrials
  readonly forest: TrialForest
  readonly k: number
  readonly targetRecall: number
  /** The recall of comparing all rows: less than 1 if only their codes are kept. */
  readonly exactRecall: number
  readonly rows: number
}

/** Numbers of neighbors: the factor between them, the most as a multiple of k, and the most as a share of the rows. */
const growth = Math.SQRT2
const mostTimes = 64
const mostShare = 1 / 8
const queries = 100
/** Rows compared, as multiples of the neighbors wanted. */
const factors = [1.5, 2, 3, 4, 6, 9, 14]

/** Ascending in k; stops at the first that needs more than the last of the factors. Empty if codes are of no use. */
export async function tuneSift(question: SiftQuestion): Promise<TunedSift[]> {
  const { trials, forest, exactRecall } = question
  const target = question.targetRecall / exactRecall
  const counts = neighborCounts(question)
  const most = counts.at(-1)
  if (most === undefined || target > 1) return []
  const places = await trials.codePlaces(forest, most, Math.ceil((factors.at(-1) ?? 1) * most), queries)
  const found: TunedSift[] = []
  for (const k of counts) {
    const rerank = factors.map(factor => Math.ceil(factor * k)).find(size => isEnough(places, k, size, target))
    if (rerank === undefined) break
    found.push({ k, rerank, recall: recallOf(places, k, rerank).recall })
  }
  return found
}

function neighborCounts({ k, rows }: SiftQuestion): number[] {
  const most = Math.min(mostTimes * k, mostShare * rows)
  const counts: number[] = []
  for (let times = 1; Math.round(times * k) <= most; times *= growth) counts.push(Math.round(times * k))
  return counts
}

/** By more than chance. */
function isEnough(places: readonly Uint32Array[], k: number, rerank: number, target: number): boolean {
  const { recall, error } = recallOf(places, k, rerank)
  return recall - error >= target
}

function recallOf(places: readonly Uint32Array[], k: number, rerank: number) {
  const shares = places.map(all => {
    const wanted = all.subarray(0, k)
    return wanted.length === 0 ? 1 : wanted.filter(place => place < rerank).length / wanted.length
  })
  return meanAndError(Float64Array.from(shares), k)
}
