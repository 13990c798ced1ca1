// The weights that features have before any are learned: all the same, rare ones more (idf), or those that tell labels apart
// more (chi²). Logarithms are the kernels' own: the same bits on every machine.

import type { Engine } from '../../kernels/engine.ts'
import { labelKernels } from '../../kernels/sets/label.ts'
import type { LabelMatrix } from '../../matrix/label-matrix.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { visitFeatures } from './co-occurrence.ts'

/** 'none': all 1. 'idf': log of rows per row with the feature. 'chi2': log of how far labels stray from chance beside it. */
export type WeightStart = 'none' | 'idf' | 'chi2'

/** Chi² if all values are 1; none if they vary, because then they are weights already. */
export function suitableStart(features: SparseMatrix): WeightStart {
  return isBinary(features) ? 'chi2' : 'none'
}

/** Weights of `start`, one per feature. */
export function startWeights(
  features: SparseMatrix,
  labels: LabelMatrix,
  start: WeightStart,
  engine: Engine,
): Float32Array {
  if (start === 'idf') return logarithms(engine, rarities(features), 1e-3)
  if (start === 'chi2') return logarithms(engine, deviations(features, labels), 0.02)
  return new Float32Array(features.columns).fill(1)
}

/** Whether all values of each row are the same: ones, or ones divided by the row's length. */
export function isBinary({ rows, offsets, values }: SparseMatrix): boolean {
  for (let row = 0; row < rows; row++) {
    for (let e = offsets[row] + 1; e < offsets[row + 1]; e++) if (values[e] !== values[e - 1]) return false
  }
  return true
}

function rarities({ rows, columns, indices }: SparseMatrix): Float64Array {
  const counts = new Float64Array(columns)
  for (let e = 0; e < indices.length; e++) counts[indices[e]]++
  return counts.map(count => (rows + 1) / (count + 0.5))
}

/** 1 + Σ (n − e)² / (e + 1) / rows with the feature, over its labels: n times together, e times expected by chance. */
function deviations(features: SparseMatrix, labels: LabelMatrix): Float64Array {
  const result = new Float64Array(features.columns).fill(1)
  const labelCounts = labels.counts()
  const ones = new Float32Array(features.entries).fill(1)
  const presence = new SparseMatrix(features.rows, features.columns, features.offsets, features.indices, ones)
  for (const { feature, rows, labels: found, sums } of visitFeatures(presence, labels)) {
    let sum = 0
    for (let i = 0; i < found.length; i++) {
      const expected = (rows.length * labelCounts[found[i]]) / labels.rows
      sum += (sums[found[i]] - expected) ** 2 / (expected + 1)
    }
    result[feature] += sum / rows.length
  }
  return result
}

function logarithms(engine: Engine, values: Float64Array, shift: number): Float32Array {
  const scope = engine.arena.scope()
  try {
    const [source, out] = [scope.place(values), scope.allocate(Float32Array, values.length)]
    engine.exactKernels(labelKernels).logarithms(source.pointer, values.length, shift, out.pointer)
    return out.array.slice()
  } finally {
    scope.free()
  }
}
