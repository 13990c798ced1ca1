// The labels of a data set in a model's numbering. Labels are matched by id, because a test file has its own numbering
// and may contain labels that the model has never seen.

import { checkDataset, type Dataset } from '../data/dataset.ts'
import { EngineError } from '../errors.ts'
import { LabelMatrix } from '../matrix/label-matrix.ts'
import { checkTexts } from '../options.ts'
import { labelsHint } from './training-data.ts'

/** The labels of a data set in the numbering of a model. */
export interface AlignedLabels {
  /** The labels of each row. Labels that the model does not know come after the model's. */
  readonly labels: LabelMatrix
  /** One name per column. */
  readonly labelNames: readonly string[]
  /** How many of the labels in the data are unknown to the model. */
  readonly unknown: number
}

/** Renumbers the labels of `dataset`: column i is `labelNames[i]`. Data without any known label is refused. */
export function alignLabels(dataset: Dataset, labelNames: readonly string[]): AlignedLabels {
  const { labels } = checkDataset(dataset)
  checkTexts('labelNames', labelNames)
  if (!labels || labels.entries === 0) throw noLabels(dataset)
  const numbers = new Map(labelNames.map((name, number) => [name, number]))
  const nameOf = (label: number) => dataset.labelNames?.[label] ?? String(label)
  const numberOf = new Map<number, number>()
  for (const label of labels.indices) {
    if (numberOf.has(label)) continue
    const name = nameOf(label)
    if (!numbers.has(name)) numbers.set(name, numbers.size)
    numberOf.set(label, numbers.get(name)!)
  }
  const unknown = numbers.size - labelNames.length
  if (unknown === numberOf.size) throw noneKnown(dataset.name, unknown, nameOf(labels.indices[0]!), labelNames)
  const rows = Array.from({ length: labels.rows }, (_, row) => labels.row(row).map(label => numberOf.get(label)!))
  return { labels: LabelMatrix.from(rows, numbers.size), labelNames: [...numbers.keys()], unknown }
}

function noLabels(dataset: Dataset): EngineError {
  return new EngineError('EMPTY_DATA', `${dataset.name} has no labels`, { hint: labelsHint(dataset) })
}

function noneKnown(name: string, unknown: number, example: string, labelNames: readonly string[]): EngineError {
  const given = `the model knows none of the ${unknown} labels of ${name}`
  return new EngineError(
    'BAD_DATA',
    `${given}: "${example}" does not match any of its labels, such as "${labelNames[0]}"`,
    {
      hint: 'If the model has ids and the data has names, or the other way round, pass the file that maps them as `vocabulary`.',
    },
  )
}
