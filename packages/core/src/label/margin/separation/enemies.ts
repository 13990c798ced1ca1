// Is some row without a common label within reach? Rows can be switched on and off at any time: every node of the net counts
// the rows below it that take part, by their labels, so that a search skips nodes without enemies. Nothing is stored per pair.

import { explore } from '../../../nets/explore.ts'
import { distancesFrom } from '../../../nets/metrics/metric.ts'
import { type Net, type NetNode, parentPlaces, walk } from '../../../nets/net.ts'
import { type LabelsOf, shareOne } from './conflicts.ts'

export class EnemyFinder<Item> {
  readonly #net: Net<Item>
  readonly #labelsOf: LabelsOf
  /** By row: the number of its set of labels; of rows that are not in the net, −1. */
  readonly #kinds: Int32Array
  readonly #placeOfRow: Uint32Array
  readonly #placeOf: Map<NetNode, number>
  readonly #parents: Int32Array
  /** By node: rows below, and at it, that take part. */
  readonly #counts: Uint32Array
  /** The same by kind; undefined for nodes without children: they have few rows. */
  readonly #byKind: (Map<number, number> | undefined)[]
  readonly #takesPart: Uint8Array

  constructor(net: Net<Item>, labelsOf: LabelsOf) {
    const nodes = [...walk(net.root)]
    this.#net = net
    this.#labelsOf = labelsOf
    this.#kinds = kindsOf(net, labelsOf)
    this.#placeOfRow = new Uint32Array(net.items.length)
    for (const [place, { rows }] of nodes.entries()) for (const row of rows) this.#placeOfRow[row] = place
    this.#placeOf = new Map(nodes.map((node, place) => [node, place]))
    this.#parents = parentPlaces(nodes)
    this.#counts = new Uint32Array(nodes.length)
    this.#byKind = nodes.map(({ children }) => (children.length > 0 ? new Map() : undefined))
    this.#takesPart = new Uint8Array(net.items.length)
  }

  /** From now on, these rows take part and no others. */
  reset(takesPart: (row: number) => boolean): void {
    this.#counts.fill(0)
    for (const kinds of this.#byKind) kinds?.clear()
    this.#takesPart.fill(0)
    for (let row = 0; row < this.#kinds.length; row++) if (this.#kinds[row] >= 0 && takesPart(row)) this.add(row)
  }

  add(row: number): void {
    this.#change(row, 1)
  }

  remove(row: number): void {
    this.#change(row, -1)
  }

  /** A row that takes part, has no label in common with `row` and is nearer than `gap`; undefined if there is none. */
  find(row: number, gap: number): number | undefined {
    const [labels, kind] = [this.#labelsOf(row), this.#kinds[row]]
    let found: number | undefined
    const limit = () => (found === undefined ? gap : Number.NEGATIVE_INFINITY)
    const offer = (node: NetNode, distance: number) => {
      if (found !== undefined || distance >= gap) return
      found = node.rows.find(other => this.#takesPart[other] === 1 && !shareOne(labels, this.#labelsOf(other)))
    }
    explore(this.#net, distancesFrom(this.#net.metric, this.#net.item(row)), limit, offer, node => !this.#hasOther(node, kind)) // biome-ignore format: one call
    return found
  }

  #hasOther(node: NetNode, kind: number): boolean {
    if (node.children.length === 0) {
      return node.rows.some(row => this.#takesPart[row] === 1 && this.#kinds[row] !== kind)
    }
    const place = this.#placeOf.get(node) ?? 0
    return this.#counts[place] > (this.#byKind[place]?.get(kind) ?? 0)
  }

  #change(row: number, by: 1 | -1): void {
    this.#takesPart[row] = by === 1 ? 1 : 0
    const kind = this.#kinds[row]
    for (let place = this.#placeOfRow[row]; place !== -1; place = this.#parents[place]) {
      this.#counts[place] += by
      const kinds = this.#byKind[place]
      kinds?.set(kind, (kinds.get(kind) ?? 0) + by)
    }
  }
}

/** Rows with the same labels are of one kind. */
function kindsOf<Item>({ items }: Net<Item>, labelsOf: LabelsOf): Int32Array {
  const known = new Map<string, number>()
  return Int32Array.from(items, (item, row) => {
    if (item === undefined) return -1
    const key = Array.from(labelsOf(row)).join()
    const kind = known.get(key) ?? known.size
    known.set(key, kind)
    return kind
  })
}
