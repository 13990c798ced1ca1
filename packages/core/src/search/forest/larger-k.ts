// Efforts for more neighbors than an index was tuned for. Asking for more of them needs more candidates, not only more rows
// compared: so the efforts along the curve are tried again for some larger k.

import type { Effort } from './block.ts'
import { rungs } from './efforts.ts'
import { longerWalks } from './links/walk-tuning.ts'
import type { ForestSettings } from './options.ts'
import type { EffortTrials, Measured, TrialForest, TriedEffort } from './trials/effort-trials.ts'

/** The effort that reaches the target for one number of neighbors. */
export interface TunedK {
  readonly k: number
  readonly effort: Effort
  /** The share of the true neighbors of held-out rows that was found. */
  readonly recall: number
}

export interface LargerQuestion {
  readonly trials: EffortTrials
  readonly forest: TrialForest
  readonly settings: Pick<ForestSettings, 'k' | 'trees' | 'rule' | 'targetRecall'>
  readonly curve: readonly TriedEffort[]
  /** The effort for k neighbors. */
  readonly chosen: Effort
  readonly rows: number
  /** No effort may cost more: comparing all rows would be cheaper. */
  readonly mostMicros: number
}

/** Each as many times the one before; an index is rarely asked for more than this many times its k, or this share of its rows. */
const growth = 4
const steps = 3
const mostShare = 1 / 8
/** How often the gap is halved between the last k that can be had and the first that cannot. */
const halvings = 2
/** A query has many neighbors: fewer queries tell as much. */
const queries = 100
const rerankFactors = [1.5, 2, 3, 5]
const widestFactor = 8

/** Stops at the first k for which nothing reaches the target before it costs as much as comparing all rows. */
export async function tuneLarger(question: LargerQuestion): Promise<TunedK[]> {
  const { settings, rows, trials } = question
  const found: TunedK[] = []
  const largest = Math.min(growth ** steps * settings.k, Math.floor(mostShare * rows))
  if (largest >= growth * settings.k) await trials.foresee(largest, queries)
  const walks = walksOf(question)
  let ways = waysOf(question)
  for (let k = growth * settings.k; found.length < steps && k <= mostShare * rows; k *= growth) {
    const best = await tuneOne(question, k, walks?.(k) ?? ways)
    if (!best) {
      const between = { good: found.at(-1)?.k ?? settings.k, bad: k, ways }
      return [...found, ...(await tuneBetween(question, between, walks))]
    }
    found.push(toTuned(k, best))
    // A larger k needs at least as much.
    ways = ways.slice(best.place)
  }
  return found
}

/** An effort for more than `good` neighbors, if there is none for `bad`: filters that drop one row in five ask for that many. */
async function tuneBetween(
  question: LargerQuestion,
  { good, bad, ways }: { good: number; bad: number; ways: Effort[] },
  walks: WalksFor | undefined,
): Promise<TunedK[]> {
  const found: TunedK[] = []
  let left = ways
  for (let halving = 0; halving < halvings; halving++) {
    const k = Math.round(Math.sqrt((found.at(-1)?.k ?? good) * bad))
    const best = await tuneOne(question, k, walks?.(k) ?? left)
    if (!best) bad = k
    else {
      found.push(toTuned(k, best))
      left = left.slice(best.place)
    }
  }
  return found
}

function toTuned(k: number, { effort, recall }: Measured): TunedK {
  return { k, effort, recall }
}

type WalksFor = (k: number) => Effort[]

/** If the index walks: longer walks from the same trees. */
function walksOf({ chosen, rows }: LargerQuestion): WalksFor | undefined {
  return chosen.walk > 0 ? k => longerWalks(chosen, k, rows) : undefined
}

/** Efforts by what brings candidates, ascending in cost. */
function waysOf({ curve, settings }: LargerQuestion): Effort[] {
  const onCurve = curve.map(({ effort }) => effort).filter(effort => !effort.exact)
  const most = Math.max(...onCurve.map(({ probes }) => probes))
  const all = [...onCurve, ...rungs(settings, most)]
  const keyOf = ({ trees, threshold, probes }: Effort) => `${trees} ${threshold} ${probes}`
  return [...new Map(all.map(effort => [keyOf(effort), effort])).values()]
}

/** The first of the ways that reaches the target, found by halving; with as few rows compared as will do. */
async function tuneOne(question: LargerQuestion, k: number, all: readonly Effort[]) {
  const { trials, forest, mostMicros } = question
  const isGood = ({ recall, error, cost }: Measured) =>
    recall - error >= question.settings.targetRecall && cost <= mostMicros
  const ways = all.filter(way => leastMicros(question, way) <= mostMicros)
  const measure = (place: number, factor: number) =>
    trials.measure(forest, { ...ways[place], rerank: Math.ceil(factor * k) }, k, queries)
  let [from, to] = [0, ways.length]
  let best: (Measured & { readonly place: number }) | undefined
  while (from < to) {
    const middle = (from + to) >> 1
    const tried = await measure(middle, widestFactor)
    if (isGood(tried)) best = { ...tried, place: middle }
    // Later ways cost even more.
    if (isGood(tried) || tried.cost > mostMicros) to = middle
    else from = middle + 1
  }
  if (!best) return undefined
  for (const factor of rerankFactors) {
    const tried = await measure(best.place, factor)
    if (isGood(tried)) return { ...tried, place: all.indexOf(ways[best.place]) }
  }
  return { ...best, place: all.indexOf(ways[best.place]) }
}

/** The lowest cost of a way: a walk meets all rows that it keeps. */
function leastMicros({ trials, forest }: LargerQuestion, way: Effort): number {
  return trials.cost(forest, { ...way, rerank: 0 }, way.walk)
}
