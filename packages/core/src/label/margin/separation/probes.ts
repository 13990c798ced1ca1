// About how many conflicts a row has at any gap, without listing them: its distances to some rows, the probes, which are measured once.
// With few rows all of them are probes, and the count is exact.

import type { LongWork } from '../../../long-work.ts'
import { eachInTurns } from '../../../long-work.ts'
import { distancesFrom } from '../../../nets/metrics/metric.ts'
import type { Net } from '../../../nets/net.ts'
import { Random } from '../../../random.ts'
import { type LabelsOf, shareOne } from './conflicts.ts'

/** Distances that are kept at most. */
const mostDistances = 2 ** 22

export class Probes {
  readonly #rows: Uint32Array
  /** Row after row; infinite for probes that share a label with the row. */
  readonly #distances: Float32Array

  private constructor(rows: Uint32Array, distances: Float32Array) {
    this.#rows = rows
    this.#distances = distances
  }

  static async measure<Item>(net: Net<Item>, labelsOf: LabelsOf, seed: number, work: LongWork): Promise<Probes> {
    const all = Uint32Array.from(net.items.keys()).filter(row => net.items[row] !== undefined)
    const count = Math.min(all.length, Math.max(1, Math.floor(mostDistances / Math.max(1, net.items.length))))
    const rows = new Random(seed).sample(all.length, count).map(at => all[at])
    const distances = new Float32Array(net.items.length * count).fill(Number.POSITIVE_INFINITY)
    await eachInTurns(all.length, 'counting conflicts', work, i => {
      const row = all[i]
      const measure = distancesFrom(net.metric, net.item(row))
      rows.forEach((probe, place) => {
        if (!shareOne(labelsOf(row), labelsOf(probe))) distances[row * count + place] = measure(net.item(probe))
      })
    })
    return new Probes(rows, distances)
  }

  /** By row: how many probes among the rows that are there are nearer than `gap`. */
  degrees(gap: number, isThere: (row: number) => boolean): Uint32Array {
    const count = this.#rows.length
    const there = this.#rows.map(probe => Number(isThere(probe)))
    return Uint32Array.from({ length: this.#distances.length / count }, (_, row) => {
      let sum = 0
      for (let place = 0; place < count; place++) if (this.#distances[row * count + place] < gap) sum += there[place]
      return sum
    })
  }
}
