// What `import … from 'vicinal'` offers is a promise: a change here is a decision, not an update.

import * as core from '@vicinal/core'
import * as collection from '@vicinal/core/collection'
import * as data from '@vicinal/core/data'
import * as inspect from '@vicinal/core/inspect'
import * as internals from '@vicinal/core/internals'
import * as margin from '@vicinal/core/margin'
import * as memory from '@vicinal/core/memory'
import * as server from '@vicinal/server'
import * as http from '@vicinal/server/http'
import * as mcp from '@vicinal/server/mcp'
import * as operations from '@vicinal/server/operations'
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
    'writeSite',
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
      "abortedError",
      "algorithms",
      "alignLabels",
      "arrayAsLines",
      "checkBoolean",
      "checkDataset",
      "checkFunction",
      "checkMetricName",
      "checkOptions",
      "checkReplay",
      "checkSignal",
      "checkText",
      "checkTexts",
      "checkUnpacked",
      "checkWhole",
      "checkedLater",
      "clausesOf",
      "conditionWords",
      "contentsInTurns",
      "countsRows",
      "decodeModel",
      "defaultIndexKind",
      "denseMetrics",
      "detectFormat",
      "didYouMean",
      "encodeModel",
      "exactSearchKernels",
      "fillOptions",
      "findFormat",
      "findStemmer",
      "forestKernels",
      "forestLabelKernels",
      "formatCount",
      "formatCountOf",
      "formatsByExtension",
      "growerNames",
      "hasLongNumber",
      "isBetter",
      "itemsOf",
      "keptTruth",
      "labelKernels",
      "layoutOf",
      "maxUnpacked",
      "meetsAll",
      "memoryKernels",
      "oneLine",
      "openInput",
      "optionTable",
      "packStrings",
      "quoteLongNumbers",
      "readAll",
      "readLines",
      "readModel",
      "refuse",
      "requireVectors",
      "ruleNames",
      "saveIndex",
      "scanCsv",
      "shorten",
      "shown",
      "sparseKernels",
      "tensor1d",
      "textColumnNames",
      "textKernels",
      "textPlot",
      "thresholdKinds",
      "throwIfAborted",
      "treeDefaults",
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

it('core/inspect exports these names', () => {
  expect(Object.keys(inspect).sort()).toEqual([
    ...['mapLabels', 'measureIndex', 'measureQuality', 'searchLike', 'storedItem'],
    ...['svgPlot', 'treeSvg', 'treeText'],
  ])
})

it('vicinal exports what core and the server do', () => {
  const parts = [core, collection, data, inspect, margin, memory, server].flatMap(part => Object.keys(part))
  expect(Object.keys(vicinal).sort()).toEqual(parts.sort())
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
      "openService",
      "operations",
      "readTokens",
      "runServiceThread",
      "serve",
      "serveDefaults",
    ]
  `)
})

it('the operations without HTTP export these names', () => {
  const serving = ['ServedTable', 'failureOf', 'serveCollection', 'serveIndex', 'serveModel']
  expect(Object.keys(operations).sort()).toEqual(serving)
})

it('the MCP server exports these names', () => {
  expect(Object.keys(mcp).sort()).toEqual(['createMcpServer', 'mcpHandler', 'serveMcp'])
})
