// Fewer dimensions without coordinates (section 5.2 of paper 004): rows are moved to the nearest point of a net, the coarsest one for
// which they move no farther on average than allowed. What is left is an (α, β)-perturbation: α the sum of the moves, β the dimension of
// the net's points. A point has the labels that at least half of its rows have.

import type { LongWork } from '../../long-work.ts'
import { eachInTurns, inTurns } from '../../long-work.ts'
import { dimensionSteps } from '../../nets/dimension.ts'
import { explore } from '../../nets/explore.ts'
import { distancesFrom } from '../../nets/metrics/metric.ts'
import type { MetricItem } from '../../nets/metrics/named-metrics.ts'
import { Net } from '../../nets/net.ts'
import { type MarginData, netOf } from './data.ts'
import type { Perturbation } from './model.ts'

/** A point of the net, and the rows that were moved there. */
export interface NetPlace {
  readonly row: number
  readonly members: readonly number[]
  /** Labels that at least half of the members have; the row's own if no label is that frequent. */
  readonly labels: Uint32Array
}

export interface Gathered {
  readonly places: readonly NetPlace[]
  /** How far rows moved, on average. */
  readonly shift: number
  readonly net: Net<MetricItem>
}

/** Finest first: each is √2 as coarse as the one before. */
const coarsenings = 16

export async function perturbRows(
  data: MarginData,
  rows: readonly number[],
  diameter: number,
  work: LongWork,
): Promise<{ places: readonly NetPlace[]; report: Perturbation }> {
  const { places, net, shift, radius } = await moveRows(data, rows, diameter, work)
  const before = await inTurns(
    dimensionSteps(await netOf(data, rows, 'choosing places', work), data.settings.seed),
    work,
  )
  const after = await inTurns(dimensionSteps(net, data.settings.seed), work)
  const facts = { shift, radius, places: places.length }
  return { places, report: { ...facts, dimensionBefore: before.most, dimensionAfter: after.most } }
}

/** To the coarsest net that moves them no farther than allowed. */
export async function moveRows(
  data: MarginData,
  rows: readonly number[],
  diameter: number,
  work: LongWork,
): Promise<Gathered & { readonly radius: number }> {
  const allowed = data.settings.perturb * diameter
  let [radius, best] = [0, await gatherRows(data, rows, 0, work)]
  for (let step = coarsenings; step > 0; step--) {
    const wider = diameter * Math.SQRT1_2 ** step
    const next = await gatherRows(data, rows, wider, work)
    if (next.shift > allowed) break
    ;[radius, best] = [wider, next]
  }
  return { ...best, radius }
}

/** A net with no two points within `radius`, chosen in the order of the rows, and every row at its nearest point. */
export async function gatherRows(
  { reader, items, rowLabels }: Pick<MarginData, 'reader' | 'items' | 'rowLabels'>,
  rows: readonly number[],
  radius: number,
  work: LongWork,
): Promise<Gathered> {
  const net = new Net<MetricItem>(reader.metric, Array.from({ length: items.length }))
  await eachInTurns(rows.length, 'choosing places', work, i => {
    const row = rows[i]
    if (nearestPlace(net, items[row], radius)) return
    net.items[row] = items[row]
    net.insert(row)
  })
  const members = new Map<number, number[]>()
  let shift = 0
  await eachInTurns(rows.length, 'moving rows', work, i => {
    const { place, distance } = nearestPlace(net, items[rows[i]], Number.POSITIVE_INFINITY) ?? {
      place: rows[i],
      distance: 0,
    }
    shift += distance
    const own = members.get(place)
    if (own) own.push(rows[i])
    else members.set(place, [rows[i]])
  })
  const places = Array.from(members, ([row, own]) => ({ row, members: own, labels: commonLabels(row, own, rowLabels) }))
  return { places, shift: rows.length === 0 ? 0 : shift / rows.length, net }
}

function nearestPlace(
  net: Net<MetricItem>,
  item: MetricItem,
  radius: number,
): { place: number; distance: number } | undefined {
  let found: { place: number; distance: number } | undefined
  explore(net, distancesFrom(net.metric, item), () => found?.distance ?? radius, (node, distance) => {
    if (distance <= radius && (!found || distance < found.distance)) found = { place: node.rows[0], distance }
  }) // biome-ignore format: one call
  return found
}

function commonLabels(row: number, members: readonly number[], rowLabels: readonly Uint32Array[]): Uint32Array {
  const counts = new Map<number, number>()
  for (const member of members) for (const label of rowLabels[member]) counts.set(label, (counts.get(label) ?? 0) + 1)
  const common = [...counts].filter(([, count]) => 2 * count >= members.length).map(([label]) => label)
  return common.length === 0 ? rowLabels[row] : Uint32Array.from(common).sort()
}
