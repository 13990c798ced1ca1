// What can be asked of a classifier, and what it can be taught.

import { type Classifier, evaluateClassifier, type Items, type LabeledItems, labelReport } from '@vicinal/core'
import { z } from 'zod'
import type { PlainItem } from './corrections.ts'
import { operation } from './operation.ts'
import { answer, item, label, limitText, nothing, text, top, vector } from './schemas.ts'

const thresholded = z
  .boolean()
  .default(false)
  .describe("Only labels that pass the model's threshold; the best one always stays.")

const language = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .describe("The language of names, if the model's vocabulary has several.")

const labelNames = z.array(z.string().min(1).max(4096)).max(10_000).describe('The right labels.')

const labeledItem = z.union([
  z.strictObject({ text, labels: labelNames }),
  z.strictObject({ vector, labels: labelNames }),
])

const corrected = z.strictObject({
  id: z.string(),
  item: z.union([z.looseObject({ text }), z.looseObject({ vector: z.array(z.number()) })]),
  labels: z.array(z.string()),
  at: z.number().describe('In milliseconds since 1970.'),
  refused: z.string().optional().describe('Why the model as it is now could not learn it.'),
})

export const describeModel = operation({
  ...{ kind: 'model', name: 'describe', access: 'read', verb: 'get', path: '' },
  summary: 'What the model is: its method, options, labels and size.',
  input: nothing,
  output: answer,
  run: ({ name, model, corrections, bytes }) => ({
    ...{ kind: 'model', name, method: model.method, options: model.options },
    ...{ rows: model.rows, labels: model.labelNames.length, takesTexts: model.takesTexts },
    ...{ corrections: corrections.count, bytes },
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
  run({ model }, { top, thresholded, explain, language, ...item }) {
    return { labels: named(model, model.predict(item, { top, thresholded, explain }), language) }
  },
})

export const predictBatch = operation({
  ...{ kind: 'model', name: 'predictBatch', access: 'read', verb: 'post', path: '/predict-batch' },
  summary: 'Suggest labels for many items.',
  input: z.strictObject({ items: z.array(item).min(1).max(10_000), top, thresholded, language }),
  output: z.strictObject({ predictions: z.array(z.strictObject({ labels: z.array(label) })) }),
  async run({ model }, { items, language, ...options }, signal) {
    // Of one kind: the model says if one is the wrong one.
    const batch = await model.predictBatch(items as Items, { ...options, signal })
    return { predictions: Array.from(batch, labels => ({ labels: named(model, labels, language) })) }
  },
})

export const explain = operation({
  ...{ kind: 'model', name: 'explain', access: 'read', verb: 'post', path: '/explain' },
  summary: 'Why an item gets a label: the neighbors and features that spoke for it.',
  input: z.union([
    z.strictObject({ text, label: z.string().optional().describe('Default: the best label.') }),
    z.strictObject({ vector, label: z.string().optional() }),
  ]),
  output: answer,
  run: ({ model }, { label, ...item }) => ({ ...model.explain(item, label) }),
})

export const labels = operation({
  ...{ kind: 'model', name: 'labels', access: 'read', verb: 'get', path: '/labels' },
  summary: 'The labels that the model knows, most frequent first; with `search`, those whose id or name contains it.',
  input: z.strictObject({ search: z.string().max(1024).default(''), limit: limitText, language }),
  output: z.strictObject({ labels: z.array(z.looseObject({ label: z.string(), rows: z.number() })) }),
  run({ model }, { search, limit, language }) {
    const counts = model.labelCounts()
    const wanted = search.toLocaleLowerCase()
    const found = named(
      model,
      model.labelNames.map((label, i) => ({ label, rows: counts[i] ?? 0 })),
      language,
    ).filter(one => wordsOf(one).some(word => word.includes(wanted)))
    const begins = (one: NamedLabel) => Number(wordsOf(one).some(word => word.startsWith(wanted)))
    found.sort((a, b) => begins(b) - begins(a) || b.rows - a.rows)
    return { labels: found.slice(0, limit) }
  },
})

export const learn = operation({
  ...{ kind: 'model', name: 'learn', access: 'write', verb: 'post', path: '/learn' },
  summary: 'Teach the model the right labels of items. It counts at once, and is on disk when this is answered.',
  input: z.strictObject({ items: z.array(labeledItem).min(1).max(1000) }),
  output: z.strictObject({ corrections: z.array(corrected) }),
  async run({ corrections }, { items }) {
    const learned = items.map(({ labels, ...item }) => corrections.learn(item as PlainItem, labels))
    return { corrections: await Promise.all(learned) }
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
  summary: 'Take a correction back.',
  input: z.strictObject({ id: z.string().max(100) }),
  output: z.strictObject({ undone: corrected }),
  run: async ({ corrections }, { id }) => ({ undone: await corrections.undo(id) }),
})

export const evaluateModel = operation({
  ...{ kind: 'model', name: 'evaluate', access: 'read', verb: 'post', path: '/evaluate' },
  summary: 'Measure the model on labeled items: precision, F1 and more, in all and per label.',
  input: z.strictObject({ items: z.array(labeledItem).min(1).max(100_000) }),
  output: answer,
  async run({ model }, { items }, signal) {
    const given = items as LabeledItems // of one kind: the model says if one is the wrong one
    const { metrics, millisPerItem, truth, predicted, pspMissing } = await evaluateClassifier(model, given, { signal })
    const perLabel = labelReport(truth.labels, predicted)
      .filter(({ support, predicted }) => support + predicted > 0)
      .map(report => ({ ...report, label: truth.labelNames[report.label] ?? '' }))
    return {
      ...{ n: items.length, metrics, millisPerItem, perLabel },
      ...(pspMissing !== undefined && { pspMissing }),
    }
  },
})

interface NamedLabel {
  readonly label: string
  readonly name?: string
}

/** Labels with their names in a language. Default: the one that the model answers in. */
function named<Label extends NamedLabel>(
  model: Classifier,
  labels: readonly Label[],
  language?: string,
): (Label & NamedLabel)[] {
  const names = language === undefined ? model.vocabulary : model.vocabulary?.in(language)
  return labels.map(one => {
    const name = names?.nameOf(one.label)
    return name === undefined ? one : { ...one, name }
  })
}

/** What a label can be found by. */
function wordsOf({ label, name = '' }: NamedLabel): string[] {
  return [label, name].map(word => word.toLocaleLowerCase())
}
