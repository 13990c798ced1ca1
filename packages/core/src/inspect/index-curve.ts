// Recall against time of an index, with its own items as queries, if you have no others. An item is never its own neighbor.

import { EngineError } from '../errors.ts'
import type { Id } from '../ids/id.ts'
import type { LongWork } from '../long-work.ts'
import { DenseMatrix } from '../matrix/dense-matrix.ts'
import { SparseMatrix, type SparseRow } from '../matrix/sparse-matrix.ts'
import { TextRows } from '../matrix/text-rows.ts'
import { checkObject, checkOptions, checkWhole, optionTable, workChecks } from '../options.ts'
import { Random } from '../random.ts'
import { type CurvePoint, measureCurve } from '../search/curve.ts'
import { checkK } from '../search/neighbor.ts'
import type { OpenedIndex } from '../search/registry.ts'
import { checkIndex, type SearchIndex, type Vector, type Vectors } from '../search/search-index.ts'
import { storedItem } from './stored-item.ts'

/** Options of `measureIndex`. */
export interface IndexCurveOptions extends LongWork {
  /** Number of neighbors. Default 10. */
  readonly k?: number
  /** How many items to search for, drawn at random; all if there are fewer. Default 100. */
  readonly queries?: number
  /** Draws the items. Default 1. */
  readonly seed?: number
}

/** What `measureIndex` returns. */
export interface IndexCurve {
  /** From the quickest to the most thorough effort; those that another beats in both recall and time are left out. */
  readonly points: readonly CurvePoint[]
  readonly k: number
  readonly queries: number
}

const curveOptions = optionTable<IndexCurveOptions>({
  k: (_, value) => checkK(value as number),
  queries: (name, value) => checkWhole(name, value, 1, 10_000),
  seed: (name, value) => checkWhole(name, value, 0, 2 ** 32 - 1),
  ...workChecks,
})

/** Measures what an index finds of the true neighbors of some of its own items, and how long it takes, for each effort. */
export async function measureIndex(
  opened: Pick<OpenedIndex, 'index' | 'kind'>,
  options: IndexCurveOptions = {},
): Promise<IndexCurve> {
  checkOptions(options, curveOptions)
  checkObject('opened', opened, 'an object with an index and its kind, as loadIndex returns it')
  const { index, kind } = opened
  checkIndex(index)
  const { k = 10, queries: count = 100, seed = 1, ...work } = options
  const ids = drawIds(index, count, seed)
  if (ids.length < 2) throw new EngineError('EMPTY_DATA', 'you need at least two items in the index to measure it')
  const queries = rowsOf(
    index,
    ids.map(id => storedItem(index, id)),
  )
  const truth = await kind.truth(index, queries, { ...work, k: k + 1 })
  const efforts = kind.efforts(index)
  const points = await measureCurve(index, queries, { ...work, k, efforts, truth, except: ids })
  return { points, k, queries: ids.length }
}

function drawIds(index: SearchIndex, count: number, seed: number): Id[] {
  const ids: Id[] = []
  for (let row = 0; row < index.rowNumbers; row++) {
    const id = index.idOf(row)
    if (id !== undefined) ids.push(id)
  }
  if (ids.length <= count) return ids
  return Array.from(new Random(seed).sample(ids.length, count), i => ids[i])
}

/** Items of an index are all of one layout. */
function rowsOf(index: SearchIndex, items: readonly (Vector | undefined)[]): Vectors {
  const [first] = items
  if (typeof first === 'string') return new TextRows(items as string[])
  const { columns } = index as { columns?: number } // those of sparse rows
  if (first !== undefined && 'indices' in first) return SparseMatrix.from(items as SparseRow[], columns)
  return DenseMatrix.from(items as Float32Array[])
}
