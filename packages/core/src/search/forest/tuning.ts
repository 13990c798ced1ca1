// Chooses how thoroughly to search for a wanted recall, as MRPT does: grow, then try efforts on rows that were held out of growing.
// If none is good enough, it continues: more probes and more rows compared, larger leaves, more trees. No effort is tried that costs
// more than comparing all rows, which is what is left in the end.

import { throwIfAborted } from '../../errors.ts'
import type { LongWork } from '../../long-work.ts'
import type { Effort } from './block.ts'
import { growSeconds } from './cost.ts'
import { fewerCompared, frontOf, gridEfforts, higherThresholds, otherReranks, rungs } from './efforts.ts'
import { type TunedK, tuneLarger } from './larger-k.ts'
import { tryWalks, type WalkQuestion } from './links/walk-tuning.ts'
import type { ForestSettings } from './options.ts'
import { type TunedSift, tuneSift } from './sift-tuning.ts'
import type { EffortTrials, Measured, TrialForest, TriedEffort } from './trials/effort-trials.ts'
import { couldReach, type FirstLook, lookForHope } from './trials/first-look.ts'
import { farthestReach, unlikeMicros } from './unlike-queries.ts'

/** One step of tuning towards the target. */
export interface TuningStage {
  /**
   * Walks along links; without links, a few efforts on some of the held-out rows, if these show that no effort is worth trying, else a grid
   * of efforts; more probes and rows compared than it has; comparing all rows.
   */
  readonly what: 'walks' | 'first look' | 'grid' | 'more effort' | 'exact'
  readonly trees: number
  readonly leafSize: number
  readonly links: number
  /** How many efforts were tried. */
  readonly efforts: number
  /** The best recall among them. */
  readonly recall: number
  /** Estimated seconds of one core since tuning began. */
  readonly seconds: number
}

/** What tuning for `targetRecall` tried and chose. */
export interface ForestTuning {
  readonly target: number
  readonly k: number
  /** Rows in the index when it was tuned. With more of them, searches keep and compare more. */
  readonly rows: number
  readonly chosen: TriedEffort
  /** False if no effort found enough within `maxTuningSeconds`, or if the codes that are kept cannot tell neighbors apart. */
  readonly reached: boolean
  /** The efforts that no other beats in both recall and cost, ascending. */
  readonly curve: readonly TriedEffort[]
  /** What was tried, in this order. */
  readonly stages: readonly TuningStage[]
  /** Queries whose nearest row is farther away are unlike the rows, and searched more thoroughly; null if none are. */
  readonly farthest: number | null
  /** Efforts for more neighbors than `k`, ascending. A search for more than the last of them compares all rows. */
  readonly larger: readonly TunedK[]
  /** How many rows to compare after a look at all codes, for `k` neighbors and for more, ascending: what filtered searches go by. */
  readonly sift: readonly TunedSift[]
}

/** The options of a forest that may be changed while the target is not reached. */
export type ForestShape = Pick<ForestSettings, 'trees' | 'leafSize' | 'links'>

export interface GrownForest extends TrialForest {
  free(): void
}

export interface TuningQuestion extends LongWork {
  readonly trials: EffortTrials
  readonly settings: ForestSettings
  readonly rows: number
  /** Forests to try, the one that was asked for first. */
  readonly shapes: readonly [ForestShape, ...ForestShape[]]
  grow(shape: ForestShape): Promise<GrownForest>
}

export interface TunedForest {
  readonly tuning: ForestTuning
  /** The forest to grow. */
  readonly shape: ForestShape
}

/** The result of trying one forest. */
interface Outcome {
  readonly shape: ForestShape
  readonly chosen: Measured
  readonly reached: boolean
  /** Whether a first look showed that no effort finds enough for much less than comparing all rows. */
  readonly vain: boolean
  readonly curve: readonly Measured[]
  readonly larger: readonly TunedK[]
  readonly sift: readonly TunedSift[]
}

/** Held-out rows that place an effort on the curve which does not reach the target. */
const curveQueries = 50
/** An effort is looked for if it saves a fifth of comparing all rows. */
const worthwhile = 0.8
/** A walk must cost this share at most: costs are estimates. */
const worthwhileWalk = 0.9
/** Another forest finds a little more for the same cost: it does not make up for as much as this. */
const hopelessGap = 0.15

export async function tuneForest(question: TuningQuestion): Promise<TunedForest> {
  const { shapes, settings, trials, rows } = question
  const stages: TuningStage[] = []
  const outcomes: Outcome[] = []
  let exact: Measured | undefined
  for (const shape of shapes) {
    if (exact && !isWorthMore(question, bestOf(outcomes), exact)) break
    throwIfAborted(question.signal)
    trials.spend(growSeconds(shape.trees, rows))
    const forest = await question.grow(shape)
    try {
      exact ??= await trials.measureExact(forest, thorough({ ...settings, ...shape }), settings.k)
      const isFirst = outcomes.every(one => one.shape.links > 0)
      const outcome = await tryForest(question, { forest, shape, exact, stages, isFirst })
      outcomes.push(outcome)
    } finally {
      forest.free()
    }
  }
  return conclude(question, outcomes, exact as Measured, stages) // measured with the first shape
}

/** What reached the target, which is the last; else what found most, of equals the first. */
function bestOf(outcomes: readonly Outcome[]): Outcome {
  return outcomes.reduce((best, one) => (one.reached || one.chosen.recall > best.chosen.recall ? one : best))
}

/** Chooses to compare all rows if no forest is as good for less, unless the limit has been reached. */
async function conclude(
  { settings, shapes, trials, rows }: TuningQuestion,
  outcomes: readonly Outcome[],
  exact: Measured,
  stages: readonly TuningStage[],
): Promise<TunedForest> {
  const best = bestOf(outcomes)
  const { targetRecall: target, k } = settings
  const isExact =
    isGood(exact, target) && (best.reached ? best.chosen.cost > exact.cost : withinLimit(trials, settings))
  if (!isExact) {
    const { chosen, reached, curve, larger, sift, shape } = best
    const farthest = reached && settings.keep === 'rows' ? await farthestOf(trials, chosen, k) : null
    const found = { chosen: plain(chosen), reached, curve: curve.map(plain) }
    return { tuning: { target, k, rows, ...found, stages, farthest, larger, sift }, shape }
  }
  const cheaper = outcomes[0].curve.filter(({ cost }) => cost < exact.cost)
  const stage = { what: 'exact', ...shapes[0], efforts: 1, recall: exact.recall, seconds: trials.seconds } as const
  return {
    tuning: {
      ...{ target, k, rows, chosen: plain(exact), reached: true, curve: [...cheaper, exact].map(plain) },
      ...{ stages: [...stages, stage], farthest: null, larger: [], sift: [] },
    },
    shape: shapes[0],
  }
}

async function farthestOf(trials: EffortTrials, chosen: Measured, k: number): Promise<number> {
  const unlike = unlikeMicros(chosen, trials.shape)
  return farthestReach(await trials.reaches(k), { effort: chosen.cost, unlike })
}

/** An index that compares all rows without having tried anything else. */
export function exactTuning(
  { targetRecall, k, trees, leafSize, links }: ForestSettings,
  rows: number,
  micros: number,
): ForestTuning {
  const effort = { ...thorough({ trees, k }), exact: true }
  const chosen = { effort, recall: 1, candidates: rows, cost: micros }
  const stage = { what: 'exact', trees, leafSize, links, efforts: 1, recall: 1, seconds: 0 } as const
  const found = { chosen, reached: true, curve: [chosen] }
  return { target: targetRecall, k, rows, ...found, stages: [stage], farthest: null, larger: [], sift: [] }
}

interface Trying {
  readonly forest: TrialForest
  readonly shape: ForestShape
  readonly exact: Measured
  readonly stages: TuningStage[]
  readonly isFirst: boolean
}

async function tryForest(question: TuningQuestion, trying: Trying): Promise<Outcome> {
  const { settings, trials, rows } = question
  const { forest, shape, exact, stages, isFirst } = trying
  const target = settings.targetRecall
  const tried: Measured[] = []
  const note = (what: TuningStage['what'], before: number) => {
    const recall = Math.max(...tried.map(one => one.recall))
    stages.push({ what, ...shape, efforts: tried.length - before, recall, seconds: trials.seconds })
  }
  const walks = shape.links > 0
  const vain = isFirst && !walks ? await lookInVain(question, trying) : undefined
  if (walks) {
    tried.push(...(await tryWalks(walkQuestion(question, trying))))
    note('walks', 0)
  } else if (vain) {
    tried.push(...vain)
    note('first look', 0)
  } else if (isFirst) {
    await tryGrid(question, trying, tried)
    note('grid', 0)
  }
  if (!walks && !vain && !tried.some(one => isGood(one, target)) && isGood(exact, target)) {
    const before = tried.length
    await climb(question, trying, tried)
    if (tried.length > before) note('more effort', before)
  }
  const curve = frontOf(tried)
  const mostCost = walks ? worthwhileWalk * exact.cost : Number.POSITIVE_INFINITY
  const good = curve.find(one => isGood(one, target) && one.cost <= mostCost)
  const chosen = good ?? curve[curve.length - 1]
  const shared = { trials, forest, rows }
  const isUsed = good && good.cost <= exact.cost
  const larger = isUsed
    ? await tuneLarger({
        ...shared,
        settings: { ...settings, ...shape },
        curve,
        chosen: good.effort,
        mostMicros: exact.cost,
      })
    : []
  // If only sketches are kept, there is nothing to compare after their codes.
  const sift =
    isUsed && settings.keep !== 'sketch'
      ? await tuneSift({ ...shared, k: settings.k, targetRecall: target, exactRecall: exact.recall })
      : []
  return { shape, chosen, reached: good !== undefined, vain: vain !== undefined, curve, larger, sift }
}

/** What a first look tried, if comparing all rows is the answer then: neither codes that miss too much nor the limit rule it out. */
async function lookInVain(question: TuningQuestion, trying: Trying): Promise<Measured[] | undefined> {
  const { settings, trials } = question
  if (!isGood(trying.exact, settings.targetRecall) || !withinLimit(trials, settings)) return undefined
  const tried = await lookForHope(lookOf(question, trying))
  return withinLimit(trials, settings) ? tried : undefined
}

function lookOf({ settings, trials }: TuningQuestion, { forest, shape, exact }: Trying): FirstLook {
  return { trials, forest, settings: { ...settings, ...shape }, mostCost: worthwhile * exact.cost }
}

function walkQuestion(
  { settings, trials, onProgress }: TuningQuestion,
  { forest, shape, exact }: Trying,
): WalkQuestion {
  const onTried = (done: number) => onProgress?.({ what: 'tuning', done, total: 1 })
  return {
    trials,
    forest,
    trees: shape.trees,
    k: settings.k,
    targetRecall: settings.targetRecall,
    mostMicros: worthwhileWalk * exact.cost,
    onTried,
  }
}

async function tryGrid(question: TuningQuestion, { forest, shape }: Trying, tried: Measured[]): Promise<void> {
  const { settings, trials, onProgress } = question
  const { k, rule } = settings
  const wide = gridEfforts({ trees: shape.trees, k, rule })
  const tryAll = async (
    efforts: readonly Effort[],
    from: number,
    to: number,
    measure = (effort: Effort) => trials.measure(forest, effort, k),
  ) => {
    for (const [done, effort] of efforts.entries()) {
      onProgress?.({ what: 'tuning', done: from + ((to - from) * done) / efforts.length, total: 1 })
      tried.push(await measure(effort))
    }
  }
  await tryAll(wide, 0, 0.5)
  const front = frontOf(tried)
  const reranks = (some: readonly Measured[]) => some.flatMap(({ effort }) => otherReranks(effort, k))
  const couldBeChosen = (one: Measured) => isGood(one, settings.targetRecall)
  await tryAll(reranks(front.filter(couldBeChosen)), 0.5, 0.9)
  // With fewer rows compared they find even less: they are points of the curve, which fewer queries place well enough.
  await tryAll(reranks(front.filter(one => !couldBeChosen(one))), 0.9, 1, async effort => {
    const placed = await trials.measure(forest, effort, k, curveQueries)
    return couldReach(placed, settings) ? trials.measure(forest, effort, k) : placed
  })
}

/** More and more effort until the target is reached, comparing all rows would be cheaper, or the limit is reached. */
async function climb(
  question: TuningQuestion,
  { forest, shape, exact, isFirst }: Trying,
  tried: Measured[],
): Promise<void> {
  const { settings, trials, onProgress } = question
  const { k, rule, targetRecall: target } = settings
  const most = isFirst ? Math.max(...tried.map(({ effort }) => effort.probes)) : 0
  const steps = rungs({ trees: shape.trees, k, rule }, most)
  for (const [done, effort] of steps.entries()) {
    if (!withinLimit(trials, settings)) return
    onProgress?.({ what: 'tuning further', done, total: steps.length })
    const one = await trials.measure(forest, effort, k)
    tried.push(one)
    if (isGood(one, target)) break
    if (one.cost > exact.cost) return
  }
  const last = tried.at(-1)
  if (last && isGood(last, target)) await cheapen(question, forest, last.effort, tried)
}

/** What reaches the target with fewer rows compared, then with fewer candidates. */
async function cheapen(question: TuningQuestion, forest: TrialForest, good: Effort, tried: Measured[]): Promise<void> {
  const { trials, settings } = question
  const { k, rule, targetRecall: target } = settings
  let least = good
  for (const effort of fewerCompared(good, k)) {
    const one = await trials.measure(forest, effort, k)
    tried.push(one)
    if (!isGood(one, target)) continue
    least = effort
    break
  }
  for (const effort of higherThresholds(least, rule)) tried.push(await trials.measure(forest, effort, k))
}

function isWorthMore({ settings, trials }: TuningQuestion, best: Outcome, exact: Measured): boolean {
  const { targetRecall: target } = settings
  if (best.reached || best.vain || !isGood(exact, target) || !withinLimit(trials, settings)) return false
  return best.chosen.recall >= target - hopelessGap
}

function withinLimit(trials: EffortTrials, { maxTuningSeconds }: ForestSettings): boolean {
  return trials.seconds < maxTuningSeconds
}

/** By more than chance. */
function isGood({ recall, error }: Measured, target: number): boolean {
  return recall - error >= target
}

function thorough({ trees, k }: Pick<ForestSettings, 'trees' | 'k'>): Effort {
  return { trees, threshold: 0, probes: 0, rerank: 8 * k, walk: 0, exact: false }
}

function plain({ effort, recall, candidates, cost }: TriedEffort): TriedEffort {
  return { effort, recall, candidates, cost }
}
