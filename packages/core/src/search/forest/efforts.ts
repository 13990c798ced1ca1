// Which efforts are worth trying: a grid of quick ones, rungs beyond it, and refinements of what is nearly right.

import { mostProbes } from '../../forest/forest-contents.ts'
import { type RuleName, takesThreshold } from '../../forest/rule.ts'
import type { Effort } from './block.ts'
import type { ForestSettings } from './options.ts'
import type { TriedEffort } from './trials/effort-trials.ts'
import type { ForestTuning } from './tuning.ts'

const treeShares = [0.15, 0.25, 0.4, 0.6, 0.8, 1]
/** Thresholds as parts of one vote per tree. */
const thresholds = [0, 0.3, 0.6]
/** Probes a tree, and those of the rungs beyond the grid. */
const gridRates = [0, 1, 3]
const rungRates = [1, 3, 6, 12, 25, 50, 100, 200]
/** Rows compared, as multiples of k, and those of the rungs. */
const rerankFactors = [1.5, 2, 3, 4, 6, 9, 14, 20]
const rungFactors = [20, 100]

type EffortShape = Pick<ForestSettings, 'trees' | 'k' | 'rule'>

/** All of trees, thresholds and probes, with as much re-ranking as is ever worth it. */
export function gridEfforts({ trees, k, rule }: EffortShape): Effort[] {
  const counts = [...new Set(treeShares.map(share => Math.max(1, Math.round(share * trees))))]
  return counts.flatMap(asked =>
    thresholdsOf(rule, asked).flatMap(threshold =>
      gridRates.map(rate => toEffort(asked, threshold, rate * asked, rerankFactors.at(-1) as number, k)),
    ),
  )
}

/** All trees with more and more probes, beginning above a number of them; each step compares few rows, then many. */
export function rungs({ trees, k }: EffortShape, beyond: number): Effort[] {
  const counts = [...new Set(rungRates.map(rate => Math.min(mostProbes, rate * trees)))].filter(count => count > beyond)
  return counts.flatMap(probes => rungFactors.map(factor => toEffort(trees, 0, probes, factor, k)))
}

/** The same with fewer rows compared, ascending. */
export function fewerCompared(effort: Effort, k: number): Effort[] {
  const reranks = [...rerankFactors, 40].map(factor => Math.ceil(factor * k)).filter(rerank => rerank < effort.rerank)
  return reranks.map(rerank => ({ ...effort, rerank }))
}

/** The same with fewer candidates. */
export function higherThresholds(effort: Effort, rule: RuleName): Effort[] {
  return thresholdsOf(rule, effort.trees)
    .filter(threshold => threshold > effort.threshold)
    .map(threshold => ({ ...effort, threshold }))
}

/** The same effort with other numbers of rows compared. */
export function otherReranks(effort: Effort, k: number): Effort[] {
  return rerankFactors.map(factor => ({ ...effort, rerank: Math.ceil(factor * k) }))
}

/** Efforts worth showing on a curve: those that tuning found, otherwise some from quick to thorough. */
export function forestEfforts({
  tuning,
  settings,
}: {
  tuning: ForestTuning | undefined
  settings: ForestSettings
}): Effort[] {
  if (tuning) return tuning.curve.map(({ effort }) => effort)
  return gridEfforts(settings).flatMap(effort => [2, 4, 8].map(factor => ({ ...effort, rerank: factor * settings.k })))
}

/** The efforts of an index, and the present number of its rows. */
export interface TunedIndex {
  readonly effort: Effort
  readonly tuning: ForestTuning | undefined
  readonly settings: ForestSettings
  readonly rows: number
  /** The share of the rows it was tuned with that were replaced since. */
  readonly turnover: number
}

/** A walk over replaced rows needs to be longer by this share: they were linked one by one, in leaves grown for others. */
const wornWalk = 1 / 4

/** What a search for k neighbors does: what the caller gives, otherwise as tuned for k. */
export function effortFor(index: TunedIndex, given: Partial<Effort>, k: number): Effort {
  const { effort, tuning, settings, rows } = index
  const tuned = k <= settings.k ? effort : effortForMore(effort, tuning, k / settings.k, k)
  const own = tuning ? afterChanges(tuned, rows / tuning.rows, index.turnover) : tuned
  const asksForest = namesForest(given)
  return {
    trees: given.trees ?? own.trees,
    threshold: given.threshold ?? own.threshold,
    probes: given.probes ?? own.probes,
    rerank: given.rerank ?? own.rerank,
    walk: given.walk ?? own.walk,
    exact: given.exact ?? (own.exact && !asksForest),
  }
}

/** More rows than it was tuned with crowd neighbors out of what is kept and compared: both grow with the rows. */
function afterChanges(effort: Effort, growth: number, turnover: number): Effort {
  const worn = effort.walk > 0 ? 1 + wornWalk * turnover : 1
  // Not a number if the file is from before rows were counted.
  const factor = worn * Math.max(1, growth || 1)
  if (factor === 1) return effort
  return { ...effort, rerank: Math.ceil(effort.rerank * factor), walk: Math.ceil(effort.walk * factor) }
}

/** If the caller sets trees or comparisons, the forest is searched, unless `exact` is set too. */
function namesForest({ trees, threshold, probes, rerank, walk }: Partial<Effort>): boolean {
  return [trees, threshold, probes, rerank, walk].some(value => value !== undefined)
}

/** From which reach on a query is compared with all rows: infinite if the caller sets the effort, which then is used as it is. */
export function farthestFor({ tuning }: { tuning: ForestTuning | undefined }, given: Partial<Effort>): number {
  const isGiven = namesForest(given) || given.exact !== undefined
  return isGiven ? Number.POSITIVE_INFINITY : (tuning?.farthest ?? Number.POSITIVE_INFINITY)
}

/** Untuned, or short of the target anyway, it compares more rows in proportion. */
function effortForMore(effort: Effort, tuning: ForestTuning | undefined, ratio: number, k: number): Effort {
  const scaled = { ...effort, rerank: Math.ceil(effort.rerank * ratio), walk: Math.ceil(effort.walk * ratio) }
  if (!tuning?.reached || effort.exact) return scaled
  return tuning.larger.find(step => step.k >= k)?.effort ?? { ...scaled, exact: true }
}

/** What no other beats in both recall and cost, ascending; of equals the first. */
export function frontOf<T extends TriedEffort>(tried: readonly T[]): T[] {
  const fromBest = [...tried].sort((a, b) => b.recall - a.recall || a.cost - b.cost)
  let cheapest = Number.POSITIVE_INFINITY
  const front = fromBest.filter(({ cost }) => {
    if (cost >= cheapest) return false
    cheapest = cost
    return true
  })
  return front.reverse()
}

function toEffort(trees: number, threshold: number, probes: number, factor: number, k: number): Effort {
  return { trees, threshold, probes, rerank: Math.ceil(factor * k), walk: 0, exact: false }
}

function thresholdsOf(rule: RuleName, trees: number): number[] {
  return takesThreshold(rule) ? thresholds.map(votes => fourDecimals(votes / trees)) : [0]
}

/** A threshold as people would write it. */
function fourDecimals(value: number): number {
  return Math.round(10_000 * value) / 10_000
}
