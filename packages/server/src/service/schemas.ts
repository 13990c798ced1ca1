// The shapes that several operations share, as they travel in JSON. What a shape cannot say, such as the size of a vector, the engine checks.

import type { Json } from '@vicinal/core'
import { z } from 'zod'

export const id = z.union([z.string().max(1024), z.number()]).describe('Your key of the item: a text or a number.')

export const vector = z.array(z.number()).min(1).max(65_536).describe('A vector of numbers.')

export const text = z.string().max(10_000_000)

const sparse = z.strictObject({ indices: z.array(z.number()), values: z.array(z.number()) })

export const memoryKey = z
  .union([text, vector, sparse])
  .describe('What to remember by: a text, a vector, or a sparse vector.')

/** Texts and vectors as classifiers take them. */
export const item = z
  .union([z.strictObject({ text }), z.strictObject({ vector })])
  .describe('A text, if the model was trained on texts, else a vector.')

export const top = z.number().int().min(1).max(1000).default(5).describe('How many labels at most.')

export const k = z.number().int().min(1).max(1000).default(10).describe('How many at most, best first.')

export const offset = z.number().int().min(0).max(1_000_000_000).default(0).describe('How many to skip.')

export const limit = z.number().int().min(0).max(1000).default(100).describe('How many at most.')

/** A number in a query string is a text. */
export const limitText = wholeText(0, 1000, 100).describe('How many at most.')

/** What was parsed from JSON is JSON. */
export const json = z.custom<Json>(() => true).describe('Anything that JSON can hold.')

export const metadata = z.record(z.string(), json).describe('Any JSON object.')

export const nothing = z.strictObject({})

export const language = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .describe("The language of names, if the model's vocabulary has several.")

const labelNames = z.array(z.string().min(1).max(4096)).max(10_000).describe('The right labels.')

export const labeledItem = z.union([
  z.strictObject({ text, labels: labelNames }),
  z.strictObject({ vector, labels: labelNames }),
])

const rightLabels = z
  .array(z.string().min(1).max(4096))
  .max(10_000)
  .optional()
  .describe(
    'All right labels, by id or name; [] if no label fits. Unknown ones become new labels. Without it the model is not taught the item.',
  )
const rejected = z
  .array(z.string().min(1).max(4096))
  .max(10_000)
  .optional()
  .describe('Wrong labels: they are not suggested for this item any more.')

/** What `learn` takes. */
export const correctedItem = z.union([
  z.strictObject({ text, labels: rightLabels, rejected }),
  z.strictObject({ vector, labels: rightLabels, rejected }),
])

/** A whole number in a query string. An empty text is no number, though JavaScript reads it as 0. */
export function wholeText(least: number, most: number, usual: number) {
  const whole = z.coerce.number<string | number>().int().min(least).max(most)
  return z.string().trim().min(1, 'expected a number').or(z.number()).pipe(whole).default(usual)
}
