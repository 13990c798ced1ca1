// Which gap to take (section 4 of paper 004). Those that matter lie among the distances to the nearest row of another label. By the
// bound: the share of rows dropped grows with the gap and Δ falls, so a binary search finds where they cross, which is within a
// factor of the best sum. By validation: every candidate is tried at once on rows held out, whose neighbors are looked up once.

import type { LongWork } from '../progress.ts'
import { Random } from '../random.ts'
import { distancesFrom } from '../search/metrics/metric.ts'
import type { MetricItem } from '../search/metrics/named-metrics.ts'
import type { Net } from '../search/net.ts'
import { explore } from '../search/net-search.ts'
import { inTurns } from '../search/turns.ts'
import { type Conflicts, coverConflicts, type LabelsOf, nearestEnemy } from './margin-conflicts.ts'

export interface TriedGap {
  readonly gap: number
  /** Rows that are dropped of all. */
  readonly dropped: number
  /** Δ of Theorem 5. */
  readonly fatBound: number
  /** The share of rows held out whose best label was none of theirs; absent where none were. */
  readonly error?: number
}

/** Rows whose nearest enemies are looked up. */
const sampledRows = 1500
/** Of rows that would be in conflict. */
const shares = [0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.27, 0.35, 0.45, 0.6]

/** Gaps worth trying, ascending, from 0. */
export function candidateGaps(
  net: Net<MetricItem>,
  rows: readonly number[],
  labelsOf: LabelsOf,
  seed: number,
): number[] {
  const picked = new Random(seed).sample(rows.length, Math.min(rows.length, sampledRows))
  const distances = Float64Array.from(picked, at => nearestEnemy(net, rows[at], labelsOf))
    .filter(Number.isFinite)
    .sort()
  if (distances.length === 0) return [0]
  const chosen = shares.map(share =>
    distances.find((distance, i) => distance > 0 && i >= share * (distances.length - 1)),
  )
  return [...new Set([0, ...chosen.filter(gap => gap !== undefined)])].sort((a, b) => a - b)
}

/** The place in `gaps` where the sum of the share dropped and Δ is least, as far as a binary search finds it. */
export function leastBound(
  gaps: readonly number[],
  dropped: (gap: number) => number,
  delta: (gap: number) => number,
): number {
  let [low, high] = [0, gaps.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (dropped(gaps[middle]) < delta(gaps[middle])) low = middle
    else high = middle
  }
  const sum = (place: number) => dropped(gaps[place]) + delta(gaps[place])
  return sum(high) <= sum(low) ? high : low
}

export interface Validation {
  readonly net: Net<MetricItem>
  readonly labelsOf: LabelsOf
  readonly conflicts: Conflicts
  readonly heldOut: Uint32Array
  readonly gaps: readonly number[]
}

/** The share of the rows held out that each gap gets wrong. */
export async function validationErrors(task: Validation, work: LongWork): Promise<number[]> {
  const { net, labelsOf, heldOut, gaps } = task
  const kept = keptBy(task)
  const wrong = gaps.map(() => 0)
  await inTurns(heldOut.length, 'trying gaps', work, i => {
    const row = heldOut[i]
    bestLabels(net, row, gaps.length, other => kept[other], labelsOf).forEach((label, place) => {
      if (label === undefined || !Array.from(labelsOf(row)).includes(label)) wrong[place]++
    })
  })
  return wrong.map(count => count / heldOut.length)
}

/** For each row a bit a gap: whether it stays, when the rows held out are not there. */
function keptBy({ net, conflicts, heldOut, gaps }: Validation): Uint32Array {
  const rows = net.items.length
  const isHeldOut = new Uint8Array(rows)
  for (const row of heldOut) isHeldOut[row] = 1
  const kept = new Uint32Array(rows)
  gaps.forEach((gap, place) => {
    const dropped = coverConflicts(conflicts, rows, gap, row => isHeldOut[row] === 0)
    for (let row = 0; row < rows; row++) if (!dropped[row] && !isHeldOut[row]) kept[row] |= 1 << place
  })
  return kept
}

/** Under each gap the label that most of the nearest rows carry. */
function bestLabels(
  net: Net<MetricItem>,
  row: number,
  gaps: number,
  keptOf: (row: number) => number,
  labelsOf: LabelsOf,
): (number | undefined)[] {
  const nearest = new Float64Array(gaps).fill(Number.POSITIVE_INFINITY)
  const votes = Array.from({ length: gaps }, () => new Map<number, number>())
  const limit = () => nearest.reduce((most, distance) => Math.max(most, distance))
  explore(net, distancesFrom(net.metric, net.item(row)), limit, (node, distance) => {
    for (const other of node.rows) {
      const kept = keptOf(other)
      for (let place = 0; place < gaps; place++) {
        if ((kept & (1 << place)) === 0 || distance > nearest[place]) continue
        if (distance < nearest[place]) votes[place].clear()
        nearest[place] = distance
        for (const label of Array.from(labelsOf(other))) votes[place].set(label, (votes[place].get(label) ?? 0) + 1)
      }
    }
  }) // biome-ignore format: one call
  return votes.map(mostVotes)
}

/** Ties by label. */
function mostVotes(votes: ReadonlyMap<number, number>): number | undefined {
  const sorted = [...votes].sort(([a, votesA], [b, votesB]) => votesB - votesA || a - b)
  return sorted[0]?.[0]
}
