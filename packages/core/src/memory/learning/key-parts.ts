// The two parts of a hybrid key, text and vector. Both have length 1, and each counts for half. How much each counts beyond that is learned
// as the weight of a feature that stands for the part: its product is the sum of the part's products.

import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import { vectorFeatures } from '../memory-key.ts'
import type { KeyBuffer } from '../table/key-buffer.ts'
import type { KeyAt } from './linear-model.ts'

export const partCount = 2
/** Text and vector, as features. No word has these numbers. */
export const partKey: SparseRow = {
  indices: Uint32Array.of(vectorFeatures - 2, vectorFeatures - 1),
  values: Float32Array.of(1, 1),
}
const share = 1 / partCount

const partOf = (feature: number): number => (feature < vectorFeatures ? 0 : 1)

/** `weighted` holds the row's values times 1 + their weights: adds the weights of the parts, and halves. */
export function weighParts({ indices, values }: SparseRow, weighted: Float32Array, parts: readonly number[]): void {
  for (let e = 0; e < indices.length; e++) weighted[e] = share * (weighted[e] + values[e] * parts[partOf(indices[e])])
}

/** The shared features of two hybrid keys with their products, halved, and the parts with the sums of theirs. */
export function withParts(shared: KeyBuffer, count: number): KeyAt {
  const { features, values } = shared.arrays()
  const sums = [0, 0]
  for (let e = 0; e < count; e++) {
    values[e] *= share
    sums[partOf(features[e])] += values[e]
  }
  features.set(partKey.indices, count)
  values.set(sums, count)
  return { ...shared.at, count: count + partCount }
}

/** The part of a key that opinions are about: the words, if there are any. */
export function wordsOfKey(row: SparseRow): SparseRow {
  const end = row.indices.findIndex(feature => feature >= vectorFeatures)
  return end <= 0 ? row : { indices: row.indices.subarray(0, end), values: row.values.subarray(0, end) }
}
