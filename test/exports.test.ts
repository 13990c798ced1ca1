// What `import … from 'vicinal'` offers is a promise: a change here is a decision, not an update.

import * as core from '@vicinal/core'
import * as vicinal from 'vicinal'
import { expect, it } from 'vitest'

it('core exports these names', () => {
  expect(Object.keys(core).sort()).toMatchInlineSnapshot(`
    [
      "DenseMatrix",
      "Engine",
      "EngineError",
      "LabelMatrix",
      "LcifClassifier",
      "ProgressiveValidation",
      "Random",
      "RecordReader",
      "SparseMatrix",
      "TextPipeline",
      "alignLabels",
      "checkDataset",
      "checkMetricName",
      "constantAccuracy",
      "coverageAt",
      "decodeModel",
      "defaultEngine",
      "detectFormat",
      "encodeModel",
      "entropyReduction",
      "errorTable",
      "evaluate",
      "evaluateClassifier",
      "findFormat",
      "findMethod",
      "findStemmer",
      "formatNames",
      "formatsByExtension",
      "inspectModel",
      "isBetter",
      "itemsOf",
      "labelPropensities",
      "labelReport",
      "lcifDefaults",
      "loadClassifier",
      "methodNames",
      "metricDirections",
      "metricNames",
      "ndcgAt",
      "neighborRecall",
      "neighborRecallByDistance",
      "openInput",
      "packStrings",
      "precisionAt",
      "propensityDefaults",
      "propensityNdcgAt",
      "propensityPrecisionAt",
      "readAll",
      "readDataset",
      "readModel",
      "readTextBatches",
      "recallAt",
      "registerFormat",
      "registerStemmer",
      "selectRows",
      "setMeasures",
      "textDefaults",
      "throwIfAborted",
      "unpackStrings",
      "vector",
      "writableFormatNames",
      "writeDataset",
      "writeModel",
    ]
  `)
})

it('vicinal exports what core does', () => {
  expect(Object.keys(vicinal).sort()).toEqual(Object.keys(core).sort())
})
