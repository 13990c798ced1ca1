// The few rows that represent the others in the proof of the bound. Let 2 τ < gap, and let M be kept rows such that every kept row has
// one of M within τ that carries no other labels than it does. For a new item x with labels Y, let a be the distance to the nearest row
// of M with a label of Y, and b that to the nearest row of M with none. If a + τ < b, then the nearest of all kept rows has a label of Y:
// one is within a, and one without a label of Y is no nearer than b − τ. So x is an error of the model only if a + τ ≥ b, and whether
// that is so depends on M and τ alone: a compression scheme (bounds.ts). No kept row is such an error, as a ≤ τ and b ≥ gap.
// With a tolerance η it is (1 + η) a + τ < b, and (2 + η) τ < gap. With `perturb`, M are the places themselves and τ is 0.

import type { LongWork } from '../../long-work.ts'
import { eachInTurns } from '../../long-work.ts'
import { explore } from '../../nets/explore.ts'
import { distancesFrom } from '../../nets/metrics/metric.ts'
import type { MetricItem } from '../../nets/metrics/named-metrics.ts'
import { Net } from '../../nets/net.ts'
import type { MarginData } from './data.ts'
import type { NetPlace } from './perturb.ts'
import { type LabelsOf, shareOne } from './separation/conflicts.ts'

/** What a compression bound is computed from. */
export interface Compression {
  /** Rows of M. */
  readonly size: number
  /** Of the other rows. */
  readonly errors: number
  /** The cost of describing τ, and the labels of places that differ from those of their own rows. */
  readonly nats: number
}

/** τ is 8, 9, … or 15 eighths of a power of two: a few numbers to choose from, for any data. */
const steps = 8
/** A τ below this power of two is 0. */
const leastExponent = -1000

/** The largest τ below gap / (2 + η), and the cost of describing it. */
export function coverRadius(gap: number, tolerance: number): { radius: number; nats: number } {
  const most = Math.min(gap / (2 + tolerance), Number.MAX_VALUE)
  let exponent = Math.max(leastExponent, Math.floor(Math.log2(most)))
  while (2 ** exponent >= most && exponent >= leastExponent) exponent--
  while (2 ** (exponent + 1) < most) exponent++
  const unit = 2 ** exponent / steps
  const radius = exponent < leastExponent ? 0 : (Math.ceil(most / unit) - 1) * unit
  // ⅔ / ((|e| + 1)(|e| + 2)) for each exponent e: these sum to 1.
  const size = Math.abs(exponent)
  return { radius, nats: Math.log(1.5 * steps * (size + 1) * (size + 2)) }
}

/** M, chosen in the order of the rows; undefined if it would have more than `most` rows. */
export async function compressRows(
  { reader, items, rowLabels }: Pick<MarginData, 'reader' | 'items' | 'rowLabels'>,
  kept: readonly number[],
  radius: number,
  most: number,
  work: LongWork,
): Promise<number[] | undefined> {
  const net = new Net<MetricItem>(reader.metric, Array.from({ length: items.length }))
  const chosen: number[] = []
  await eachInTurns(kept.length, 'compressing', work, i => {
    const row = kept[i]
    if (chosen.length > most || isCovered(net, items[row], radius, rowLabels, rowLabels[row])) return
    net.items[row] = items[row]
    net.insert(row)
    chosen.push(row)
  })
  return chosen.length > most ? undefined : chosen
}

function isCovered(
  net: Net<MetricItem>,
  item: MetricItem,
  radius: number,
  rowLabels: readonly Uint32Array[],
  labels: Uint32Array,
): boolean {
  let found = false
  const limit = () => (found ? Number.NEGATIVE_INFINITY : radius)
  explore(net, distancesFrom(net.metric, item), limit, ({ rows }, distance) => {
    if (distance <= radius && rows.some(row => rowLabels[row].every(label => labels.includes(label)))) found = true
  })
  return found
}

/** Places that were made by `perturb`, as a compression of all rows. */
export async function compressPlaces(
  { items, rowLabels, labeled, settings, names }: MarginData,
  places: readonly NetPlace[],
  net: Net<MetricItem>,
  work: LongWork,
): Promise<Compression> {
  const labelsAt = new Map(places.map(({ row, labels }) => [row, labels]))
  const others = labeled.filter(row => !labelsAt.has(row))
  let errors = 0
  await eachInTurns(others.length, 'counting errors', work, i => {
    const [row, labelsOf]: [number, LabelsOf] = [others[i], place => labelsAt.get(place) ?? []]
    if (isError(net, items[row], rowLabels[row], labelsOf, settings.tolerance)) errors++
  })
  return { size: places.length, errors, nats: nameLabels(places, rowLabels, names.length) }
}

/** Whether a place without a common label may be taken for the nearest. */
function isError(
  net: Net<MetricItem>,
  item: MetricItem,
  labels: Uint32Array,
  labelsOf: LabelsOf,
  tolerance: number,
): boolean {
  let [friend, enemy] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const limit = () => (1 + tolerance) * friend
  explore(net, distancesFrom(net.metric, item), limit, ({ rows }, distance) => {
    for (const row of rows) {
      if (shareOne(labels, labelsOf(row))) friend = Math.min(friend, distance)
      else enemy = Math.min(enemy, distance)
    }
  })
  return enemy <= limit()
}

/** One bit per place: whether its labels are those of its row. If not, also how many there are, and which. */
function nameLabels(places: readonly NetPlace[], rowLabels: readonly Uint32Array[], count: number): number {
  const renamed = places.filter(({ row, labels }) => labels.join() !== rowLabels[row].join())
  if (renamed.length === 0) return Math.LN2
  const each = renamed.reduce((sum, { labels }) => sum + (labels.length + 1) * Math.log(count), 0)
  return Math.LN2 + places.length * Math.LN2 + each
}
