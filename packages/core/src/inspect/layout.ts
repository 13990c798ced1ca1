// Places points in two dimensions so that similar ones are near each other: t-SNE (van der Maaten and Hinton, 2008) with the nearest
// neighbors of each point as equals, which needs no bandwidths. It begins with the two principal directions, and draws no random
// numbers, so the same similarities give the same places on every machine.

import type { Steps } from '../long-work.ts'
import { principalPlaces } from './principal-places.ts'

/** Similarities of `count` points, row by row, symmetric. */
export interface Similarities {
  readonly count: number
  readonly values: Float64Array
}

export const rounds = 300
const neighborsOf = 10
/** In the first rounds neighbors pull harder, so that they find each other before others get between them. */
const exaggeration = { rounds: 80, factor: 8 }

/** Two numbers per point, from −1 to 1. Yields after each round. */
export function* placePoints(similarities: Similarities): Steps<Float64Array> {
  const { count } = similarities
  const places = principalPlaces(similarities)
  const edges = neighborEdges(similarities)
  const moves = new Float64Array(2 * count)
  const gains = new Float64Array(2 * count).fill(1)
  for (let round = 0; count > 2 && round < rounds; round++) {
    const pull = round < exaggeration.rounds ? exaggeration.factor : 1
    const slopes = slopesOf(places, edges, pull)
    move({ places, moves, gains, slopes }, round < exaggeration.rounds ? 0.5 : 0.8)
    yield round + 1
  }
  return fitted(places)
}

/** Pairs of neighbors, each with its share of all. */
interface Edges {
  readonly from: Uint32Array
  readonly to: Uint32Array
  readonly share: number
}

function neighborEdges({ count, values }: Similarities): Edges {
  const k = Math.min(neighborsOf, count - 1)
  const [from, to] = [new Uint32Array(count * k), new Uint32Array(count * k)]
  for (let i = 0; i < count; i++) {
    const row = values.subarray(i * count, (i + 1) * count)
    const others = Array.from(row.keys()).filter(j => j !== i)
    others.sort((a, b) => row[b] - row[a] || a - b)
    for (let j = 0; j < k; j++) [from[i * k + j], to[i * k + j]] = [i, others[j]]
  }
  return { from, to, share: 1 / Math.max(1, count * k) }
}

/** Neighbors attract each other, and all points push each other away. */
function slopesOf(places: Float64Array, { from, to, share }: Edges, pull: number): Float64Array {
  const slopes = new Float64Array(places.length)
  const total = repel(places, slopes)
  for (let at = 0; at < slopes.length; at++) slopes[at] /= -total || 1
  for (let e = 0; e < from.length; e++) {
    const [a, b] = [2 * from[e], 2 * to[e]]
    const [dx, dy] = [places[a] - places[b], places[a + 1] - places[b + 1]]
    const force = (pull * share) / (1 + dx * dx + dy * dy)
    slopes[a] += force * dx
    slopes[a + 1] += force * dy
    slopes[b] -= force * dx
    slopes[b + 1] -= force * dy
  }
  return slopes
}

/** Adds how strongly all others push each point. Returns what to divide it by. */
function repel(places: Float64Array, slopes: Float64Array): number {
  let total = 0
  for (let a = 0; a < places.length; a += 2) {
    const [x, y] = [places[a], places[a + 1]]
    let [pushX, pushY] = [0, 0]
    for (let b = a + 2; b < places.length; b += 2) {
      const [dx, dy] = [x - places[b], y - places[b + 1]]
      const near = 1 / (1 + dx * dx + dy * dy)
      const force = near * near
      total += 2 * near
      pushX += force * dx
      pushY += force * dy
      slopes[b] -= force * dx
      slopes[b + 1] -= force * dy
    }
    slopes[a] += pushX
    slopes[a + 1] += pushY
  }
  return total
}

interface Motion {
  readonly places: Float64Array
  readonly moves: Float64Array
  /** Grows while a point keeps its direction, shrinks when it turns. */
  readonly gains: Float64Array
  readonly slopes: Float64Array
}

function move({ places, moves, gains, slopes }: Motion, momentum: number): void {
  const rate = Math.max(10, places.length / 4)
  for (let at = 0; at < places.length; at++) {
    const keeps = slopes[at] * moves[at] < 0
    gains[at] = Math.max(0.01, keeps ? gains[at] + 0.2 : gains[at] * 0.8)
    moves[at] = momentum * moves[at] - rate * gains[at] * slopes[at]
    places[at] += moves[at]
  }
}

/** Moved and scaled, in both directions alike, to reach from −1 to 1. */
function fitted(places: Float64Array): Float64Array {
  const bounds = [0, 1].map(axis => {
    const values = places.filter((_, at) => at % 2 === axis)
    const [low, high] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))]
    return { middle: (low + high) / 2, half: (high - low) / 2 }
  })
  const half = Math.max(bounds[0].half, bounds[1].half) || 1
  return places.map((value, at) => (value - bounds[at % 2].middle) / half)
}
