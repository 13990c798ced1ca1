// Pairs of rows that no function of a given smoothness can both get right: different labels, too near to each other (section 4 of paper
// 004). Pairs are listed with the net, once, for the largest gap whose pairs fit; a smaller gap has some of them. Larger gaps are
// asked about row by row (enemies.ts). Which rows to drop: cover.ts.

import { Growable } from '../../../data/bytes/growable.ts'
import type { LongWork } from '../../../long-work.ts'
import { eachInTurns } from '../../../long-work.ts'
import { explore, withinNet } from '../../../nets/explore.ts'
import { distancesFrom } from '../../../nets/metrics/metric.ts'
import type { Net } from '../../../nets/net.ts'

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

/** At most this many pairs are listed. */
export const mostPairs = 2 ** 22

/** All pairs nearer than the largest of the ascending `gaps` whose pairs fit; gap 0 if those of none do. */
export async function findConflicts<Item>(
  net: Net<Item>,
  labelsOf: LabelsOf,
  gaps: readonly number[],
  work: LongWork,
  most = mostPairs,
): Promise<Conflicts> {
  let [place, pairs] = [gaps.length - 1, new PairList()]
  await eachInTurns(net.items.length, 'finding conflicts', work, row => {
    if (net.items[row] === undefined || !(gaps[place] > 0)) return
    const labels = labelsOf(row)
    withinNet(net, distancesFrom(net.metric, net.item(row)), gaps[place], (node, distance) => {
      for (const other of node.rows) {
        if (other < row && distance < gaps[place] && !shareOne(labels, labelsOf(other))) pairs.add(other, row, distance)
      }
    })
    while (pairs.count > most && place >= 0) {
      place--
      pairs = pairs.below(gaps[place] ?? 0)
    }
  })
  return { ...pairs.arrays(), gap: gaps[place] ?? 0 }
}

/** Distance of the nearest item without a common label; infinite if there is none. */
export function nearestEnemy<Item>(net: Net<Item>, row: number, labelsOf: LabelsOf): number {
  const labels = labelsOf(row)
  let nearest = Number.POSITIVE_INFINITY
  explore(net, distancesFrom(net.metric, net.item(row)), () => nearest, (node, distance) => {
    if (distance < nearest && node.rows.some(other => !shareOne(labels, labelsOf(other)))) nearest = distance
  }) // biome-ignore format: one call
  return nearest
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
