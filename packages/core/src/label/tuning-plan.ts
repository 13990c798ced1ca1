// Which options tuning tries, and in which order: the greedy order of paper 003 (section 5.1), one option at a time with
// all others as found so far: k → α → β → λ → t. What the caller has fixed is not tried.

import type { CommonOptions, Weighting } from './common-options.ts'
import type { LcifOptions, LcifSettings } from './lcif-options.ts'

/** The options that tuning chooses. */
const tuned = [
  ...(['weighting', 'featureShare', 'neighbors', 'neighborPower', 'featurePower', 'mix'] as const),
  ...(['threshold', 'thresholdFactor', 'thresholdTrust'] as const),
]
export type TuningPoint = Pick<LcifSettings, (typeof tuned)[number]>

/** The tuned ones of all options. */
export function pointOf(settings: LcifSettings): TuningPoint {
  return Object.fromEntries(tuned.map(name => [name, settings[name]])) as TuningPoint // one entry a name
}

/** Values of one option, or of several that belong together, to be tried in the place of the best so far. */
export type Axis = readonly Partial<TuningPoint>[]

/** Neighbors are searched once, for this many. */
export const mostNeighbors = 350

const neighbors = [1, 5, 10, 20, 50, 100, 150, 200, 250, 300, mostNeighbors]
const neighborPowers = [0.5, 1, 1.5, 2, 3, 4, 6, 8]
const featurePowers = [0.5, 1, 1.5, 2, 3, 5]
const mixes = Array.from({ length: 11 }, (_, tenth) => tenth / 10)
const cardinalityFactors = [0.3, 0.5, 0.7, 1, 1.25, 1.5, 2]
const priorFactors = [0.7, 1, 1.4, 2]
const trusts = [2, 10]
/** From all features down; tried only as long as fewer are better. */
export const featureShares: readonly number[] = [0.75, 0.5, 0.25, 0.1]

const thresholds: Axis = [
  ...cardinalityFactors.map(thresholdFactor => ({ threshold: 'cardinality' as const, thresholdFactor })),
  ...priorFactors.map(thresholdFactor => ({ threshold: 'priors' as const, thresholdFactor })),
  ...trusts.map(thresholdTrust => ({ threshold: 'f1' as const, thresholdFactor: 1, thresholdTrust })),
]

/** The axes of one greedy pass. `fixed` are the options the caller has given, `sets` whether thresholds matter at all. */
export function planAxes(fixed: LcifOptions, sets: boolean): Axis[] {
  const { method = 'lcif' } = fixed
  return [
    ...(method === 'feature' ? [] : [...axis(fixed, 'neighbors', neighbors), ...powerAxis(fixed)]),
    ...(method === 'instance' ? [] : axis(fixed, 'featurePower', featurePowers)),
    ...(method === 'lcif' ? axis(fixed, 'mix', mixes) : []),
    ...(sets ? thresholdAxis(fixed) : []),
  ]
}

/** The power that matters most to the method: weightings are compared with the best one for each. */
export function powerAxis(fixed: LcifOptions): Axis[] {
  if (fixed.method === 'feature') return axis(fixed, 'featurePower', featurePowers)
  return axis(fixed, 'neighborPower', neighborPowers)
}

/** The weightings to compare: none, by rarity or by association, and learned. */
export function planWeightings({ weighting }: LcifOptions, binary: boolean): Weighting[] {
  return weighting ? [weighting] : ['none', binary ? 'chi2' : 'idf', 'learned']
}

/** One axis, or none where the caller has fixed the option. */
function axis<Name extends keyof TuningPoint>(
  fixed: LcifOptions,
  name: Name,
  values: readonly TuningPoint[Name][],
): Axis[] {
  if (fixed[name] !== undefined) return []
  return [values.map(value => ({ [name]: value }) as Partial<TuningPoint>)] // one field, of its own type
}

/** Ways to choose thresholds; none where the caller has fixed one. */
export function thresholdAxis({ threshold, thresholdFactor, thresholdTrust }: CommonOptions): Axis[] {
  if (threshold !== undefined) return []
  const kept = {
    ...(thresholdFactor !== undefined && { thresholdFactor }),
    ...(thresholdTrust !== undefined && { thresholdTrust }),
  }
  return [thresholds.map(values => ({ ...values, ...kept }))]
}
