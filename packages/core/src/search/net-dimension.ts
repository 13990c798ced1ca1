// How many dimensions items fill, measured: a ball of radius r is covered by balls of r / 2 around some of its items, chosen so that
// none is within r / 2 of another; log₂ of how many it takes, over balls of all sizes around sampled items, estimates the doubling
// dimension. It is no proof: a greedy cover may take more balls than the best one, and sampled balls may miss the worst.

import { Random } from '../random.ts'
import { distancesFrom } from './metrics/metric.ts'
import { type Net, walk } from './net.ts'
import { withinNet } from './net-search.ts'

export interface DimensionEstimate {
  /** Of the ball that took the most. */
  readonly most: number
  /** Over all sampled balls with two items or more. */
  readonly mean: number
}

const centers = 8
/** Halvings of the radius, from the largest. */
const sizes = 5
/** Items of a ball that are looked at. */
const mostItems = 400

export function estimateDimension<Item>(net: Net<Item>, seed: number): DimensionEstimate {
  const places = Uint32Array.from(walk(net.root), ({ rows }) => rows[0])
  const random = new Random(seed)
  const found: number[] = []
  for (const at of random.sample(places.length, Math.min(centers, places.length))) {
    const center = net.item(places[at])
    for (let size = 0, radius = net.root?.radius ?? 0; size < sizes && radius > 0; size++, radius /= 2) {
      const balls = coverCount(net, ballRows(net, center, radius, random), radius / 2)
      if (balls > 1) found.push(Math.log2(balls))
    }
  }
  const sum = found.reduce((total, value) => total + value, 0)
  return { most: Math.max(0, ...found), mean: found.length === 0 ? 0 : sum / found.length }
}

function ballRows<Item>(net: Net<Item>, center: Item, radius: number, random: Random): number[] {
  const rows: number[] = []
  withinNet(net, distancesFrom(net.metric, center), radius, node => rows.push(node.rows[0]))
  if (rows.length <= mostItems) return rows
  return Array.from(random.sample(rows.length, mostItems), i => rows[i])
}

/** How many of the rows a greedy net keeps: none within `apart` of another. */
function coverCount<Item>(net: Net<Item>, rows: readonly number[], apart: number): number {
  const kept: number[] = []
  for (const row of rows) {
    const measure = distancesFrom(net.metric, net.item(row))
    if (!kept.some(other => measure(net.item(other)) <= apart)) kept.push(row)
  }
  return kept.length
}
