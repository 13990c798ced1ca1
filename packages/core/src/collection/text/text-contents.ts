// Converts the posting lists of a field to tensors of a model file, and back. They are copied first, which takes a few milliseconds, and then
// packed in steps, while documents come and go. Kernels do not check bounds, so the file is checked here.

import { removedRow } from '../../ids/id-table.ts'
import type { Steps } from '../../long-work.ts'
import { allAmounts, allBelow, listsAscend } from '../../store/array-checks.ts'
import { packNamesInSteps, type StoredParts } from '../../store/stored-parts.ts'
import { type Tensor, tensor1d } from '../../store/tensor.ts'
import { type FieldLists, type KeptLists, longList, stepLists } from './field-lists.ts'
import type { PostingPool } from './posting-pool.ts'

/** The postings of all fields as they were: lists that change later do not affect it. */
export interface PoolCopy {
  readonly rows: Uint32Array
  readonly counts: Uint16Array
}

/** The lists of a field as they were. */
export interface FieldCopy {
  readonly name: string
  readonly words: readonly string[]
  readonly starts: Float64Array
  readonly sizes: Uint32Array
  readonly lengths: Float32Array
}

export function copyPool(pool: PostingPool): PoolCopy {
  return { rows: pool.rows.array.slice(0, pool.end), counts: pool.counts.array.slice(0, pool.end) }
}

/** `rows` is how many there are, with removed ones. */
export function copyField(name: string, field: FieldLists, rows: number): FieldCopy {
  const { size } = field.lists
  const copy = { words: new Array<string>(size), starts: new Float64Array(size), sizes: new Uint32Array(size) }
  let i = 0
  for (const list of field.lists.values()) {
    copy.words[i] = list.word
    copy.starts[i] = list.start
    copy.sizes[i++] = list.size
  }
  return { name, ...copy, lengths: field.lengthsOf(rows) }
}

/** The tensors of a field: `newRows` are the numbers of its rows in the file; `rows` is how many there are. */
export function* packField(
  { name, words, starts, sizes, lengths }: FieldCopy,
  pool: PoolCopy,
  newRows: Uint32Array,
  rows: number,
): Steps<Record<string, Tensor>> {
  const most = sizes.reduce((sum, size) => sum + size, 0)
  const [allRows, allCounts] = [new Uint32Array(most), new Uint16Array(most)]
  const kept: { word: string; size: number }[] = []
  let at = 0
  for (let i = 0; i < words.length; i++) {
    const before = at
    for (let from = starts[i]; from < starts[i] + sizes[i]; from++) {
      const row = newRows[pool.rows[from]]
      if (row === removedRow) continue
      allRows[at] = row
      allCounts[at++] = pool.counts[from]
    }
    if (at > before) kept.push({ word: words[i], size: at - before })
    if (i % stepLists === 0 || sizes[i] > longList) yield
  }
  return {
    ...(yield* packNamesInSteps(`${name}.words`, kept, ({ word }) => word)),
    [`${name}.sizes`]: tensor1d(Uint32Array.from(kept, ({ size }) => size)),
    [`${name}.rows`]: tensor1d(allRows.subarray(0, at)),
    [`${name}.counts`]: tensor1d(allCounts.subarray(0, at)),
    [`${name}.lengths`]: tensor1d(lengthsByNewRow(lengths, newRows, rows)),
  }
}

function lengthsByNewRow(lengths: Float32Array, newRows: Uint32Array, rows: number): Float32Array {
  const moved = new Float32Array(rows)
  for (let row = 0; row < newRows.length; row++) if (newRows[row] !== removedRow) moved[newRows[row]] = lengths[row]
  return moved
}

/** `documents` have the field. */
export function unpackField(name: string, stored: StoredParts, rows: number, documents: number): KeptLists {
  const words = stored.names(`${name}.words`) ?? []
  const sizes = stored.array(`${name}.sizes`, Uint32Array, words.length)
  const offsets = new Float64Array(words.length + 1)
  sizes.forEach((size, i) => {
    offsets[i + 1] = offsets[i] + size
  })
  const allRows = stored.array(`${name}.rows`, Uint32Array, offsets[words.length])
  const counts = stored.array(`${name}.counts`, Uint16Array, offsets[words.length])
  const lengths = stored.amounts(`${name}.lengths`, Float32Array, rows)
  const isWhole =
    sizes.every(size => size > 0) &&
    allBelow(allRows, rows) &&
    listsAscend(offsets, allRows) &&
    counts.every(count => count > 0)
  if (!isWhole || new Set(words).size !== words.length || !allAmounts(lengths)) {
    stored.refuse(`the words of "${name}" are not in order`)
  }
  const totalLength = lengths.reduce((sum, length) => sum + length, 0)
  return { words, sizes, rows: allRows, counts, lengths, documents, totalLength }
}
