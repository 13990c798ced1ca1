// Candidate gaps (section 4 of paper 004): the distances of pairs without a common label, because conflicts change only at these
// else, and one beyond them all, which leaves a single label. All pairs if they are few; else a sample of pairs, and for the small
// gaps, of which such a sample has few, the distances of sampled rows to their nearest enemy.

import type { Steps } from '../../../long-work.ts'
import { distancesFrom } from '../../../nets/metrics/metric.ts'
import type { Net } from '../../../nets/net.ts'
import { Random } from '../../../random.ts'
import { type LabelsOf, nearestEnemy, shareOne } from './conflicts.ts'

export interface Gaps {
  /** All candidates, ascending, from 0. */
  readonly all: readonly number[]
  /** Of these, the few to try first, ascending, from 0; at most 31, as rows keep a bit for each. */
  readonly few: readonly number[]
  /** The other candidates are far above the usual distance to the nearest enemy. */
  isNear(gap: number): boolean
  /** About how many pairs are in conflict at a gap. */
  conflictsAt(gap: number): number
}

/** Rows whose nearest enemies are looked up. */
const sampledRows = 1500
/** Of rows that would be in conflict; 0 is the widest gap that drops nothing, judging by the sample. */
const rowShares = [0, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.27, 0.35, 0.45, 0.6]
/** The most pairs to measure. */
const sampledPairs = 2 ** 16
/** Because a distance may take a while. */
const pairsPerStep = 16
/** Of pairs of enemies that would be in conflict: 2⁻¹² to ½. */
const pairShares = Array.from({ length: 12 }, (_, i) => 2 ** (i - 12))
/** How many of the widest empty stretches between distances are tried: the gap just before the distances begin again. */
const stretches = 4

/** In steps, because distances may be slow. */
export function* candidateGaps<Item>(
  net: Net<Item>,
  rows: readonly number[],
  labelsOf: LabelsOf,
  seed: number,
): Steps<Gaps> {
  const picked = new Random(seed).sample(rows.length, Math.min(rows.length, sampledRows))
  const nearest = yield* nearestEnemies(
    net,
    Array.from(picked, at => rows[at]),
    labelsOf,
  )
  if (nearest.length === 0) return onlyGap(0)
  const { pairs, measured } = yield* enemyDistances(net, rows, labelsOf, seed)
  const near = rowShares.map(share => nearest.find((distance, i) => distance > 0 && i >= share * (nearest.length - 1)))
  const beyond = Math.min(2 * (net.root?.radius ?? 0) * (1 + 2 ** -20), Number.MAX_VALUE) // rounded distances are nearer than this, too
  const far = [...pairShares.map(share => pairs[Math.floor(share * (pairs.length - 1))]), ...afterStretches(pairs), beyond] // biome-ignore format: one list
  const few = ascending([0, ...near, ...far])
  const nearMost = Math.max(...near.filter(isGap), 0)
  const perSample = (rows.length * (rows.length - 1)) / 2 / measured
  return {
    ...{ all: ascending([...few, ...nearest, ...pairs]), few },
    isNear: gap => gap <= nearMost,
    conflictsAt: gap => perSample * countBelow(pairs, gap),
  }
}

/** For a gap that the caller gave. */
export function onlyGap(gap: number): Gaps {
  return { all: [gap], few: [gap], isNear: () => true, conflictsAt: () => 0 }
}

function countBelow(ascending: Float64Array, limit: number): number {
  let [from, to] = [0, ascending.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (ascending[middle] < limit) from = middle + 1
    else to = middle
  }
  return from
}

function ascending(gaps: readonly (number | undefined)[]): number[] {
  return [...new Set(gaps.filter(isGap))].sort((a, b) => a - b)
}

function isGap(gap: number | undefined): gap is number {
  return gap !== undefined
}

/** The distances of these rows to their nearest enemies, ascending. Rows without enemies are left out. */
function* nearestEnemies<Item>(net: Net<Item>, rows: readonly number[], labelsOf: LabelsOf): Steps<Float64Array> {
  const found: number[] = []
  for (const row of rows) {
    found.push(nearestEnemy(net, row, labelsOf))
    yield
  }
  return Float64Array.from(found).filter(Number.isFinite).sort()
}

/** Distances of pairs without a common label, ascending; and how many pairs were measured, those with one included. */
function* enemyDistances<Item>(
  net: Net<Item>,
  rows: readonly number[],
  labelsOf: LabelsOf,
  seed: number,
): Steps<{ pairs: Float64Array; measured: number }> {
  const found: number[] = []
  const look = (a: number, b: number) => {
    if (!shareOne(labelsOf(a), labelsOf(b))) found.push(distancesFrom(net.metric, net.item(a))(net.item(b)))
  }
  const all = (rows.length * (rows.length - 1)) / 2
  if (all <= sampledPairs) {
    for (let i = 0; i < rows.length; i++) {
      for (let j = 0; j < i; j++) look(rows[i], rows[j])
      yield
    }
  } else {
    const random = new Random(seed, 1)
    for (let i = 0; i < sampledPairs; i++) {
      look(rows[random.below(rows.length)], rows[random.below(rows.length)])
      if (i % pairsPerStep === 0) yield
    }
  }
  return { pairs: Float64Array.from(found).sort(), measured: Math.min(all, sampledPairs) }
}

/** The distances after the widest stretches without any, by ratio: there clusters end. The first few distances are far apart anyway. */
function afterStretches(distances: Float64Array): number[] {
  const first = Math.max(1, Math.ceil(distances.length / 1000))
  const places = Array.from(distances.keys()).slice(first)
  const widest = places.filter(i => distances[i] > distances[i - 1]).sort((a, b) => ratio(distances, b) - ratio(distances, a) || a - b) // biome-ignore format: one idea
  return widest.slice(0, stretches).map(i => distances[i])
}

function ratio(distances: Float64Array, i: number): number {
  return distances[i] / distances[i - 1]
}
