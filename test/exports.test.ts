// What `import … from 'vicinal'` offers is a promise: a change here is a decision, not an update.

import * as core from '@vicinal/core'
import * as data from '@vicinal/core/data'
import * as kernels from '@vicinal/core/kernels'
import * as margin from '@vicinal/core/margin'
import * as memory from '@vicinal/core/memory'
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
      "ProgressiveValidation",
      "Random",
      "SparseForestIndex",
      "SparseMatrix",
      "TextPipeline",
      "TextRows",
      "algorithms",
      "alignLabels",
      "applyThresholds",
      "checkDataset",
      "checkMetricName",
      "checkOptions",
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
      "exactSearchKernels",
      "findIndexKind",
      "findMethod",
      "findStemmer",
      "forestClassifierDefaults",
      "forestDefaults",
      "forestKernels",
      "forestLabelKernels",
      "growerNames",
      "indexKinds",
      "inspectModel",
      "isBetter",
      "itemsOf",
      "keptTruth",
      "labelKernels",
      "labelPropensities",
      "labelReport",
      "layoutOf",
      "lcifDefaults",
      "lcifPaperGrid",
      "loadClassifier",
      "loadIndex",
      "measureCurve",
      "methodNames",
      "metricDirections",
      "metricNames",
      "ndcgAt",
      "neighborRecall",
      "neighborRecallByDistance",
      "optionTable",
      "packStrings",
      "paretoFront",
      "precisionAt",
      "propensityDefaults",
      "propensityNdcgAt",
      "propensityPrecisionAt",
      "readModel",
      "recallAt",
      "registerIndexKind",
      "registerMethod",
      "registerStemmer",
      "removedRow",
      "requireVectors",
      "riskCoverage",
      "ruleNames",
      "saveIndex",
      "selectRows",
      "setMeasures",
      "sparseForestDefaults",
      "sparseKernels",
      "tensor1d",
      "textDefaults",
      "thresholdDefaults",
      "thresholdKinds",
      "throwIfAborted",
      "treeKernels",
      "unknownOption",
      "unpackStrings",
      "writeAtomically",
      "writeModel",
    ]
  `)
})

it('core/data exports these names', () => {
  expect(Object.keys(data).sort()).toMatchInlineSnapshot(`
    [
      "RecordReader",
      "checkUnpacked",
      "detectFormat",
      "findFormat",
      "formatNames",
      "formatsByExtension",
      "maxUnpacked",
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

it('core/memory exports these names', () => {
  expect(Object.keys(memory).sort()).toMatchInlineSnapshot(`
    [
      "MemoryClassifier",
      "MemoryTree",
      "checkReplay",
      "logisticLearner",
      "memoryClassifierDefaults",
      "memoryDefaults",
      "memoryKernels",
      "memoryMethod",
      "queryDefaults",
      "replayMemory",
      "squaredLearner",
    ]
  `)
})

it('core/kernels exports these names', () => {
  expect(Object.keys(kernels)).toEqual(['vectorKernels'])
})

it('core/margin exports these names', () => {
  expect(Object.keys(margin).sort()).toEqual([
    ...['MarginClassifier', 'NetIndex', 'condense', 'marginDefaults', 'marginMethod'],
    ...['metricFault', 'netKind', 'netMetrics'],
  ])
})

it('vicinal exports what core does, and plots', () => {
  const plots = ['svgPlot', 'treeSvg', 'treeText']
  const parts = [core, data, kernels, margin, memory].flatMap(part => Object.keys(part))
  expect(Object.keys(vicinal).sort()).toEqual([...parts, ...plots].sort())
})
