// Rows to try efforts on as if they were queries. Copies of them are hidden too: a query is rarely a copy of a stored row, and
// finding copies is easy. An index full of duplicates would otherwise seem to find everything.

import type { Steps } from '../../../long-work.ts'
import { Random } from '../../../random.ts'
import type { DenseRows } from '../../dense/dense-rows.ts'

export interface HeldOut {
  /** The rows to search for, ascending: the index's own, or training rows. */
  readonly queries: Uint32Array
  readonly of: DenseRows
  /** These and their copies, ascending: rows that no forest has seen and no trial may find. */
  readonly hidden: Uint32Array
}

/** Rows asked about: so many, or fewer if they have so many neighbors in total, and at most this share of all. With copies, more are hidden. */
const mostQueries = 500
const fewestQueries = 200
const enoughNeighbors = 5000
const mostAsked = 1 / 10
const mostHidden = 1 / 4

/** To be asked for the k nearest. */
export function* holdOut(rows: DenseRows, k: number, seed: number): Steps<HeldOut> {
  const most = Math.floor(mostHidden * rows.rows)
  const random = new Random(seed, 3)
  const wanted = Math.min(mostQueries, Math.max(fewestQueries, Math.ceil(enoughNeighbors / k)))
  const sampled = random.sample(rows.rows, Math.min(wanted, Math.floor(mostAsked * rows.rows)))
  const copies = yield* copiesOf(rows, sampled)
  const hidden = new Set<number>()
  const queries: number[] = []
  for (const row of random.shuffle(Uint32Array.from(sampled))) {
    const group = copies.get(row) ?? [row]
    if (hidden.has(row) || hidden.size + group.length > most) continue
    queries.push(row)
    for (const copy of group) hidden.add(copy)
  }
  // If every row has more copies than may be hidden, copies are what there is to find.
  if (queries.length === 0) return { of: rows, queries: sampled, hidden: sampled }
  return { of: rows, queries: Uint32Array.from(queries).sort(), hidden: Uint32Array.from(hidden).sort() }
}

/** The same of training rows, such as past queries. They are not in the index, so that nothing has to be hidden. */
export function holdOutTraining(training: DenseRows, seed: number): HeldOut {
  const most = Math.min(mostQueries, Math.ceil(mostHidden * training.rows))
  const queries = new Random(seed, 3).sample(training.rows, most).sort()
  return { of: training, queries, hidden: new Uint32Array(0) }
}

const rowsPerStep = 1024

/** Of each sampled row that has copies, all rows with the same numbers, itself included. */
function* copiesOf(rows: DenseRows, sampled: Uint32Array): Steps<Map<number, number[]>> {
  let bits = bitsOf(rows)
  const sampledBy = new Map<number, number[]>()
  for (const row of sampled) {
    const hash = hashOf(bits, row, rows.dims)
    sampledBy.set(hash, [...(sampledBy.get(hash) ?? []), row])
  }
  const copies = new Map<number, number[]>(Array.from(sampled, row => [row, []]))
  for (let row = 0; row < rows.rows; row++) {
    if (row % rowsPerStep === 0) {
      yield
      bits = bitsOf(rows) // memory may have moved
    }
    for (const other of sampledBy.get(hashOf(bits, row, rows.dims)) ?? []) {
      if (areEqual(bits, row, other, rows.dims)) copies.get(other)?.push(row)
    }
  }
  return copies
}

function bitsOf({ array }: DenseRows): Uint32Array {
  return new Uint32Array(array.buffer, array.byteOffset, array.length)
}

function hashOf(bits: Uint32Array, row: number, dims: number): number {
  let hash = 0x811c9dc5
  for (let at = row * dims; at < (row + 1) * dims; at++) hash = Math.imul(hash ^ bits[at], 0x01000193)
  return hash
}

function areEqual(bits: Uint32Array, a: number, b: number, dims: number): boolean {
  for (let j = 0; j < dims; j++) if (bits[a * dims + j] !== bits[b * dims + j]) return false
  return true
}
