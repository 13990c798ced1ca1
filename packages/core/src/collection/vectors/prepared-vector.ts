// Checks a vector as the index would, before the collection changes anything.

import { EngineError } from '../../errors.ts'
import { checkedSquare } from '../../matrix/dense-checks.ts'
import type { DenseMetric } from '../../matrix/dense-metric.ts'
import { floatsOf, requireNumberList } from '../../matrix/given-vector.ts'

/** A copy. `dims` is undefined before the first vector. */
export function preparedVector(
  vector: unknown,
  metric: DenseMetric,
  dims: number | undefined,
  name: string,
): Float32Array {
  requireNumberList(vector, name)
  if (vector.length === 0) throw new EngineError('BAD_DATA', `${name} is empty, expected numbers`)
  if (dims !== undefined && vector.length !== dims) {
    throw new EngineError(
      'DIMENSION_MISMATCH',
      `${name} has ${vector.length} dimensions, this collection has ${dims}`,
      {
        hint: 'Use the same embedding model for all documents and queries.',
      },
    )
  }
  const copy = floatsOf(vector, name)
  checkedSquare(copy, metric, () => name)
  return copy
}
