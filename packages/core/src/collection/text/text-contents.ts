// Converts the posting lists of a field to tensors of a model file, and back. Kernels do not check bounds, so the file is checked here.

import { allAmounts, allBelow, listsAscend } from '../../store/array-checks.ts'
import { packNames, type StoredParts } from '../../store/stored-parts.ts'
import { type Tensor, tensor1d } from '../../store/tensor.ts'
import type { FieldLists, KeptLists } from './field-lists.ts'
import type { PostingPool } from './posting-pool.ts'

/** No row is removed; `rows` is how many there are. */
export function packField(name: string, field: FieldLists, pool: PostingPool, rows: number): Record<string, Tensor> {
  const lists = [...field.lists.values()].filter(({ size }) => size > 0)
  const postings = lists.reduce((sum, { size }) => sum + size, 0)
  const [allRows, allCounts] = [new Uint32Array(postings), new Uint16Array(postings)]
  let at = 0
  for (const { start, size } of lists) {
    allRows.set(pool.rows.array.subarray(start, start + size), at)
    allCounts.set(pool.counts.array.subarray(start, start + size), at)
    at += size
  }
  return {
    ...packNames(
      `${name}.words`,
      lists.map(({ word }) => word),
    ),
    [`${name}.sizes`]: tensor1d(Uint32Array.from(lists, ({ size }) => size)),
    [`${name}.rows`]: tensor1d(allRows),
    [`${name}.counts`]: tensor1d(allCounts),
    [`${name}.lengths`]: tensor1d(field.lengthsOf(rows)),
  }
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
