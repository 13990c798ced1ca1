// Which options tuning tries, and in which order: the greedy order of paper 003 (section 5.1), one option at a time with
// all others as found so far: k → α → β → λ → t. What the caller has fixed is not tried.

import type { DenseMatrix } from '../../matrix/dense-matrix.ts'
import type { Weighting } from '../options.ts'
import { openChoices, usableChoices } from '../reading/choose-space.ts'
import { thresholdAxis } from '../tuning/threshold-axis.ts'
import type { LcifOptions, LcifSettings } from './options.ts'
import type { LcifGrid } from './tuning-grid.ts'

/** The options that tuning chooses. */
const tuned = [
  ...(['weighting', 'featureShare', 'neighbors', 'neighborPower', 'featurePower', 'mix'] as const),
  ...(['threshold', 'thresholdFactor', 'thresholdTrust'] as const),
]
/** `distance` and `scaling` only for dense rows. */
export type TuningPoint = Pick<LcifSettings, Exclude<(typeof tuned)[number], 'weighting'>> &
  Pick<LcifOptions, 'distance' | 'scaling'> & { readonly weighting: Weighting }

/** The tuned options; the weighting comes with the reading. */
export function pointOf(settings: LcifSettings): Omit<TuningPoint, 'weighting'> {
  const { weighting: _, ...point } = Object.fromEntries(tuned.map(name => [name, settings[name]]))
  return point as object as Omit<TuningPoint, 'weighting'> // one entry a name
}

/** Values of one option, or of several that belong together, to try instead of the best so far. */
export type Axis = readonly Partial<TuningPoint>[]

/** Values to try for options that are not in the caller's grid. */
const ownGrid: Required<LcifGrid> = {
  neighbors: [1, 5, 10, 20, 50, 100, 150, 200, 250, 300, 350],
  neighborPower: [0.5, 1, 1.5, 2, 3, 4, 6, 8],
  featurePower: [0.5, 1, 1.5, 2, 3, 5],
  mix: Array.from({ length: 11 }, (_, tenth) => tenth / 10),
}
/** Powers for dense rows, whose similarities fall more slowly; the first is where tuning begins. */
export const densePowers: readonly number[] = [8, 0.5, 1, 2, 4, 16, 32]
/** From all features down; tried only as long as fewer are better. */
export const featureShares: readonly number[] = [0.75, 0.5, 0.25, 0.1]

/** Neighbors are searched once, with this k. */
export function mostNeighbors(grid: LcifGrid, { neighbors }: Pick<LcifSettings, 'neighbors'>): number {
  return Math.max(...(grid.neighbors ?? ownGrid.neighbors), neighbors)
}

/** What the goal and the method need. */
export interface PlanFacts {
  /** Whether features are scored. */
  readonly features: boolean
  /** Whether thresholds matter at all. */
  readonly sets: boolean
}

/** The axes of one greedy pass. `fixed` are the options the caller set, `grid` has the values to try for others. */
export function planAxes(fixed: LcifOptions, grid: LcifGrid, { features, sets }: PlanFacts): Axis[] {
  const { method = 'lcif' } = fixed
  return [
    ...(method === 'feature' ? [] : [...axis(fixed, grid, 'neighbors'), ...powerAxis(fixed, grid)]),
    ...(features ? axis(fixed, grid, 'featurePower') : []),
    ...(method === 'lcif' && features ? axis(fixed, grid, 'mix') : []),
    ...(sets ? thresholdAxis(fixed) : []),
  ]
}

/** The power that matters most to the method. Weightings are compared at the best power of each. */
export function powerAxis(fixed: LcifOptions, grid: LcifGrid): Axis[] {
  return axis(fixed, grid, fixed.method === 'feature' ? 'featurePower' : 'neighborPower')
}

/** A way to read rows. */
export type Reading = Pick<TuningPoint, 'weighting' | 'distance' | 'scaling'>

/** The ways to read sparse rows to compare: no weights, by rarity or by association, and learned. */
export function planWeightings({ weighting = 'auto' }: LcifOptions, binary: boolean): readonly Reading[] {
  if (weighting !== 'auto') return [{ weighting }]
  return [{ weighting: 'none' }, { weighting: binary ? 'chi2' : 'idf' }, { weighting: 'learned' }]
}

/** The ways to read dense rows: every distance and scaling that all of `parts`, the rows of each trial, can have. */
export function planSpaces(
  { distance = 'auto', scaling = 'auto' }: LcifOptions,
  parts: readonly DenseMatrix[],
): readonly Reading[] {
  return usableChoices(openChoices({ distance, scaling }), parts).map(choice => ({ ...choice, weighting: 'none' }))
}

/** One axis, or none if the caller has fixed the option. */
function axis(fixed: LcifOptions, grid: LcifGrid, name: keyof LcifGrid): Axis[] {
  if (fixed[name] !== undefined) return []
  return [(grid[name] ?? ownGrid[name]).map(value => ({ [name]: value }))]
}
