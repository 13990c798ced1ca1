// How the feature score reads dense rows: each column's deviation from its mean, split into a positive and a negative part
// (label/reading/signed-parts.ts), so that Definitions 7 and 8 of paper 003 apply as they are. A column says most about a label if the
// label's rows deviate to the same side.

import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import type { SparseMatrix as Matrix, SparseRow } from '../../matrix/sparse-matrix.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { splitRow, splitRows } from '../reading/signed-parts.ts'
import { columnStatistics } from '../reading/vector-space.ts'

export class DenseFeatures {
  readonly means: Float32Array
  /** What deviations are multiplied with: 0 for a column that is the same in all rows. */
  readonly scales: Float32Array

  constructor(means: Float32Array, scales: Float32Array) {
    this.means = means
    this.scales = scales
  }

  /** From dense rows. */
  static fit({ rows, columns, values }: Matrix): DenseFeatures {
    const { means, deviations } = columnStatistics(new DenseMatrix(rows, columns, values))
    // If all rows are the same, the columns are used as they are.
    const same = deviations.every(deviation => deviation === 0)
    const scales = (same ? means : deviations).map(size => (size === 0 ? 0 : 1 / Math.abs(size)))
    return new DenseFeatures(same ? new Float32Array(columns) : Float32Array.from(means), Float32Array.from(scales))
  }

  row({ indices, values }: SparseRow): SparseRow {
    return splitRow({ indices, values: this.#deviations(indices, values) }, this.means.length)
  }

  rows({ rows, columns, offsets, indices, values }: Matrix): SparseMatrix {
    const deviations = this.#deviations(indices, values)
    return splitRows(new SparseMatrix(rows, columns, offsets, indices, deviations), columns)
  }

  #deviations(indices: Uint32Array, values: Float32Array): Float32Array {
    const { means, scales } = this
    return values.map((value, e) => (value - means[indices[e]]) * scales[indices[e]])
  }
}
