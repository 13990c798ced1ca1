// The shapes of the engine's answers. They are loose: the engine may say more in a later version.

import { z } from 'zod'
import { id, json, memoryKey } from '../schemas.ts'

const anything = z.record(z.string(), json)
const count = z.number().int().min(0)
const millis = z.number().describe('In milliseconds since 1970.')

export const modelDescription = z.looseObject({
  kind: z.literal('model'),
  name: z.string(),
  method: z.string(),
  options: anything,
  rows: count,
  labels: count.describe('How many labels it knows.'),
  takesTexts: z.boolean().describe('Whether items are texts; else they are vectors.'),
  corrections: count,
  bytes: count.describe('Size of its file.'),
  modifiedAt: millis.describe('When the file was written or the last correction was made, in milliseconds since 1970.'),
  language: z.string().optional(),
  languages: z.array(z.string()).optional(),
})

export const indexDescription = z.looseObject({
  kind: z.literal('index'),
  name: z.string(),
  indexKind: z.string(),
  metric: z.string(),
  rows: count,
  options: anything,
  buildSeconds: z.number().nullable(),
})

export const collectionDescription = z.looseObject({
  kind: z.literal('collection'),
  name: z.string(),
  stats: z.looseObject({ documents: count, vectors: count }),
  settings: anything,
})

export const memoryDescription = z.looseObject({
  kind: z.literal('memory'),
  name: z.string(),
  size: count,
  options: anything,
  stats: z.looseObject({ memories: count, rewards: count }),
})

const neighbor = z.looseObject({
  id,
  text: z.string().optional(),
  similarity: z.number(),
  share: z.number().describe('How much of the score it gives.'),
})

export const explanation = z.looseObject({
  label: z.string(),
  name: z.string().optional(),
  score: z.number(),
  neighbors: z.array(neighbor).optional(),
  features: z.array(z.looseObject({ feature: z.union([z.string(), z.number()]), share: z.number() })).optional(),
})

export const label = z
  .looseObject({
    label: z.string(),
    name: z.string().optional().describe('If the model has a vocabulary.'),
    score: z.number(),
    because: explanation.optional().describe('The reasons, if you asked for them.'),
  })
  .describe('A suggested label.')

export const memory = z.looseObject({
  id,
  value: json,
  key: z.union([z.string(), z.array(z.number()), z.looseObject({})]).optional(),
  text: z.string().optional(),
  createdAt: millis,
  reward: z.number().nullable().describe('The mean of its rewards.'),
  rewards: count,
  namespace: z.string().optional(),
})

export const hit = memory.extend({
  score: z.number().describe('The expected reward.'),
  query: z.looseObject({ key: memoryKey }).describe('What was asked, so that a hit can be rewarded as it came.'),
})
