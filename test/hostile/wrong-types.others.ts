// Every public call that is about no single part, with arguments it takes.

import { join } from 'node:path'
import * as inspect from '@vicinal/core/inspect'
import { vectorKernels } from '@vicinal/core/internals'
import * as margin from '@vicinal/core/margin'
import * as core from './core-names.ts'
import {
  type Call,
  dataset,
  dense,
  found,
  functions,
  gap,
  items,
  maker,
  methods,
  Options,
  options,
  rows,
  texts,
} from './wrong-types.call.ts'

export async function otherCalls(folder: string): Promise<Call[]> {
  const random = new core.Random(1)
  const pipeline = core.TextPipeline.fit(texts)
  const index = await core.ExactIndex.fit(rows)
  const opened = { kind: core.findIndexKind('exact'), index, options: {}, buildSeconds: 0 }
  const path = join(folder, 'ExactIndex.index')
  const classifier = await core.LcifClassifier.fit(items, { weighting: 'none' })
  const engine = new core.Engine({ maxBytes: 2 ** 20 })
  const plot = { x: { label: 'x' }, y: { label: 'y' }, series: [{ name: 'one', points: [[0, 1] as const] }] }
  const leaf = { rows: 1, labels: [{ label: 'odd', rows: 1 }] }
  return [
    maker('Random', core.Random, [1, 2]),
    ...methods('Random', core.Random, { fromState: [[1, 2, 3, 4]] }),
    ...methods('Random', random, {
      state: [],
      fork: [],
      uint32: [],
      float: [],
      below: [5],
      normal: [],
      shuffle: [[1, 2]],
      sample: [5, 2],
    }),
    maker('Engine', core.Engine, [new Options({ maxBytes: 2 ** 20 }), undefined]),
    ...methods('Engine', engine, {
      lease: [],
      pool: [1],
      kernels: [vectorKernels],
      exactKernels: [vectorKernels],
      close: [],
    }),
    maker('EngineError', core.EngineError, ['BAD_DATA', 'message', {}]),
    ...methods('TextPipeline', core.TextPipeline, {
      fit: [texts, options],
      fitTransform: [texts, options],
      fitInTurns: [texts, options],
      hashing: [options],
      fromState: [pipeline.state()],
    }),
    ...methods(
      'TextPipeline',
      pipeline,
      { transform: ['word1'], transformBatch: [texts], featureName: [0], featureNames: [], state: [] },
      () => pipeline.transform('word1'),
    ),
    ...functions(
      {
        ...{
          alignLabels: [dataset, ['even', 'odd']],
          checkDataset: [dataset],
          selectRows: [dataset, [0, 1]],
          itemsOf: [dataset, classifier],
        },
        ...{
          checkOptions: [{}, core.optionTable({})],
          throwIfAborted: [undefined],
        },
        ...{
          defaultEngine: [],
          defaultIndexKind: ['dense'],
          findIndexKind: ['exact', 'dense'],
          findMethod: ['lcif'],
          findStemmer: ['none'],
        },
        ...{ indexKinds: [], methodNames: [], layoutOf: [dense], requireVectors: [dense, 'dense', 'it', 'them'] },
        ...{
          evaluateClassifier: [classifier, items, options],
          measureCurve: [index, dense, new Options({ truth: found, k: 1 })],
        },
        ...{
          keptTruth: [path, opened, dense, options],
          paretoFront: [[{ recall: 1, microsPerQuery: 1, candidates: 1, options: {} }]],
        },
        saveIndex: [join(folder, 'saved'), opened, new Options({ overwrite: true })],
        ...{
          registerIndexKind: [core.findIndexKind('exact')],
          registerMethod: [core.findMethod('lcif')],
          registerStemmer: [core.findStemmer('none')],
        },
      },
      core,
    ),
    ...functions(
      {
        ...{ mapLabels: [classifier, options], measureQuality: [classifier, items, options] },
        ...{ measureIndex: [opened, options], storedItem: [index, 0], searchLike: [index, 0, {}] },
        ...{ svgPlot: [plot, options], treeSvg: [leaf, options], treeText: [leaf, options] },
      },
      inspect,
    ),
    ...functions({ condense: [items, options], metricFault: [gap, [1, 2], options] }, margin),
  ]
}
