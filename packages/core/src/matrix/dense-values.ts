// The numbers of a dense matrix, without the class: code that only reads them ships none of its methods.

import { EngineError } from '../errors.ts'
import type { Steps } from '../long-work.ts'
import { checkEntries } from './checks.ts'
import { copyNumbers, type DenseVector, requireNumberList } from './given-vector.ts'

/** The typed arrays that can hold the values of a dense matrix. */
export type DenseValues = Float32Array | Uint8Array | Int32Array

/** What a DenseMatrix holds. */
export interface DenseNumbers {
  readonly rows: number
  readonly columns: number
  readonly values: DenseValues
}

/** Copying them takes some tens of microseconds. */
export const numbersPerStep = 16_384

/**
 * Copies unchecked vectors, which must not change meanwhile; `one` is what messages call them: 'row'. If there are none, `columns` is how many
 * numbers they would have. Numbers of Float32Arrays may not be finite.
 */
export function* denseNumbersInSteps(vectors: readonly unknown[], one: string, columns = 0): Steps<DenseNumbers> {
  if (vectors.length > 0) columns = lengthOf(vectors, 0, one)
  checkEntries('the matrix', vectors.length * columns)
  const values = new Float32Array(vectors.length * columns)
  let copied = 0
  for (let i = 0; i < vectors.length; i++) {
    const length = lengthOf(vectors, i, one)
    if (length !== columns) {
      throw new EngineError('DIMENSION_MISMATCH', `${one} ${i} has ${length} values, ${one} 0 has ${columns}`)
    }
    copyNumbers(vectors[i] as DenseVector, values, i * columns, `${one} ${i}`) // its length was asked for
    copied += columns
    if (copied < numbersPerStep) continue
    copied = 0
    yield
  }
  return { rows: vectors.length, columns, values }
}

function lengthOf(vectors: readonly unknown[], i: number, one: string): number {
  const vector = vectors[i]
  requireNumberList(vector, `${one} ${i}`)
  return vector.length
}
