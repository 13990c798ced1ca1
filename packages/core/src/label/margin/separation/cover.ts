// Which rows to drop so that no conflict is left: a vertex cover by greedy matching, at most twice as many rows as needed. Then dropped rows
// are restored if they are no longer in conflict with a kept row. Rows with many conflicts are matched first, and those with few
// restored first, so that mostly rows surrounded by other labels are dropped. Both ways below do this. Conflicts are listed if there are few;
// otherwise each row looks up one enemy at a time, so that the time does not grow with the number of pairs.

import type { LongWork } from '../../../long-work.ts'
import { eachInTurns } from '../../../long-work.ts'
import type { Net } from '../../../nets/net.ts'
import { type Conflicts, findConflicts, type LabelsOf } from './conflicts.ts'
import { EnemyFinder } from './enemies.ts'
import { Probes } from './probes.ts'

type IsThere = (row: number) => boolean
const everyRow: IsThere = () => true

/** Finds the rows to drop, at any gap. */
export class Coverer<Item> {
  readonly #net: Net<Item>
  readonly #labelsOf: LabelsOf
  readonly #seed: number
  readonly #work: LongWork
  readonly #conflicts: Conflicts
  #probes: Probes | undefined
  #finder: EnemyFinder<Item> | undefined

  private constructor(net: Net<Item>, labelsOf: LabelsOf, conflicts: Conflicts, seed: number, work: LongWork) {
    this.#net = net
    this.#labelsOf = labelsOf
    this.#conflicts = conflicts
    this.#seed = seed
    this.#work = work
  }

  /** Lists conflicts up to the largest of `gaps`, which ascend, that has few enough. */
  static async make<Item>(
    net: Net<Item>,
    labelsOf: LabelsOf,
    gaps: readonly number[],
    seed: number,
    work: LongWork,
    mostPairs?: number,
  ): Promise<Coverer<Item>> {
    return new Coverer(net, labelsOf, await findConflicts(net, labelsOf, gaps, work, mostPairs), seed, work)
  }

  /** 1 for the rows to drop, so that no two of the others are nearer than `gap`. `isThere` says which rows exist. */
  async cover(gap: number, isThere = everyRow): Promise<Uint8Array> {
    if (gap <= this.#conflicts.gap) return coverConflicts(this.#conflicts, this.#net.items.length, gap, isThere)
    this.#probes ??= await Probes.measure(this.#net, this.#labelsOf, this.#seed, this.#work)
    this.#finder ??= new EnemyFinder(this.#net, this.#labelsOf)
    const rows = Uint32Array.from(this.#net.items.keys())
    const there = rows.filter(row => this.#net.items[row] !== undefined && isThere(row))
    return coverByAsking(this.#finder, there, this.#probes.degrees(gap, isThere), gap, this.#work)
  }
}

export function coverConflicts(
  { first, second, distances }: Conflicts,
  rows: number,
  gap: number,
  isThere: IsThere,
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
  const order = byDegree(Uint32Array.from(degrees.keys()).filter(row => degrees[row] > 0), degrees) // biome-ignore format: one idea
  return coverLists(order, row => others.subarray(starts[row], starts[row + 1]), rows)
}

/** Ties by row. */
function byDegree(rows: Uint32Array, degrees: Uint32Array): Uint32Array {
  return rows.sort((a, b) => degrees[b] - degrees[a] || a - b)
}

function coverLists(order: Uint32Array, othersOf: (row: number) => Uint32Array, rows: number): Uint8Array {
  const dropped = new Uint8Array(rows)
  for (const row of order) {
    const partner = dropped[row] ? undefined : othersOf(row).find(other => dropped[other] === 0)
    if (partner !== undefined) dropped[row] = dropped[partner] = 1
  }
  for (const row of order.reverse()) {
    if (dropped[row] && othersOf(row).every(other => dropped[other] === 1)) dropped[row] = 0
  }
  return dropped
}

async function coverByAsking<Item>(
  finder: EnemyFinder<Item>,
  there: Uint32Array,
  degrees: Uint32Array,
  gap: number,
  work: LongWork,
): Promise<Uint8Array> {
  const [dropped, isThere] = [new Uint8Array(degrees.length), new Uint8Array(degrees.length)]
  for (const row of there) isThere[row] = 1
  finder.reset(row => isThere[row] === 1)
  const order = byDegree(there, degrees)
  const drop = (row: number) => {
    dropped[row] = 1
    finder.remove(row)
  }
  await eachInTurns(order.length, 'matching rows', work, i => {
    const partner = dropped[order[i]] ? undefined : finder.find(order[i], gap)
    if (partner !== undefined) for (const row of [order[i], partner]) drop(row)
  })
  order.reverse()
  await eachInTurns(order.length, 'taking rows back', work, i => {
    if (dropped[order[i]] === 0 || finder.find(order[i], gap) !== undefined) return
    dropped[order[i]] = 0
    finder.add(order[i])
  })
  return dropped
}
