// How gaps do on held-out rows: all gaps are tried together, and the neighbors of a row are looked up once. Gaps far above the usual
// distance to the nearest enemy are tried on a few rows first; those that are clearly worse there are left out, because a gap that is too coarse
// for few rows is too coarse for many.

import type { LongWork } from '../../../long-work.ts'
import { eachInTurns } from '../../../long-work.ts'
import { explore } from '../../../nets/explore.ts'
import { distancesFrom } from '../../../nets/metrics/metric.ts'
import type { MetricItem } from '../../../nets/metrics/named-metrics.ts'
import { type Net, type NetNode, walk } from '../../../nets/net.ts'
import { Random } from '../../../random.ts'
import { type MarginData, netOf } from '../data.ts'
import type { LabelsOf } from './conflicts.ts'
import { Coverer } from './cover.ts'
import type { Gaps } from './gaps.ts'

interface Validation {
  readonly net: Net<MetricItem>
  readonly labelsOf: LabelsOf
  readonly coverer: Coverer<MetricItem>
  readonly heldOut: Uint32Array
  readonly gaps: readonly number[]
}

/** A gap, and the share of the rows held out that it gets wrong. */
export interface GapError {
  readonly gap: number
  readonly error: number
}

/** Rows that gaps above those listed are tried on first, if there are more than twice as many. */
const firstRows = 2000

/** The gaps to try first, without those that are clearly worse on some rows. */
export async function worthTrying(data: MarginData, { few, isNear }: Gaps, work: LongWork): Promise<readonly number[]> {
  const { labeled, settings } = data
  if (labeled.length <= 2 * firstRows) return few
  const rows = Array.from(new Random(settings.seed, 2).sample(labeled.length, firstRows), at => labeled[at])
  const net = await netOf(data, rows, 'trying gaps on some rows', work)
  const coverer = await Coverer.make(net, labelsIn(data), few.filter(isNear), settings.seed, work)
  const errors = await validateGaps(data, rows, net, coverer, few, work)
  const least = Math.min(...errors.map(({ error }) => error))
  const most = least + 2 * Math.sqrt((least * (1 - least)) / holdOut(rows, settings).length)
  return errors.filter(({ gap, error }) => isNear(gap) || error <= most).map(({ gap }) => gap)
}

/** The errors on some of the rows, when gaps are tried on the others; none if there are too few rows. */
export async function validateGaps(
  data: MarginData,
  rows: readonly number[],
  net: Net<MetricItem>,
  coverer: Coverer<MetricItem>,
  gaps: readonly number[],
  work: LongWork,
): Promise<GapError[]> {
  const heldOut = holdOut(rows, data.settings)
  if (heldOut.length === 0) return []
  return validationErrors({ net, labelsOf: labelsIn(data), coverer, heldOut, gaps }, work)
}

function labelsIn({ rowLabels }: MarginData): LabelsOf {
  return row => rowLabels[row]
}

function holdOut(rows: readonly number[], { seed, validationRows }: MarginData['settings']): Uint32Array {
  const count = Math.min(validationRows, Math.floor(rows.length / 5))
  return new Random(seed).sample(rows.length, count).map(at => rows[at])
}

/** The share of the rows held out that each gap gets wrong. */
async function validationErrors(task: Validation, work: LongWork): Promise<GapError[]> {
  const { net, labelsOf, heldOut, gaps } = task
  const kept = await keptBy(task)
  const below = keptBelow(net, kept)
  const wrong = gaps.map(() => 0)
  await eachInTurns(heldOut.length, 'trying gaps', work, i => {
    const row = heldOut[i]
    bestLabels(net, row, gaps.length, kept, below, labelsOf).forEach((label, place) => {
      if (label === undefined || !Array.from(labelsOf(row)).includes(label)) wrong[place]++
    })
  })
  return gaps.map((gap, place) => ({ gap, error: wrong[place] / heldOut.length }))
}

/** For each row one bit per gap: whether it is kept when the model is fitted without the held-out rows. */
async function keptBy({ net, coverer, heldOut, gaps }: Validation): Promise<Uint32Array> {
  const rows = net.items.length
  const isHeldOut = new Uint8Array(rows)
  for (const row of heldOut) isHeldOut[row] = 1
  const kept = new Uint32Array(rows)
  for (const [place, gap] of gaps.entries()) {
    const dropped = await coverer.cover(gap, row => isHeldOut[row] === 0)
    for (let row = 0; row < rows; row++) if (!dropped[row] && !isHeldOut[row]) kept[row] |= 1 << place
  }
  return kept
}

/** The bits of all rows below a node, and at it. */
function keptBelow(net: Net<MetricItem>, kept: Uint32Array): Map<NetNode, number> {
  const bits = new Map<NetNode, number>()
  for (const node of [...walk(net.root)].reverse()) {
    let own = 0
    for (const row of node.rows) own |= kept[row]
    for (const child of node.children) own |= bits.get(child) ?? 0
    bits.set(node, own)
  }
  return bits
}

/** For each gap, the most frequent label among the nearest rows. */
function bestLabels(
  net: Net<MetricItem>,
  row: number,
  gaps: number,
  kept: Uint32Array,
  below: ReadonlyMap<NetNode, number>,
  labelsOf: LabelsOf,
): (number | undefined)[] {
  const nearest = new Float64Array(gaps).fill(Number.POSITIVE_INFINITY)
  const votes = Array.from({ length: gaps }, () => new Map<number, number>())
  const limit = () => nearest.reduce((most, distance) => Math.max(most, distance))
  // Under large gaps few rows are left, and the nearest is far: without this every search would go through all rows.
  const holdsNone = (node: NetNode, least: number) => {
    const bits = below.get(node) ?? 0
    return nearest.every((distance, place) => (bits & (1 << place)) === 0 || least > distance)
  }
  const offer = (node: NetNode, distance: number) => {
    for (const other of node.rows) {
      for (let place = 0; place < gaps; place++) {
        if ((kept[other] & (1 << place)) === 0 || distance > nearest[place]) continue
        if (distance < nearest[place]) votes[place].clear()
        nearest[place] = distance
        for (const label of Array.from(labelsOf(other))) votes[place].set(label, (votes[place].get(label) ?? 0) + 1)
      }
    }
  }
  explore(net, distancesFrom(net.metric, net.item(row)), limit, offer, holdsNone)
  return votes.map(mostVotes)
}

/** Ties by label. */
function mostVotes(votes: ReadonlyMap<number, number>): number | undefined {
  const sorted = [...votes].sort(([a, votesA], [b, votesB]) => votesB - votesA || a - b)
  return sorted[0]?.[0]
}
