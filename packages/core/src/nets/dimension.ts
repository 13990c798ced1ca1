// How many dimensions items fill: a ball of radius r is covered by balls of r / 2 around some of its items, chosen so that none is
// within r / 2 of another; log₂ of how many it takes estimates the doubling dimension. Radii halve from the largest down to `finest`.
// At each radius the centers come from the net of that scale, where an outlier counts as much as a whole cluster: an outlier makes the
// largest balls empty, but not those below them. Do not base proofs on it: new items may fill more dimensions than the sample, and
// sampled balls may miss the worst case.

import { finish, type Steps } from '../long-work.ts'
import { Random } from '../random.ts'
import { explore } from './explore.ts'
import { distancesFrom } from './metrics/metric.ts'
import { levelOf, type Net, type NetNode, walk } from './net.ts'

/** What `dimension` returns. */
export interface DimensionEstimate {
  /** Of the ball that took the most. */
  readonly most: number
  /** Over all sampled balls with two items or more. */
  readonly mean: number
}

/** Sampled at each radius. */
const centers = 16
/** Items of a ball that are looked at: the coarsest of the net first, so that what is left out is near others. */
const mostItems = 500

/** Down to balls of radius `finest`; by default until every ball holds one item. */
export function estimateDimension<Item>(net: Net<Item>, seed: number, finest = 0): DimensionEstimate {
  return finish(dimensionSteps(net, seed, finest))
}

/** The same in steps. */
export function* dimensionSteps<Item>(net: Net<Item>, seed: number, finest = 0): Steps<DimensionEstimate> {
  const nodes = [...walk(net.root)].sort((a, b) => b.level - a.level) // stable: parents stay first
  const random = new Random(seed)
  const found: number[] = []
  let radius = net.root?.radius ?? 0
  while (radius > 0 && radius >= finest) {
    const lowest = levelOf(radius)
    const end = nodes.findIndex(({ level }, i) => i > 0 && level < lowest)
    const places = end === -1 ? nodes.length : end
    for (const at of random.sample(places, Math.min(centers, places))) {
      const balls = yield* coverCount(net, ballNodes(net, nodes[at], radius), radius / 2)
      if (balls > 1) found.push(Math.log2(balls))
    }
    if (end === -1) break
    radius /= 2
  }
  const sum = found.reduce((total, value) => total + value, 0)
  return { most: found.reduce((a, b) => Math.max(a, b), 0), mean: found.length === 0 ? 0 : sum / found.length }
}

/** The nodes of a ball, coarsest first; those too fine to matter for balls of half the radius are left out if there are many. */
function ballNodes<Item>(net: Net<Item>, center: NetNode, radius: number): NetNode[] {
  const nodes: NetNode[] = []
  const offer = (node: NetNode, distance: number) => {
    if (distance <= radius) nodes.push(node)
  }
  explore(net, distancesFrom(net.metric, center.item as Item), () => radius, offer) // nodes hold items of their net
  return nodes.sort((a, b) => b.level - a.level).slice(0, mostItems)
}

/** How many of the nodes a greedy net keeps: none within `apart` of another. */
function* coverCount<Item>(net: Net<Item>, nodes: readonly NetNode[], apart: number): Steps<number> {
  const kept: Item[] = []
  for (const { item } of nodes) {
    const measure = distancesFrom(net.metric, item as Item) // as above
    if (!kept.some(other => measure(other) <= apart)) kept.push(item as Item) // as above
    yield
  }
  return kept.length
}
