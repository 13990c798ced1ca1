// A look at a few efforts on a part of the held-out rows, before the whole grid is tried on all of them: on data without structure no
// effort finds enough for less than comparing all rows costs, and that shows early. Costs are counted, so the same data gives the same
// answer on every machine.

import type { Effort } from '../block.ts'
import { fewerCompared, gridEfforts, rungs } from '../efforts.ts'
import type { ForestSettings } from '../options.ts'
import type { EffortTrials, Measured, TrialForest } from './effort-trials.ts'

/** Held-out rows to look at. */
const lookedAt = 200
/** An effort may still reach the target if its recall plus this many times its error does. */
const doubt = 2

export interface FirstLook {
  readonly trials: EffortTrials
  readonly forest: TrialForest
  readonly settings: Pick<ForestSettings, 'trees' | 'k' | 'rule' | 'targetRecall'>
  /** An effort that costs more is not worth trying. */
  readonly mostCost: number
}

/** The efforts looked at if none of them, and so no other, can reach the target for at most `mostCost`; else undefined. */
export async function lookForHope(look: FirstLook): Promise<Measured[] | undefined> {
  const { settings, mostCost } = look
  const efforts = gridEfforts(settings)
  const most = await measure(look, mostThorough(efforts))
  const reaches = couldReach(most, settings)
  if (most.cost <= mostCost) return reaches ? undefined : climbInVain(look, most)
  const tried = [most]
  if (!reaches) return tried
  for (const effort of efforts) {
    const one = await measure(look, effort)
    tried.push(one)
    if (await isHopeful(look, one)) return undefined
  }
  return tried
}

/** More effort than the grid has, step by step. */
async function climbInVain(look: FirstLook, most: Measured): Promise<Measured[] | undefined> {
  const tried = [most]
  for (const effort of rungs(look.settings, most.effort.probes)) {
    const one = await measure(look, effort)
    tried.push(one)
    if (await isHopeful(look, one)) return undefined
    if (one.cost > look.mostCost) return tried
  }
  return tried
}

/** Whether the effort may reach the target with as many rows compared as `mostCost` allows. */
async function isHopeful(look: FirstLook, one: Measured): Promise<boolean> {
  const { settings, trials, forest, mostCost } = look
  if (!couldReach(one, settings)) return false
  if (one.cost <= mostCost) return true
  const cheaper = fewerCompared(one.effort, settings.k).filter(
    effort => trials.cost(forest, effort, one.candidates) <= mostCost,
  )
  const last = cheaper.at(-1)
  return last !== undefined && couldReach(await measure(look, last), settings)
}

function measure({ trials, forest, settings }: FirstLook, effort: Effort): Promise<Measured> {
  return trials.measure(forest, effort, settings.k, lookedAt)
}

/** Unless chance made it look worse than it is. */
export function couldReach(
  { recall, error }: Measured,
  { targetRecall }: Pick<ForestSettings, 'targetRecall'>,
): boolean {
  return recall + doubt * error >= targetRecall
}

/** Of a grid: no other reads more leaves or takes more candidates. */
function mostThorough(efforts: readonly Effort[]): Effort {
  return efforts.reduce((most, one) => {
    const isMore = one.trees >= most.trees && one.probes >= most.probes && one.threshold <= most.threshold
    return isMore ? one : most
  })
}
