// What `import … from 'vicinal'` offers is a promise: a change here is a decision, not an update.

import * as core from '@vicinal/core'
import * as data from '@vicinal/core/data'
import * as server from '@vicinal/server'
import * as vicinal from 'vicinal'
import { expect, it } from 'vitest'

it('core exports these names', () => {
  expect(Object.keys(core).sort()).toMatchInlineSnapshot(`
    [
      "DenseMatrix",
      "Engine",
      "EngineError",
      "ExactIndex",
      "ForestClassifier",
      "ForestIndex",
      "InvertedIndex",
      "LabelMatrix",
      "LcifClassifier",
      "MemoryClassifier",
      "MemoryTree",
      "ProgressiveValidation",
      "Random",
      "SparseForestIndex",
      "SparseMatrix",
      "TextPipeline",
      "algorithms",
      "alignLabels",
      "applyThresholds",
      "checkDataset",
      "checkMetricName",
      "chooseThresholds",
      "constantAccuracy",
      "coverageAt",
      "decodeModel",
      "defaultEngine",
      "defaultIndexKind",
      "denseMetrics",
      "encodeModel",
      "entropyReduction",
      "errorTable",
      "evaluate",
      "evaluateClassifier",
      "findIndexKind",
      "findMethod",
      "findStemmer",
      "forestClassifierDefaults",
      "forestDefaults",
      "growerNames",
      "indexKinds",
      "inspectModel",
      "isBetter",
      "itemsOf",
      "keptTruth",
      "labelPropensities",
      "labelReport",
      "layoutOf",
      "lcifDefaults",
      "loadClassifier",
      "loadIndex",
      "logisticLearner",
      "measureCurve",
      "memoryClassifierDefaults",
      "memoryDefaults",
      "methodNames",
      "metricDirections",
      "metricNames",
      "ndcgAt",
      "neighborRecall",
      "neighborRecallByDistance",
      "packStrings",
      "paretoFront",
      "precisionAt",
      "propensityDefaults",
      "propensityNdcgAt",
      "propensityPrecisionAt",
      "queryDefaults",
      "readModel",
      "recallAt",
      "registerStemmer",
      "removedRow",
      "requireVectors",
      "ruleNames",
      "saveIndex",
      "selectRows",
      "setMeasures",
      "sparseForestDefaults",
      "squaredLearner",
      "textDefaults",
      "thresholdDefaults",
      "thresholdKinds",
      "throwIfAborted",
      "unpackStrings",
      "vector",
      "writeAtomically",
      "writeModel",
    ]
  `)
})

it('core/data exports these names', () => {
  expect(Object.keys(data).sort()).toMatchInlineSnapshot(`
    [
      "RecordReader",
      "detectFormat",
      "findFormat",
      "formatNames",
      "formatsByExtension",
      "openInput",
      "readAll",
      "readDataset",
      "readTextBatches",
      "registerFormat",
      "writableFormatNames",
      "writeDataset",
    ]
  `)
})

it('server exports these names', () => {
  expect(Object.keys(server).sort()).toEqual(['MemoryStore', 'isMemoryStore', 'storeDefaults'])
})

it('vicinal exports what core does, and plots', () => {
  const plots = ['svgPlot', 'treeSvg', 'treeText']
  expect(Object.keys(vicinal).sort()).toEqual([...Object.keys(core), ...Object.keys(data), ...plots].sort())
})
