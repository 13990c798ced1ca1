// Operations that look into a model: quality, a map of its labels, pictures of its trees.

import { EngineError, ForestClassifier, type LabeledItems } from '@vicinal/core'
import { treeSvg } from '@vicinal/core/inspect'
import { z } from 'zod'
import { named } from './insight/named-labels.ts'
import { operation } from './operation.ts'
import { labeledItem, language, nothing, wholeText } from './schemas.ts'

const share = z.number()

const quality = z.strictObject({
  n: z.number().describe('How many items it was measured on.'),
  at: z.number().describe('In milliseconds since 1970.'),
  source: z.string().describe("The name of the file with the items, or 'request'."),
  metrics: z.record(z.string(), z.number()),
  pspMissing: z.string().optional().describe('Why the psp metrics are missing.'),
  millisPerItem: z.number(),
  modelBytes: z.number(),
  rows: z.number().describe('Training rows of the model.'),
  perLabel: z.array(
    z.strictObject({
      ...{ label: z.string(), name: z.string().optional() },
      ...{ support: z.number(), predicted: z.number(), correct: z.number() },
      ...{ precision: share, recall: share, f1: share },
    }),
  ),
  reliability: z
    .array(
      z.strictObject({
        ...{ from: z.number(), to: z.number(), count: z.number(), meanScore: z.number(), right: share },
      }),
    )
    .describe('The first five suggestions of each item by score, and the share of them that is right.'),
})

export const evaluateModel = operation({
  ...{ kind: 'model', name: 'evaluate', access: 'read', verb: 'post', path: '/evaluate' },
  summary: 'Measure the model on labeled items: precision, F1 and more, in all, per label and per score.',
  input: z.strictObject({ items: z.array(labeledItem).min(1).max(100_000) }),
  output: quality,
  // Of one kind: the model says if one is the wrong one.
  run: ({ insight }, { items }, signal) => insight.measure(items as LabeledItems, 'request', signal),
})

export const qualityOfModel = operation({
  ...{ kind: 'model', name: 'quality', access: 'read', verb: 'get', path: '/quality' },
  summary: 'What was measured last of the model; null if nothing was.',
  input: nothing,
  output: z.strictObject({ quality: quality.nullable() }),
  run({ insight }) {
    if (insight.failure !== undefined) throw insight.failure
    return { quality: insight.quality ?? null }
  },
})

export const mapOfModel = operation({
  ...{ kind: 'model', name: 'map', access: 'read', verb: 'get', path: '/map' },
  summary: 'The most frequent labels in two dimensions, similar ones near each other.',
  input: z.strictObject({ limit: wholeText(1, 1000, 300).describe('How many labels at most.'), language }),
  output: z.strictObject({
    points: z.array(
      z.strictObject({
        ...{ label: z.string(), name: z.string().optional(), rows: z.number() },
        ...{ x: z.number().describe('From −1 to 1.'), y: z.number() },
      }),
    ),
    labels: z.number().describe('How many labels the model has.'),
  }),
  run: async ({ model, insight }, { limit, language }) => ({
    points: named(model, await insight.map(limit), language),
    labels: model.labelNames.length,
  }),
})

export const treeOfModel = operation({
  ...{ kind: 'model', name: 'tree', access: 'read', verb: 'get', path: '/tree' },
  summary: 'A picture of one tree, if the model is a forest.',
  input: z.strictObject({
    tree: wholeText(0, 2 ** 32 - 1, 0).describe('The first is 0.'),
    levels: wholeText(1, 12, 4).describe('Levels to show.'),
  }),
  output: z.strictObject({ tree: z.number(), trees: z.number(), svg: z.string().describe('The picture, as SVG.') }),
  run({ name, model }, { tree, levels }) {
    if (!(model instanceof ForestClassifier)) {
      throw new EngineError('UNSUPPORTED', `${name} is a model of the method ${model.method}, which has no trees`, {
        hint: 'Train one with the method gpt or forest.',
      })
    }
    const svg = treeSvg(model.describeTree(tree), { title: `Tree ${tree} of ${name}`, mostLevels: levels })
    return { tree, trees: model.trees, svg }
  },
})
