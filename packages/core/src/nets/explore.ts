// Finds the near items of a net. Nodes are opened in the order of d − radius, the least distance of an item below them, until nothing that is left
// could be nearer than what is wanted. With a tolerance η, what is left is given up as soon as it could not be nearer by a factor of
// 1 + η: then the i-th answer is at most (1 + η) times as far as the true i-th (section 5.1 of paper 004).

import type { Net, NetNode } from './net.ts'

/** One found row, with its distance. */
export interface NetNeighbor {
  readonly row: number
  readonly distance: number
}

/** The error of rounding to 32 bits and of the sums: bounds are looser by this factor. */
const slack = 2 ** -23
/** The same as a share of the largest distance, for metrics whose small distances are inaccurate: angles. */
const roughness = 2 ** -27

/**
 * Calls `offer` for nodes in about the order of their distances, until none is left within `limit()`, which may shrink meanwhile.
 * `skip` skips a node and everything below it, which are at least `least` away. Returns how many distances were computed.
 */
export function explore<Item>(
  { root }: Net<Item>,
  measure: (item: Item) => number,
  limit: () => number,
  offer: (node: NetNode, distance: number) => void,
  skip?: (node: NetNode, least: number) => boolean,
): number {
  if (!root) return 0
  const rough = roughness * root.radius
  const boundOf = (distance: number, radius: number) => distance - radius - slack * (distance + radius) - rough
  const heap = new NodeHeap()
  let computed = 0
  const look = (node: NetNode): void => {
    const distance = measure(node.item as Item) // nodes hold items of their net
    computed++
    offer(node, distance)
    if (node.children.length > 0) heap.push(node, distance, boundOf(distance, node.radius))
  }
  look(root)
  for (let best = heap.pop(); best && best.bound <= limit(); best = heap.pop()) {
    const { node, distance } = best
    if (skip?.(node, best.bound)) continue
    const { children, steps, radii } = node
    let most = limit()
    for (let i = 0; i < steps.length; i++) {
      // boundOf, inlined by hand: as calls, these two comparisons took most of a search's time.
      const [least, radius] = [Math.abs(distance - steps[i]), radii[i]]
      const bound = least - radius - slack * (least + radius) - rough
      if (bound > most || skip?.(children[i], bound)) continue
      look(children[i])
      most = limit()
    }
  }
  return computed
}

export interface NearestQuery {
  readonly k: number
  /** How much farther than the true neighbors the answers may be (η). */
  readonly tolerance: number
  /** Which rows may be returned. Default: all. */
  readonly passes?: ((row: number) => boolean) | undefined
}

/** The k nearest, best first, ties by row, and how many distances that took. Distances are 32-bit, as in all answers of indexes. */
export function nearestInNet<Item>(
  net: Net<Item>,
  measure: (item: Item) => number,
  { k, tolerance, passes }: NearestQuery,
): { found: NetNeighbor[]; computed: number } {
  const found: NetNeighbor[] = []
  const limit = () => (found.length < k ? Number.POSITIVE_INFINITY : found[k - 1].distance / (1 + tolerance))
  const computed = explore(net, measure, limit, (node, exact) => {
    const distance = Math.fround(exact)
    if (found.length === k && distance > found[k - 1].distance) return
    for (const row of node.rows) {
      if (passes && !passes(row)) continue
      insertSorted(found, { row, distance })
      if (found.length > k) found.pop()
    }
  })
  return { found, computed }
}

/** Every node within `radius`. */
export function withinNet<Item>(
  net: Net<Item>,
  measure: (item: Item) => number,
  radius: number,
  offer: (node: NetNode, distance: number) => void,
): number {
  return explore(net, measure, () => radius, (node, distance) => {
    if (distance <= radius) offer(node, distance)
  }) // biome-ignore format: one call
}

function insertSorted(found: NetNeighbor[], added: NetNeighbor): void {
  let [from, to] = [0, found.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const { row, distance } = found[middle]
    if (distance < added.distance || (distance === added.distance && row < added.row)) from = middle + 1
    else to = middle
  }
  found.splice(from, 0, added)
}

interface Waiting {
  readonly node: NetNode
  readonly distance: number
  readonly bound: number
}

/** The waiting node with the least bound first. */
class NodeHeap {
  readonly #entries: Waiting[] = []

  push(node: NetNode, distance: number, bound: number): void {
    const entries = this.#entries
    const added = { node, distance, bound }
    let place = entries.push(added) - 1
    while (place > 0) {
      const above = (place - 1) >> 1
      if (entries[above].bound <= bound) break
      entries[place] = entries[above]
      place = above
    }
    entries[place] = added
  }

  pop(): Waiting | undefined {
    const entries = this.#entries
    const [first, last] = [entries[0], entries.pop()]
    if (!last || entries.length === 0) return first
    let place = 0
    for (let below = 1; below < entries.length; below = 2 * place + 1) {
      if (below + 1 < entries.length && entries[below + 1].bound < entries[below].bound) below++
      if (entries[below].bound >= last.bound) break
      entries[place] = entries[below]
      place = below
    }
    entries[place] = last
    return first
  }
}
