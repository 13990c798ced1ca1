// The shapes that several operations share, as they travel in JSON. What a shape cannot say, such as the size of a vector, the engine checks.

import type { Json } from '@vicinal/core'
import { z } from 'zod'

export const id = z.union([z.string().max(1024), z.number()]).describe('Your key of the item: a text or a number.')

export const vector = z.array(z.number()).min(1).max(65_536).describe('A vector of numbers.')

export const text = z.string().max(10_000_000)

/** Texts and vectors as classifiers take them. */
export const item = z
  .union([z.strictObject({ text }), z.strictObject({ vector })])
  .describe('A text, if the model was trained on texts, else a vector.')

export const top = z.number().int().min(1).max(1000).default(5).describe('How many labels at most.')

export const k = z.number().int().min(1).max(1000).default(10).describe('How many at most, best first.')

export const offset = z.number().int().min(0).max(1_000_000_000).default(0).describe('How many to skip.')

export const limit = z.number().int().min(0).max(1000).default(100).describe('How many at most.')

/** A number in a query string is a text. */
export const limitText = z.coerce.number().int().min(0).max(1000).default(100).describe('How many at most.')

/** What was parsed from JSON is JSON. */
export const json = z.custom<Json>(() => true).describe('Anything that JSON can hold.')

export const metadata = z.record(z.string(), json).describe('Any JSON object.')

/** Answers of the engine: their shape is pinned by its own types, and may grow. */
export const answer = z.looseObject({})

export const label = z.looseObject({ label: z.string(), score: z.number() }).describe('A suggested label.')

export const nothing = z.strictObject({})
