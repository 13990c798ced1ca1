// Rows turned into lists: for every feature the rows that have it. The paper's CreateIndex (003, Algorithm 1), and the other
// orders of the same lists that its algorithms need. Plain arrays; layout.ts puts them where the kernels see them.

import { finish, type Steps } from '../../long-work.ts'
import { entriesPerStep, transposeInSteps } from '../../matrix/csr.ts'
import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'

/** Lists one after another: feature f's postings are at [offsets[f], offsets[f + 1]). */
export interface PostingLists {
  readonly offsets: Uint32Array
  readonly rows: Uint32Array
  readonly values: Float32Array
}

/** Lists with ascending rows. */
export function listByRow(matrix: SparseMatrix): PostingLists {
  return finish(listByRowInSteps(matrix))
}

export function* listByRowInSteps(matrix: SparseMatrix): Steps<PostingLists> {
  const { offsets, indices, values } = yield* transposeInSteps(matrix)
  return { offsets: Uint32Array.from(offsets), rows: indices, values: values as Float32Array } // a SparseMatrix has values
}

/** The largest value of each list. */
export function* listTops({ offsets, values }: PostingLists): Steps<Float32Array> {
  const tops = new Float32Array(offsets.length - 1)
  for (let feature = 0, next = entriesPerStep; feature < tops.length; feature++) {
    for (let p = offsets[feature]; p < offsets[feature + 1]; p++) tops[feature] = Math.max(tops[feature], values[p])
    if (offsets[feature + 1] < next) continue
    next = offsets[feature + 1] + entriesPerStep
    yield
  }
  return tops
}

/** Lists with falling values, ties by row: for the threshold algorithm. */
export function listByValue({ offsets, rows, values }: PostingLists): PostingLists {
  const sorted = { offsets, rows: rows.slice(), values: values.slice() }
  for (let feature = 0; feature + 1 < offsets.length; feature++) {
    const [from, to] = [offsets[feature], offsets[feature + 1]]
    const order = Uint32Array.from({ length: to - from }, (_, i) => from + i)
    order.sort((a, b) => values[b] - values[a] || a - b)
    order.forEach((p, i) => {
      sorted.rows[from + i] = rows[p]
      sorted.values[from + i] = values[p]
    })
  }
  return sorted
}

export interface PartitionedLists extends PostingLists {
  /** Where each list's second part begins. */
  readonly starts: Uint32Array
  /** The largest value of each list's second part. */
  readonly tops: Float32Array
}

/** Lists whose rows are in two parts (003, Algorithm 7): first the rows that have one of the `best` highest values of a feature. */
export function partition(lists: PostingLists, rowCount: number, best: number): PartitionedLists {
  const first = rowsWithHighValues(lists, rowCount, best)
  const { offsets } = lists
  const parts = { rows: new Uint32Array(lists.rows.length), values: new Float32Array(lists.rows.length) }
  const starts = new Uint32Array(offsets.length - 1)
  const tops = new Float32Array(offsets.length - 1)
  let to = 0
  const copy = (feature: number, wanted: number): void => {
    for (let p = offsets[feature]; p < offsets[feature + 1]; p++) {
      if (first[lists.rows[p]] !== wanted) continue
      parts.rows[to] = lists.rows[p]
      parts.values[to] = lists.values[p]
      if (wanted === 0) tops[feature] = Math.max(tops[feature], lists.values[p])
      to++
    }
  }
  for (let feature = 0; feature < starts.length; feature++) {
    copy(feature, 1)
    starts[feature] = to
    copy(feature, 0)
  }
  return { offsets, ...parts, starts, tops }
}

/** 1 for the rows that hold one of the `best` highest values of some feature. */
function rowsWithHighValues(lists: PostingLists, rowCount: number, best: number): Uint8Array {
  const sorted = listByValue(lists)
  const high = new Uint8Array(rowCount)
  for (let feature = 0; feature + 1 < sorted.offsets.length; feature++) {
    const end = Math.min(sorted.offsets[feature] + best, sorted.offsets[feature + 1])
    for (let p = sorted.offsets[feature]; p < end; p++) high[sorted.rows[p]] = 1
  }
  return high
}
