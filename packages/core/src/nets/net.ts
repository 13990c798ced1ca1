// A hierarchy of nets over items of any metric: a cover tree (Beygelzimer, Kakade and Langford, 2006), where every level is a net.
// Invariants, with scale(i) = 2^(i / 2): the nodes of level i and above are more than scale(i) apart; a node of level i − 1 is within
// scale(i) of its parent; `radius` is no less than the distance of any item below. Items at distance 0 share a node.
// explore.ts searches it.

import { assert } from '../errors.ts'
import { distancesFrom, type Metric } from './metrics/metric.ts'

export interface NetNode {
  /** Rows at exactly this place, ascending; at least one. */
  rows: number[]
  /** The item of the first of them. Kept here, because looking it up would cost more than computing its distance. */
  item: unknown
  /** Above all its children's. The root's is that of its highest child or more. */
  level: number
  readonly parent: NetNode | undefined
  readonly children: NetNode[]
  /** Of the children, side by side: most are skipped by these alone, without reading their nodes, which are all over the memory. */
  readonly steps: number[]
  readonly radii: number[]
  readonly levels: number[]
  /** Which of its parent's children it is. */
  place: number
  toParent: number
  radius: number
  /** The distance to the item that is being added, if it was computed: scratch. */
  seen: number
}

/** Where an item belongs. */
interface Found {
  readonly level: number
  /** Undefined for the first item. */
  readonly parent: NetNode | undefined
  readonly toParent: number
}

/** The sum of all scales below a level, by its own: 1 / (√2 − 1), and a little for rounding. */
const spread = (Math.SQRT2 + 1) * (1 + 1e-9)
/** The rounding error of a sum of two distances. */
const rounding = 1e-9

export class Net<Item> {
  readonly metric: Metric<Item>
  /** By row; undefined if a row is not in the net. */
  readonly items: (Item | undefined)[]
  readonly #nodeOf: (NetNode | undefined)[] = []
  #root: NetNode | undefined

  constructor(metric: Metric<Item>, items: (Item | undefined)[] = []) {
    this.metric = metric
    this.items = items
  }

  get root(): NetNode | undefined {
    return this.#root
  }

  item(row: number): Item {
    return this.items[row] as Item // rows of nodes have items
  }

  /** Adds a row, whose item must exist. */
  insert(row: number): void {
    const measure = distancesFrom(this.metric, this.item(row))
    const found = this.#root ? this.#place(this.#root, measure) : { level: 0, parent: undefined, toParent: 0 }
    if ('twin' in found) this.#join(found.twin, row)
    else this.#hang(row, found)
  }

  /** Removes a row. Nodes below it are added again: few, because most nodes have few below them. */
  remove(row: number): void {
    const node = this.#nodeOf[row]
    assert(node !== undefined, `row ${row} is not in the net`)
    this.#nodeOf[row] = undefined
    this.items[row] = undefined
    node.rows = node.rows.filter(other => other !== row)
    if (node.rows.length > 0) {
      node.item = this.item(node.rows[0])
      return
    }
    const below = [...walk(node)].flatMap(({ rows }) => rows)
    if (node.parent) dropChild(node.parent, node.place)
    else this.#root = undefined
    for (const other of below) this.insert(other)
  }

  /** A copy that shares nothing that changes, with other row numbers; the items are given in the new order. */
  renumbered(items: (Item | undefined)[], newRow: (row: number) => number = row => row): Net<Item> {
    const copy = new Net(this.metric, items)
    copy.restore(
      [...walk(this.#root)].map(node => ({ ...node, rows: node.rows.map(newRow) })),
      this.#order(),
    )
    return copy
  }

  /** Nodes as `walk` gave them, and the place of each one's parent in that order, −1 for the root. */
  restore(nodes: readonly Pick<NetNode, 'rows' | 'level' | 'toParent' | 'radius'>[], parents: ArrayLike<number>): void {
    const made: NetNode[] = []
    nodes.forEach(({ rows, level, toParent, radius }, i) => {
      const parent = made[parents[i]]
      const node = { ...newNode(rows[0], this.item(rows[0]), level, parent, toParent), rows: [...rows], radius }
      made.push(node)
      if (parent) addChild(parent, node)
      for (const row of rows) this.#nodeOf[row] = node
    })
    this.#root = made[0]
  }

  /** For `restore`. */
  #order(): Int32Array {
    return parentPlaces([...walk(this.#root)])
  }

  #hang(row: number, { level, parent, toParent }: Found): void {
    const node = newNode(row, this.item(row), level, parent, toParent)
    this.#nodeOf[row] = node
    if (parent) addChild(parent, node)
    else this.#root = node
    for (let above = parent; above; above = above.parent) {
      above.radius = Math.max(above.radius, above.seen)
      if (above.parent) above.parent.radii[above.place] = above.radius
    }
  }

  #join(twin: NetNode, row: number): void {
    // Usually the last one; rows that are added again may be in the middle.
    const place = twin.rows.findLastIndex(other => other < row) + 1
    twin.rows.splice(place, 0, row)
    this.#nodeOf[row] = twin
  }

  /**
   * Where an item belongs: the lowest node that covers it. `near` holds the nodes of a level that cover it themselves, or could have one
   * below them that does: nothing below is farther from a node than its radius, or than the sum of the scales of the levels between, and
   * nothing below covers more than the scale of the next level.
   */
  #place(root: NetNode, measure: (item: Item) => number): Found | { twin: NetNode } {
    root.seen = measure(root.item as Item) // as every node's
    if (root.seen === 0) return { twin: root }
    root.level = Math.max(root.children.length === 0 ? Number.NEGATIVE_INFINITY : root.level, levelOf(root.seen))
    let [near, level, parent, own] = [[root], root.level, root, root.level - 1]
    while (near.length > 0) {
      const reach = scaleOf(level)
      const [below, farthest] = [scaleOf(level - 1), spread * reach]
      const closest = near.reduce((a, b) => (b.seen < a.seen ? b : a))
      if (closest.seen <= reach) [parent, own] = [closest, level - 1]
      const next: NetNode[] = []
      for (const node of near) {
        if (node.seen <= Math.min(farthest, node.radius + below)) next.push(node)
        const { children, levels, steps, radii, seen } = node
        for (let i = 0; i < children.length; i++) {
          if (levels[i] !== level - 1) continue
          // By the triangle inequality it is no nearer than that: most distances need not be computed.
          const most = Math.min(farthest, radii[i] + below)
          if (Math.abs(seen - steps[i]) > most + rounding * seen) continue
          const child = children[i]
          child.seen = measure(child.item as Item) // likewise
          if (child.seen === 0) return { twin: child }
          if (child.seen <= most) next.push(child)
        }
      }
      near = next
      level--
    }
    return { level: own, parent, toParent: parent.seen }
  }
}

/** A node and all nodes below it, parents first. */
export function* walk(top: NetNode | undefined): Generator<NetNode> {
  const waiting = top ? [top] : []
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node
    for (let i = node.children.length - 1; i >= 0; i--) waiting.push(node.children[i])
  }
}

/** For each node of a walk, the place of its parent in it; −1 for the first. */
export function parentPlaces(nodes: readonly NetNode[]): Int32Array {
  const places = new Map(nodes.map((node, place) => [node, place]))
  return Int32Array.from(nodes, ({ parent }) => (parent && places.get(parent)) ?? -1)
}

/** Powers of two and their geometric means: the same numbers on every machine. */
export function scaleOf(level: number): number {
  return level % 2 === 0 ? 2 ** (level / 2) : 2 ** ((level - 1) / 2) * Math.SQRT2
}

/** Of a 64-bit number's smallest and largest distance, and a little to spare. */
export const [lowestLevel, highestLevel] = [-2152, 2052]

/** The lowest level whose scale is at least `distance`. */
export function levelOf(distance: number): number {
  let level = Math.ceil(2 * Math.log2(distance))
  while (scaleOf(level) < distance) level++
  while (scaleOf(level - 1) >= distance) level--
  return level
}

function newNode(row: number, item: unknown, level: number, parent: NetNode | undefined, toParent: number): NetNode {
  const childless = { children: [], steps: [], radii: [], levels: [] }
  return { rows: [row], item, level, parent, ...childless, place: 0, toParent, radius: 0, seen: 0 }
}

function addChild(parent: NetNode, child: NetNode): void {
  child.place = parent.children.push(child) - 1
  parent.steps.push(child.toParent)
  parent.radii.push(child.radius)
  parent.levels.push(child.level)
}

function dropChild(parent: NetNode, place: number): void {
  for (const list of [parent.children, parent.steps, parent.radii, parent.levels]) list.splice(place, 1)
  parent.children.forEach((child, i) => {
    child.place = i
  })
}
