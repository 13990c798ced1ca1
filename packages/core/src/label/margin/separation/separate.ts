// Structural risk minimization (section 4 of paper 004): a net of all rows → the gap → the rows in conflict are dropped, and what can be
// said about the error.

import type { LongWork } from '../../../long-work.ts'
import { inTurns } from '../../../long-work.ts'
import { dimensionSteps } from '../../../nets/dimension.ts'
import type { BoundFacts } from '../bounds.ts'
import { type MarginData, netOf } from '../data.ts'
import type { MarginReport } from '../model.ts'
import { errorBound, noProofReason } from '../proof.ts'
import { type LabelsOf, mostPairs } from './conflicts.ts'
import { Coverer } from './cover.ts'
import { candidateGaps, type Gaps, onlyGap } from './gaps.ts'
import { leastBound } from './selection.ts'
import { countDropped, GapTrials } from './trials.ts'
import { type GapError, validateGaps, worthTrying } from './validation.ts'

/** Which rows are kept, and why. */
export interface Separated {
  /** 1 for the rows that are dropped: S₀, and those without labels. */
  readonly dropped: Uint8Array
  readonly report: Omit<MarginReport, 'kept' | 'perturbation'>
}

/** Chooses the gap, and the rows to drop. */
export async function separate(data: MarginData, work: LongWork): Promise<Separated> {
  const { settings, labeled, rowLabels } = data
  const { gap, select, seed } = settings
  const labelsOf: LabelsOf = row => rowLabels[row]
  const net = await netOf(data, labeled, 'building the net', work)
  const gaps = gap === 'chosen' ? await inTurns(candidateGaps(net, labeled, labelsOf, seed), work) : onlyGap(gap)
  const few = gap === 'chosen' && select === 'validation' ? await worthTrying(data, gaps, work) : gaps.few
  const listed = few.filter(one => gaps.conflictsAt(one) <= mostPairs)
  const trials = new GapTrials(data, net, await Coverer.make(net, labelsOf, listed, seed, work), work)
  if (gap !== 'chosen') return describe(trials, { gap, selectedBy: 'caller', errors: [] })
  return describe(trials, await chooseGap(trials, { ...gaps, few }))
}

interface Choice {
  readonly gap: number
  readonly selectedBy: MarginReport['selectedBy']
  readonly errors: readonly GapError[]
}

async function chooseGap(trials: GapTrials, gaps: Gaps): Promise<Choice> {
  const { data, net, coverer, work } = trials
  let { few } = gaps
  if (data.settings.select === 'bound') {
    const gap = await leastBoundOf(trials, gaps)
    if (gap !== undefined) return { gap, selectedBy: 'bound', errors: [] }
    few = await worthTrying(data, gaps, work)
  }
  const errors = await validateGaps(data, data.labeled, net, coverer, few, work)
  return { gap: await leastError(trials, errors), selectedBy: 'validation', errors }
}

/** Undefined if the lowest bound is useless. */
async function leastBoundOf(trials: GapTrials, gaps: Gaps): Promise<number | undefined> {
  const { data } = trials
  if (noProofReason(data, 1) !== undefined) return undefined
  const { gap } = await leastBound(gaps, (one, target) => trials.costOf(one, target))
  const bound = errorBound(data, await trials.proofAt(gap, 1), 0, undefined, noProofReason(data, gap))
  return bound.vacuous ? undefined : gap
}

/**
 * Of gaps that are equally good on rows held out, the one with the lowest bound. If no bound says anything, or no gap got a single row
 * right, as with few rows and many labels, the one that drops the fewest rows: otherwise a gap above all distances would win and leave one
 * label. Then the largest: the simpler model generalizes better.
 */
async function leastError(trials: GapTrials, errors: readonly GapError[]): Promise<number> {
  const least = Math.min(...errors.map(({ error }) => error))
  const equal = errors.filter(({ error }) => error === least).map(({ gap }) => gap)
  if (equal.length <= 1) return equal[0] ?? 0
  const byBound = least < 1 ? await lowestBound(trials, equal) : undefined
  return byBound ?? fewestDropped(trials, equal)
}

async function lowestBound(trials: GapTrials, gaps: readonly number[]): Promise<number | undefined> {
  let [best, lowest]: [number | undefined, number] = [undefined, 1]
  for (const gap of gaps.toReversed()) {
    const proof = await trials.proofAt(gap, lowest)
    if (proof && proof.total < lowest) [best, lowest] = [gap, proof.total]
  }
  return best
}

async function fewestDropped(trials: GapTrials, gaps: readonly number[]): Promise<number> {
  let [best, fewest] = [0, Number.POSITIVE_INFINITY]
  for (const gap of gaps.toReversed()) {
    const dropped = countDropped(await trials.droppedAt(gap))
    if (dropped < fewest) [best, fewest] = [gap, dropped]
  }
  return best
}

async function describe(trials: GapTrials, { gap, selectedBy, errors }: Choice): Promise<Separated> {
  const { data, net, diameter, work } = trials
  const { labeled, rowLabels, names, settings, reader } = data
  const dropped = (await trials.droppedAt(gap)).slice()
  const count = countDropped(dropped)
  for (const [row, labels] of rowLabels.entries()) if (labels.length === 0) dropped[row] = 1
  const dimension = await inTurns(dimensionSteps(net, settings.seed, gap), work)
  const factsFor = (one: number): BoundFacts => ({
    ...{ rows: labeled.length, labels: names.length, lipschitz: Math.min((2 * diameter) / one, Number.MAX_VALUE) },
    ...{ dimension: Math.max(1, dimension.most), uncertainty: settings.uncertainty },
  })
  const facts = gap === 0 ? undefined : factsFor(gap)
  const bound = errorBound(data, await trials.proofAt(gap, 1), count, facts, noProofReason(data, gap))
  const report = {
    ...{ distance: reader.metric.name, rows: labeled.length, dropped: count, lipschitz: facts?.lipschitz ?? null },
    ...{ gap, selectedBy, tried: await trials.tried(errors, factsFor), diameter, dimension, bound },
  }
  return { dropped, report }
}
