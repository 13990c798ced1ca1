// How `vicinal evaluate` prints what it measured: as text for people, as an object for programs.

import {
  type ClassifierEvaluation,
  type Dataset,
  type LabelReport,
  type Metrics,
  metricNames,
  type NamedLabel,
  type Vocabulary,
} from '@vicinal/core'
import { labelText } from '../terminal/label-text.ts'
import { formatBytes, formatCount, formatCountOf, formatNumber } from '../terminal/quantity.ts'
import { formatTable, oneLine } from '../terminal/table.ts'
import type { UsedColumns } from './columns-used.ts'

export interface Evaluated {
  /** The model file. */
  readonly path: string
  readonly method: string
  readonly columns: UsedColumns
  /** How many the model knows. */
  readonly labels: number
  readonly dataset: Dataset
  /** The names of labels: those in the data, otherwise those in the model. */
  readonly vocabulary: Vocabulary | undefined
  readonly result: ClassifierEvaluation
  readonly cost: { readonly threads: number; readonly modelBytes: number; readonly peakRssBytes: number }
}

const cuts = [1, 3, 5] as const
const listed = 10
const longestName = 50

export function evaluationJson(evaluated: Evaluated, perLabel?: readonly LabelReport[]): object {
  const { method, columns, labels, dataset, result, cost } = evaluated
  const { labelNames } = result.truth
  return {
    n: dataset.rows,
    labels,
    method,
    columns,
    metrics: Object.fromEntries(metricNames.map(name => [name, result.metrics[name] ?? null])),
    cost: { predictMillisPerItem: result.millisPerItem, ...cost },
    ...(perLabel && {
      perLabel: perLabel.map(report => ({
        ...report,
        ...namedLabel(labelNames[report.label]!, evaluated.vocabulary),
      })),
    }),
  }
}

export function formatEvaluation(evaluated: Evaluated, perLabel: readonly LabelReport[] = []): string {
  const { path, method, labels, dataset, result, cost } = evaluated
  const facts = [
    ['model', `${method}, ${formatCountOf(labels, 'label')}, ${formatBytes(cost.modelBytes)}`],
    ['data', `${dataset.name}, ${formatCountOf(dataset.rows, 'row')}`],
    ['time', `${formatNumber(result.millisPerItem)} ms per row with ${formatCountOf(cost.threads, 'thread')}`],
    ['memory', `${formatBytes(cost.peakRssBytes)} at most`],
  ]
  const ranked = (['p', 'ndcg', 'psp'] as const).map(name => [
    name,
    ...cuts.map(k => fraction(result.metrics[`${name}@${k}`])),
  ])
  return [
    `${oneLine(path)}\n${formatTable(facts)}`,
    `ranked labels\n${formatTable([['at', ...cuts.map(String)], ...ranked], ['left', 'right', 'right', 'right'])}`,
    `sets of labels\n${formatTable(setRows(result.metrics), ['left', 'right'])}`,
    ...labelSections(perLabel, label => namedLabel(result.truth.labelNames[label]!, evaluated.vocabulary)),
  ].join('\n')
}

/** The measures that have no cut. */
function setRows(metrics: Metrics): string[][] {
  const sets = Object.entries(metrics).filter(([name]) => !name.includes('@'))
  return sets.map(([name, value]) => [name, fraction(value)])
}

function labelSections(perLabel: readonly LabelReport[], named: (label: number) => NamedLabel): string[] {
  const occurring = perLabel.filter(({ support }) => support > 0)
  if (occurring.length === 0) return []
  const best = sortLabels(occurring, (a, b) => b.f1 - a.f1)
  const worst = sortLabels(best.slice(listed), (a, b) => a.f1 - b.f1)
  return [
    labelSection('best labels', best.slice(0, listed), named),
    ...(worst.length > 0 ? [labelSection('worst labels', worst.slice(0, listed), named)] : []),
  ]
}

/** Among equals the more frequent label first: it matters more. */
function sortLabels(reports: LabelReport[], order: (a: LabelReport, b: LabelReport) => number): LabelReport[] {
  return [...reports].sort((a, b) => order(a, b) || b.support - a.support || a.label - b.label)
}

function labelSection(title: string, reports: readonly LabelReport[], named: (label: number) => NamedLabel): string {
  const rows = reports.map(({ label, support, predicted, precision, recall, f1 }) => {
    const rates = [f1, precision, recall].map(fraction)
    return [...rates, formatCount(support), formatCount(predicted), labelText(named(label), longestName)]
  })
  const heads = ['f1', 'precision', 'recall', 'rows', 'predicted', 'label']
  return `${title}\n${formatTable([heads, ...rows], ['right', 'right', 'right', 'right', 'right'])}`
}

function namedLabel(label: string, vocabulary: Vocabulary | undefined): NamedLabel {
  return vocabulary?.named(label) ?? { label }
}

function fraction(value: number | undefined): string {
  return value === undefined ? '–' : value.toFixed(4)
}
