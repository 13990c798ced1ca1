// Every public call of matrices and measures, with arguments it takes.

import * as core from './core-names.ts'
import {
  type Call,
  dense,
  found,
  functions,
  labels,
  maker,
  methods,
  options,
  ranked,
  rows,
  sparse,
  texts,
} from './wrong-types.call.ts'

export function matrixCalls(): Call[] {
  const shared = { row: [0], slice: [0, 2], select: [[0, 1]], transpose: [], normalizeRows: [] }
  return [
    maker('DenseMatrix', core.DenseMatrix, [1, 2, Float32Array.of(1, 2)]),
    ...methods('DenseMatrix', core.DenseMatrix, { from: [rows] }),
    ...methods('DenseMatrix', dense, { ...shared, concat: [dense], assertFinite: [], toFloat32: [] }, () => [
      ...dense.values,
    ]),
    maker('SparseMatrix', core.SparseMatrix, [1, 2, Float64Array.of(0, 1), Uint32Array.of(1), Float32Array.of(1)]),
    ...methods('SparseMatrix', core.SparseMatrix, { from: [[[[0, 1]]], 4] }),
    ...methods('SparseMatrix', sparse, { ...shared, concat: [sparse] }, () => [...sparse.values]),
    maker('LabelMatrix', core.LabelMatrix, [1, 2, Float64Array.of(0, 1), Uint32Array.of(1)]),
    ...methods('LabelMatrix', core.LabelMatrix, { from: [[[0, 1]], 4] }),
    ...methods(
      'LabelMatrix',
      labels,
      { row: [0], slice: [0, 2], select: [[0, 1]], transpose: [], concat: [labels], counts: [] },
      () => [...labels.indices],
    ),
    maker('TextRows', core.TextRows, [texts]),
    ...methods('TextRows', new core.TextRows(texts), { row: [0], slice: [0, 2] }),
  ]
}

export function measureCalls(): Call[] {
  const at = [labels, ranked, 1]
  const propensities = new Float64Array(2).fill(0.5)
  return [
    ...functions(
      {
        ...{ precisionAt: at, recallAt: at, ndcgAt: at, coverageAt: at },
        ...{ propensityPrecisionAt: [...at, propensities], propensityNdcgAt: [...at, propensities] },
        ...{ labelPropensities: [labels, options], labelReport: [labels, labels], setMeasures: [labels, labels] },
        ...{ evaluate: [labels, ranked, labels, options], riskCoverage: [[0.5, 0.2], () => true] },
        ...{ chooseThresholds: ['f1', ranked, labels, options], applyThresholds: [ranked, { single: 0.5 }, 2, true] },
        ...{ neighborRecall: [found, found, 1], neighborRecallByDistance: [found, found, 1, options] },
        ...{
          entropyReduction: [0.5, 0.5],
          constantAccuracy: [[1, 2]],
          isBetter: ['p@1', 1, 2],
          checkMetricName: ['p@1'],
        },
      },
      core,
    ),
    maker('ProgressiveValidation', core.ProgressiveValidation, []),
    ...methods('ProgressiveValidation', new core.ProgressiveValidation(), { add: [1] }),
  ]
}
