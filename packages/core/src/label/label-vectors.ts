// What the rows of a label have in common: the mean of their features, as the model reads them.

import { checkList } from '../matrix/checks.ts'
import type { LabelMatrix } from '../matrix/label-matrix.ts'
import { SparseMatrix, type SparseRow } from '../matrix/sparse-matrix.ts'
import { checkWhole } from '../options.ts'

/** The heaviest features are kept: they say what a label is about. */
const mostFeatures = 1000

/** Rows as a model keeps them. */
export interface LabeledRows {
  readonly labels: LabelMatrix
  readonly columns: number
  /** Empty or undefined if the row was removed. */
  row(row: number): SparseRow | undefined
}

const none: SparseRow = Object.freeze({ indices: new Uint32Array(0), values: new Float32Array(0) })

/** One row per label of `wanted`, in that order, of length 1; empty if no row has the label. */
export function meanRows({ labels, columns, row }: LabeledRows, wanted: readonly number[]): SparseMatrix {
  checkList('labels', wanted, 'a list of label numbers')
  for (const label of Array.from(wanted)) checkWhole('label', label, 0, labels.columns - 1)
  const rowsOf = labels.transpose()
  const sums = new Float64Array(columns)
  const vectors = wanted.map(label => {
    const touched = new Set<number>()
    for (const i of rowsOf.row(label)) {
      const { indices, values } = row(i) ?? none
      for (let j = 0; j < indices.length; j++) {
        sums[indices[j]] += values[j]
        touched.add(indices[j])
      }
    }
    const kept = heaviest(touched, sums)
    const length = Math.sqrt(kept.reduce((sum, feature) => sum + sums[feature] ** 2, 0)) || 1
    const pairs = kept.map(feature => [feature, sums[feature] / length] as const)
    for (const feature of touched) sums[feature] = 0
    return pairs
  })
  return SparseMatrix.from(vectors, columns)
}

function heaviest(touched: ReadonlySet<number>, sums: Float64Array): number[] {
  const features = [...touched].filter(feature => sums[feature] !== 0)
  if (features.length <= mostFeatures) return features.sort((a, b) => a - b)
  features.sort((a, b) => Math.abs(sums[b]) - Math.abs(sums[a]) || a - b)
  return features.slice(0, mostFeatures).sort((a, b) => a - b)
}
