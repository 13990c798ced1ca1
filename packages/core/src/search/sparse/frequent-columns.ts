// Entries as the default algorithm wants them (assembly/inverted/columns.ts): those of frequent features in columns of one byte
// per row, which are smaller than lists and quicker to add up. A frequent feature's few highest values stay in a list, as do all
// values of rare features: the less a column can add to a row, the more rows can be skipped.

import type { Steps } from '../../long-work.ts'
import { entriesPerStep } from '../../matrix/csr.ts'
import { listTops, type PostingLists } from './posting-lists.ts'

export interface FrequentColumns {
  /** The largest value of each feature. */
  readonly tops: Float32Array
  /** Lists of all entries that are in no column, rows ascending. */
  readonly short: PostingLists
  /** The features that have a column, ascending. */
  readonly frequent: Uint32Array
  /** The largest value in each column. */
  readonly columnTops: Float32Array
  /** The columns one after another: 255 · value / top, rounded up, so that only nothing is 0. */
  readonly columns: Uint8Array
}

/** A column is quicker than a list of more than this share of the rows: 1/16 and 1/6 were both slower. */
const frequentShare = 1 / 10
/** This share of the rows may have their value in a list nonetheless. */
const highShare = 1 / 256

/** Columns end on whole groups of rows: 32 are added up at a time. */
export function columnBytes(rows: number): number {
  return Math.ceil(rows / 32) * 32
}

export function* splitInSteps(lists: PostingLists, rows: number): Steps<FrequentColumns> {
  const { offsets } = lists
  const features = Uint32Array.from({ length: offsets.length - 1 }, (_, feature) => feature)
  const frequent = features.filter(feature => offsets[feature + 1] - offsets[feature] > rows * frequentShare)
  const bytes = columnBytes(rows)
  const columns = new Uint8Array(frequent.length * bytes)
  const inColumn = new Uint8Array(lists.rows.length)
  const columnTops = new Float32Array(frequent.length)
  for (const [i, feature] of frequent.entries()) {
    columnTops[i] = highestLowValue(lists, feature, Math.floor(rows * highShare))
    fillColumn(lists, feature, columnTops[i], columns.subarray(i * bytes, (i + 1) * bytes), inColumn)
    yield
  }
  const tops = yield* listTops(lists)
  return { tops, short: yield* remaining(lists, inColumn), frequent, columnTops, columns }
}

/** The largest value left after removing the `high` highest; equal values stay together. */
function highestLowValue({ offsets, values }: PostingLists, feature: number, high: number): number {
  const sorted = values.slice(offsets[feature], offsets[feature + 1]).sort()
  return sorted[sorted.length - 1 - high]
}

/** Puts the values up to `top` into the column, and marks them. */
function fillColumn(lists: PostingLists, feature: number, top: number, column: Uint8Array, inColumn: Uint8Array): void {
  const { offsets, rows, values } = lists
  const scale = top === 0 ? 0 : 255 / top
  for (let p = offsets[feature]; p < offsets[feature + 1]; p++) {
    if (values[p] > top) continue
    column[rows[p]] = Math.min(255, Math.ceil(values[p] * scale))
    inColumn[p] = 1
  }
}

/** The lists without the entries that are marked. */
function* remaining({ offsets, rows, values }: PostingLists, marked: Uint8Array): Steps<PostingLists> {
  const count = marked.length - marked.reduce((sum, mark) => sum + mark, 0)
  const left = {
    offsets: new Uint32Array(offsets.length),
    rows: new Uint32Array(count),
    values: new Float32Array(count),
  }
  let to = 0
  for (let feature = 0, next = entriesPerStep; feature + 1 < offsets.length; feature++) {
    for (let p = offsets[feature]; p < offsets[feature + 1]; p++) {
      if (marked[p]) continue
      left.rows[to] = rows[p]
      left.values[to] = values[p]
      to++
    }
    left.offsets[feature + 1] = to
    if (offsets[feature + 1] < next) continue
    next = offsets[feature + 1] + entriesPerStep
    yield
  }
  return left
}
