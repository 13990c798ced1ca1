// Generated cases for the tests of this folder: small truths with answers to them, as matrices and as plain sets.

import fc from 'fast-check'
import { LabelMatrix } from '../matrix/label-matrix.ts'
import type { RankedLabels } from './predictions.ts'

/** Rankings from one list of labels a row; scores fall with rank. */
export function rank(lists: readonly (readonly number[])[], top: number): RankedLabels {
  const labels = new Uint32Array(lists.length * top)
  lists.forEach((list, row) => {
    labels.set(list, row * top)
  })
  const scores = Float32Array.from(labels, (_, place) => 1 / (1 + (place % top)))
  return { rows: lists.length, top, labels, scores, counts: Uint32Array.from(lists, list => list.length) }
}

const labels = 6
const someLabels = fc.uniqueArray(fc.nat(labels - 1))

export interface RankedCase {
  readonly truth: LabelMatrix
  readonly ranked: RankedLabels
  readonly trueSets: readonly ReadonlySet<number>[]
  readonly lists: readonly (readonly number[])[]
  readonly k: number
}

/** A truth over 6 labels and rankings of any length. */
export const rankedCase: fc.Arbitrary<RankedCase> = fc
  .tuple(fc.array(fc.tuple(someLabels, someLabels), { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 8 }))
  .map(([rows, k]) => ({
    truth: LabelMatrix.from(
      rows.map(([carried]) => carried),
      labels,
    ),
    ranked: rank(
      rows.map(([, list]) => list),
      labels,
    ),
    trueSets: rows.map(([carried]) => new Set(carried)),
    lists: rows.map(([, list]) => list),
    k,
  }))

export interface SetCase {
  readonly truth: LabelMatrix
  readonly predicted: LabelMatrix
  readonly trueSets: readonly ReadonlySet<number>[]
  readonly predictedSets: readonly ReadonlySet<number>[]
}

/** A truth over 6 labels and predicted sets. */
export const setCase: fc.Arbitrary<SetCase> = rankedCase.map(({ truth, trueSets, lists }) => ({
  truth,
  predicted: LabelMatrix.from(lists, labels),
  trueSets,
  predictedSets: lists.map(list => new Set(list)),
}))
