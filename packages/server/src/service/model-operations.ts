// The operations of a classifier: answers and corrections.

import { ForestClassifier } from '@vicinal/core'
import { z } from 'zod'
import type { PlainItem } from './corrections.ts'
import { labelIds, type NamedLabel, named } from './insight/named-labels.ts'
import { operation } from './operation.ts'
import { correctedItem, item, language, limitText, nothing, text, top, vector } from './schemas.ts'
import { explanation, label, modelDescription } from './shapes/answers.ts'
import { suggest, suggestMany } from './suggest.ts'

const thresholded = z
  .boolean()
  .default(false)
  .describe("Only labels that pass the model's threshold; the best one always stays.")

const labelAsked = z.string().optional().describe('Its id or its name. Default: the best label.')

const corrected = z.strictObject({
  id: z.string(),
  item: z.union([z.looseObject({ text }), z.looseObject({ vector: z.array(z.number()) })]),
  labels: z
    .array(z.string())
    .optional()
    .describe('Absent if only labels were rejected: then the model was not taught.'),
  rejected: z.array(z.string()).optional().describe('Not suggested for this item any more.'),
  at: z.number().describe('In milliseconds since 1970.'),
  refused: z.string().optional().describe('Why the model as it is now could not learn it.'),
})

export const describeModel = operation({
  ...{ kind: 'model', name: 'describe', access: 'read', verb: 'get', path: '' },
  summary: 'What the model is: its method, options, labels and size.',
  input: nothing,
  output: modelDescription,
  run: ({ name, model, corrections, insight, bytes, modifiedAt }) => ({
    ...{ kind: 'model', name, method: model.method, options: model.options },
    ...{ rows: model.rows, labels: model.labelNames.length, takesTexts: model.takesTexts },
    ...{ corrections: corrections.count, bytes, modifiedAt: Math.max(modifiedAt, corrections.changedAt) },
    ...{ quality: insight.quality !== undefined },
    ...(model instanceof ForestClassifier && { trees: model.trees }),
    ...(model.vocabulary && { language: model.vocabulary.language, languages: model.vocabulary.languages }),
  }),
})

export const predict = operation({
  ...{ kind: 'model', name: 'predict', access: 'read', verb: 'post', path: '/predict' },
  summary: 'Suggest labels for one item, best first.',
  input: z.union([
    z.strictObject({ text, top, thresholded, language, explain: z.boolean().default(false).describe('With reasons.') }),
    z.strictObject({ vector, top, thresholded, language, explain: z.boolean().default(false) }),
  ]),
  output: z.strictObject({ labels: z.array(label) }),
  run(served, { top, thresholded, explain, language, ...item }) {
    const { model } = served
    const labels = named(model, suggest(served, item, { top, thresholded, explain }), language)
    const inLanguage = (because: NamedLabel | undefined) => because && named(model, [because], language)[0]
    return { labels: labels.map(one => ({ ...one, ...('because' in one && { because: inLanguage(one.because) }) })) }
  },
})

export const predictBatch = operation({
  ...{ kind: 'model', name: 'predictBatch', access: 'read', verb: 'post', path: '/predict-batch' },
  summary: 'Suggest labels for many items.',
  input: z.strictObject({ items: z.array(item).min(1).max(10_000), top, thresholded, language }),
  output: z.strictObject({ predictions: z.array(z.strictObject({ labels: z.array(label) })) }),
  async run(served, { items, language, ...options }, signal) {
    const batch = await suggestMany(served, items, { ...options, signal })
    return { predictions: batch.map(labels => ({ labels: named(served.model, labels, language) })) }
  },
})

export const explain = operation({
  ...{ kind: 'model', name: 'explain', access: 'read', verb: 'post', path: '/explain' },
  summary: 'Why an item gets a label: the neighbors and features that support it.',
  input: z.union([
    z.strictObject({ text, label: labelAsked, language }),
    z.strictObject({ vector, label: labelAsked, language }),
  ]),
  output: explanation,
  run: ({ model }, { label, language, ...item }) => ({ ...named(model, [model.explain(item, label)], language)[0] }),
})

export const labels = operation({
  ...{ kind: 'model', name: 'labels', access: 'read', verb: 'get', path: '/labels' },
  summary:
    'The labels that the model knows, most frequent first; with `search`, those whose id or name contains it, exact matches first.',
  input: z.strictObject({ search: z.string().max(1024).default(''), limit: limitText, language }),
  output: z.strictObject({ labels: z.array(z.looseObject({ label: z.string(), rows: z.number() })) }),
  run({ model }, { search, limit, language }) {
    const counts = model.labelCounts()
    const wanted = search.toLocaleLowerCase()
    const all = model.labelNames.map((label, i) => ({ label, rows: counts[i] ?? 0 }))
    const found = named(model, all, language).flatMap(one => {
      const nearness = Math.max(...wordsOf(one).map(word => nearnessOf(word, wanted)))
      return nearness > 0 ? [{ one, nearness }] : []
    })
    found.sort((a, b) => b.nearness - a.nearness || b.one.rows - a.one.rows)
    return { labels: found.slice(0, limit).map(({ one }) => one) }
  },
})

export const learn = operation({
  ...{ kind: 'model', name: 'learn', access: 'write', verb: 'post', path: '/learn' },
  summary:
    'Teach the model the right labels of items, and which are wrong: all, or none if one is refused. Takes effect at once, and is on disk when this is answered.',
  input: z.strictObject({ items: z.array(correctedItem).min(1).max(1000) }),
  output: z.strictObject({ corrections: z.array(corrected) }),
  async run({ model, corrections }, { items }) {
    const ids = labelIds(model)
    const corrected = items.map(({ labels, rejected, ...item }) => ({
      item: item as PlainItem,
      ...(labels && { labels: labels.map(ids) }),
      ...(rejected?.length && { rejected: rejected.map(ids) }),
    }))
    return { corrections: await corrections.learn(corrected) }
  },
})

export const listCorrections = operation({
  ...{ kind: 'model', name: 'corrections', access: 'read', verb: 'get', path: '/corrections' },
  summary: 'What people have corrected, oldest first.',
  input: nothing,
  output: z.strictObject({ corrections: z.array(corrected) }),
  run: ({ corrections }) => ({ corrections: corrections.list() }),
})

export const undoCorrection = operation({
  ...{ kind: 'model', name: 'undoCorrection', access: 'write', verb: 'delete', path: '/corrections/{id}' },
  summary: 'Undo a correction.',
  input: z.strictObject({ id: z.string().max(100) }),
  output: z.strictObject({ undone: corrected }),
  run: async ({ corrections }, { id }) => ({ undone: await corrections.undo(id) }),
})

/** 0 if the word does not contain what is wanted. The word itself counts most: '…/p12' is also the beginning of '…/p123'. */
function nearnessOf(word: string, wanted: string): number {
  return word === wanted ? 3 : word.startsWith(wanted) ? 2 : Number(word.includes(wanted))
}

/** The texts by which a label is found. */
function wordsOf({ label, name = '' }: NamedLabel): string[] {
  return [label, name].map(word => word.toLocaleLowerCase())
}
