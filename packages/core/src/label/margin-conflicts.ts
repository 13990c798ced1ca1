// Rows that no function of a given smoothness can both be right about: different labels, too near to each other (section 4 of paper
// 004). Pairs are found with the net, once, for the largest gap that comes into question; a smaller gap has some of them.
// Which rows to drop is a vertex cover: those of a greedy matching, at most twice as many as needed, of which all are taken back that
// no longer stand in conflict with anything left.

import { Growable } from '../data/bytes/growable.ts'
import { EngineError } from '../errors.ts'
import type { LongWork } from '../progress.ts'
import { distancesFrom } from '../search/metrics/metric.ts'
import type { Net } from '../search/net.ts'
import { explore, withinNet } from '../search/net-search.ts'
import { inTurns } from '../search/turns.ts'

/** The labels of a row, ascending. */
export type LabelsOf = (row: number) => ArrayLike<number>

/** Pairs of rows, and how far they are apart. */
export interface Conflicts {
  readonly first: Uint32Array
  readonly second: Uint32Array
  readonly distances: Float64Array
  /** All pairs that are nearer than this are there. */
  readonly gap: number
}

/** More pairs than these are not held. */
const mostPairs = 2 ** 24

/** All pairs nearer than the largest of `gaps`, which ascend, or than the largest one for which they fit; refused where none does. */
export async function findConflicts<Item>(
  net: Net<Item>,
  labelsOf: LabelsOf,
  gaps: readonly number[],
  work: LongWork,
  most = mostPairs,
): Promise<Conflicts> {
  let [place, pairs] = [gaps.length - 1, new PairList()]
  await inTurns(net.items.length, 'finding conflicts', work, row => {
    if (net.items[row] === undefined || !(gaps[place] > 0)) return
    const labels = labelsOf(row)
    withinNet(net, distancesFrom(net.metric, net.item(row)), gaps[place], (node, distance) => {
      for (const other of node.rows) {
        if (other < row && distance < gaps[place] && !shareOne(labels, labelsOf(other))) pairs.add(other, row, distance)
      }
    })
    while (pairs.count > most) {
      if (place === 0) throw tooManyPairs(gaps[0], most)
      pairs = pairs.below(gaps[--place])
    }
  })
  return { ...pairs.arrays(), gap: gaps[place] }
}

function tooManyPairs(gap: number, most: number): EngineError {
  const message = `gap ${gap} puts more than ${most.toLocaleString('en')} pairs of rows in conflict`
  return new EngineError('INVALID_OPTION', message, { hint: "Give a smaller gap, or let it be 'chosen'." })
}

/** How far the nearest item without a common label is; infinite where there is none. */
export function nearestEnemy<Item>(net: Net<Item>, row: number, labelsOf: LabelsOf): number {
  const labels = labelsOf(row)
  let nearest = Number.POSITIVE_INFINITY
  explore(net, distancesFrom(net.metric, net.item(row)), () => nearest, (node, distance) => {
    if (distance < nearest && node.rows.some(other => !shareOne(labels, labelsOf(other)))) nearest = distance
  }) // biome-ignore format: one call
  return nearest
}

/** 1 for the rows to drop, so that no two of the others are nearer than `gap`. `isThere` says which rows there are at all. */
export function coverConflicts(
  { first, second, distances }: Conflicts,
  rows: number,
  gap: number,
  isThere: (row: number) => boolean = () => true,
): Uint8Array {
  const counted = (e: number) => distances[e] < gap && isThere(first[e]) && isThere(second[e])
  const degrees = new Uint32Array(rows)
  for (let e = 0; e < first.length; e++) {
    if (!counted(e)) continue
    degrees[first[e]]++
    degrees[second[e]]++
  }
  const starts = new Float64Array(rows + 1)
  for (let row = 0; row < rows; row++) starts[row + 1] = starts[row] + degrees[row]
  const [others, filled] = [new Uint32Array(starts[rows]), starts.slice()]
  for (let e = 0; e < first.length; e++) {
    if (!counted(e)) continue
    others[filled[first[e]]++] = second[e]
    others[filled[second[e]]++] = first[e]
  }
  return cover(degrees, row => others.subarray(starts[row], starts[row + 1]))
}

/** Rows with many conflicts are matched first, and those with few taken back first: what goes is mostly what stands among strangers. */
function cover(degrees: Uint32Array, othersOf: (row: number) => Uint32Array): Uint8Array {
  const dropped = new Uint8Array(degrees.length)
  const order = Uint32Array.from(degrees.keys()).filter(row => degrees[row] > 0)
  order.sort((a, b) => degrees[b] - degrees[a] || a - b)
  for (const row of order) {
    const partner = dropped[row] ? undefined : othersOf(row).find(other => dropped[other] === 0)
    if (partner !== undefined) dropped[row] = dropped[partner] = 1
  }
  for (const row of order.reverse()) {
    if (dropped[row] && othersOf(row).every(other => dropped[other] === 1)) dropped[row] = 0
  }
  return dropped
}

/** Whether two ascending lists have a label in common. */
export function shareOne(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) return true
    if (a[i] < b[j]) i++
    else j++
  }
  return false
}

class PairList {
  readonly #first = new Growable(Uint32Array)
  readonly #second = new Growable(Uint32Array)
  readonly #distances = new Growable(Float64Array)

  get count(): number {
    return this.#first.length
  }

  add(first: number, second: number, distance: number): void {
    this.#first.push(first)
    this.#second.push(second)
    this.#distances.push(distance)
  }

  /** Those nearer than `gap`. */
  below(gap: number): PairList {
    const fewer = new PairList()
    for (let e = 0; e < this.count; e++) {
      const distance = this.#distances.items[e]
      if (distance < gap) fewer.add(this.#first.items[e], this.#second.items[e], distance)
    }
    return fewer
  }

  arrays(): Omit<Conflicts, 'gap'> {
    return { first: this.#first.finish(), second: this.#second.finish(), distances: this.#distances.finish() }
  }
}
