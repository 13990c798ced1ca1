// What `import … from 'vicinal'` offers is a promise: a change here is a decision, not an update.

import * as core from '@vicinal/core'
import * as collection from '@vicinal/core/collection'
import * as data from '@vicinal/core/data'
import * as internals from '@vicinal/core/internals'
import * as margin from '@vicinal/core/margin'
import * as memory from '@vicinal/core/memory'
import * as server from '@vicinal/server'
import * as http from '@vicinal/server/http'
import * as mcp from '@vicinal/server/mcp'
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
      "Vocabulary",
      "applyThresholds",
      "chooseThresholds",
      "constantAccuracy",
      "coverageAt",
      "defaultEngine",
      "entropyReduction",
      "errorTable",
      "evaluate",
      "evaluateClassifier",
      "findIndexKind",
      "findMethod",
      "forestClassifierDefaults",
      "forestDefaults",
      "indexKinds",
      "inspectModel",
      "labelPropensities",
      "labelReport",
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
      "paretoFront",
      "precisionAt",
      "propensityDefaults",
      "propensityNdcgAt",
      "propensityPrecisionAt",
      "recallAt",
      "registerIndexKind",
      "registerMethod",
      "registerStemmer",
      "removedRow",
      "riskCoverage",
      "selectRows",
      "setMeasures",
      "sparseForestDefaults",
      "textDefaults",
      "thresholdDefaults",
      "vocabularyGaps",
    ]
  `)
})

it('core/collection exports these names', () => {
  expect(Object.keys(collection).sort()).toMatchInlineSnapshot(`
    [
      "Collection",
      "collectionDefaults",
    ]
  `)
})

it('core/data exports these names', () => {
  expect(Object.keys(data).sort()).toMatchInlineSnapshot(`
    [
      "formatNames",
      "readDataset",
      "readTextBatches",
      "readVocabulary",
      "registerFormat",
      "registerVocabularyFormat",
      "writableFormatNames",
      "writeDataset",
    ]
  `)
})

it('server exports these names', () => {
  expect(Object.keys(server).sort()).toEqual([
    'CollectionStore',
    'MemoryStore',
    'isCollectionStore',
    'isMemoryStore',
    'storeDefaults',
  ])
})

it('core/memory exports these names', () => {
  expect(Object.keys(memory).sort()).toMatchInlineSnapshot(`
    [
      "MemoryClassifier",
      "MemoryTree",
      "logisticLearner",
      "memoryClassifierDefaults",
      "memoryDefaults",
      "memoryMethod",
      "queryDefaults",
      "replayMemory",
      "squaredLearner",
    ]
  `)
})

it('core/internals exports these names, which may change in any release', () => {
  expect(Object.keys(internals).sort()).toMatchInlineSnapshot(`
    [
      "Pauses",
      "RecordReader",
      "TextIndex",
      "TextRows",
      "algorithms",
      "alignLabels",
      "checkDataset",
      "checkMetricName",
      "checkOptions",
      "checkReplay",
      "checkUnpacked",
      "contentsInTurns",
      "decodeModel",
      "defaultIndexKind",
      "denseMetrics",
      "detectFormat",
      "encodeModel",
      "exactSearchKernels",
      "findFormat",
      "findStemmer",
      "forestKernels",
      "forestLabelKernels",
      "formatsByExtension",
      "growerNames",
      "isBetter",
      "itemsOf",
      "keptTruth",
      "labelKernels",
      "layoutOf",
      "maxUnpacked",
      "memoryKernels",
      "openInput",
      "optionTable",
      "packStrings",
      "readAll",
      "readModel",
      "requireVectors",
      "ruleNames",
      "saveIndex",
      "scanCsv",
      "sparseKernels",
      "tensor1d",
      "textColumnNames",
      "textKernels",
      "thresholdKinds",
      "throwIfAborted",
      "treeKernels",
      "unknownOption",
      "unpackStrings",
      "vectorKernels",
      "writeAtomically",
      "writeModel",
    ]
  `)
})

it('core/margin exports these names', () => {
  expect(Object.keys(margin).sort()).toEqual([
    ...['MarginClassifier', 'NetIndex', 'condense', 'marginDefaults', 'marginMethod'],
    ...['metricFault', 'netKind', 'netMetrics'],
  ])
})

it('vicinal exports what core and the server do, and plots', () => {
  const plots = ['svgPlot', 'treeSvg', 'treeText']
  const parts = [core, collection, data, margin, memory, server].flatMap(part => Object.keys(part))
  expect(Object.keys(vicinal).sort()).toEqual([...parts, ...plots].sort())
})

it('no internal name is public', () => {
  expect(Object.keys(internals).filter(name => name in vicinal)).toEqual([])
})

it('the HTTP service exports these names', () => {
  expect(Object.keys(http).sort()).toMatchInlineSnapshot(`
    [
      "Service",
      "createApp",
      "httpDefaults",
      "operations",
      "readTokens",
      "runServiceThread",
      "serve",
      "serveDefaults",
    ]
  `)
})

it('the MCP server exports these names', () => {
  expect(Object.keys(mcp).sort()).toEqual(['createMcpServer', 'mcpHandler', 'serveMcp'])
})
