// How `vicinal inspect` prints a data file: as text for people, as an object for programs.

import type { SkippedRow } from '@vicinal/core'
import { countInBins, formatHistogram } from '../terminal/histogram.ts'
import { labelText } from '../terminal/label-text.ts'
import { formatCount, formatCountOf, formatNumber, formatShare } from '../terminal/quantity.ts'
import { formatTable, oneLine, shorten } from '../terminal/table.ts'
import type { DataFacts, FeatureFacts, LabelFacts } from './data-facts.ts'

export interface InspectedData {
  readonly file: string
  /** Absent if the file could be read only once and its format was not named. */
  readonly format: string | undefined
  readonly facts: DataFacts
  readonly skipped: readonly SkippedRow[]
}

const skippedShown = 5
const longestName = 50
const longestMessage = 100
const types = { u8: 'bytes', i32: '32-bit whole numbers', f32: '32-bit floats' } as const

export function dataJson({ file, format, facts, skipped }: InspectedData): object {
  const { rows, hasIds, features, labels, textLengths } = facts
  return {
    file,
    kind: 'data',
    format: format ?? null,
    rows,
    features: features?.columns ?? 0,
    labels: labels?.columns ?? 0,
    entries: features?.entries ?? 0,
    ids: hasIds,
    texts: textLengths?.length ?? 0,
    ...(features && { layout: features.layout, type: features.type, nonZero: features.nonZero }),
    ...(features && { min: features.min, max: features.max }),
    ...(labels && { labelEntries: labels.entries, rowsWithoutLabels: labels.rowsWithout, unusedLabels: labels.unused }),
    ...(labels && { topLabels: labels.top }),
    ...(textLengths && { textCharacters: sum(textLengths) }),
    skipped: skipped.length,
  }
}

export function formatDataReport({ file, format, facts, skipped }: InspectedData): string {
  const { rows, hasIds, features, labels, textLengths } = facts
  const general = [
    ...(format === undefined ? [] : [['format', format]]),
    ['rows', formatCount(rows) + (hasIds ? ', with ids' : '')],
    ...(features ? [['features', featuresLine(features, rows)]] : []),
    ...(features ? [['values', valuesLine(features, rows)]] : []),
    ...(labels ? [['labels', labelsLine(labels, rows)]] : []),
    ...(textLengths ? [['texts', textsLine(textLengths)]] : []),
    ...(skipped.length > 0 ? [['skipped', formatCountOf(skipped.length, 'bad row')]] : []),
  ]
  return [
    section(oneLine(file), formatTable(general)),
    ...(labels ? labelSections(labels, rows) : []),
    ...(textLengths ? histogram('length of texts', textLengths, ['characters', 'texts']) : []),
    ...(skipped.length > 0 ? [section('skipped rows', skippedLines(skipped))] : []),
  ].join('\n')
}

function section(title: string, body: string): string {
  return `${title}\n${body}`
}

function featuresLine({ columns, layout, type, entries }: FeatureFacts, rows: number): string {
  const start = `${formatCount(columns)}, ${layout}`
  if (layout === 'dense') return `${start}, ${types[type]}`
  return `${start}: ${formatCountOf(entries, 'value')}, ${average(entries, rows)} per row`
}

function valuesLine({ min, max, nonZero, columns }: FeatureFacts, rows: number): string {
  return `${formatNumber(min)} to ${formatNumber(max)}, ${formatShare(nonZero, rows * columns)} not zero`
}

function labelsLine({ columns, entries, unused, rowsWithout }: LabelFacts, rows: number): string {
  const parts = [`${formatCount(columns)}: ${average(entries, rows)} per row`]
  if (unused > 0) parts.push(`${formatCount(unused)} never used`)
  if (rowsWithout > 0) parts.push(`${formatCountOf(rowsWithout, 'row')} without labels`)
  return parts.join(', ')
}

function textsLine(lengths: Uint32Array): string {
  return `${average(sum(lengths), lengths.length)} characters on average`
}

function labelSections({ perRow, rowsOfLabel, top }: LabelFacts, rows: number): string[] {
  const lines = top.map(label => {
    return [formatCount(label.rows), formatShare(label.rows, rows), labelText(label, longestName)]
  })
  const heads = ['rows', 'share', 'label']
  return [
    ...histogram('labels per row', perRow, ['labels', 'rows']),
    ...histogram('rows per label', rowsOfLabel, ['rows', 'labels']),
    section('most frequent labels', formatTable([heads, ...lines], ['right', 'right', 'left'])),
  ]
}

/** None if all numbers are the same: a single bar shows nothing. */
function histogram(title: string, numbers: ArrayLike<number>, heads: readonly [string, string]): string[] {
  const bins = countInBins(numbers)
  return bins.length > 1 ? [section(title, formatHistogram(bins, heads))] : []
}

function skippedLines(skipped: readonly SkippedRow[]): string {
  const lines = skipped.slice(0, skippedShown).map(({ message }) => [shorten(message, longestMessage)])
  const rest = skipped.length - lines.length
  return formatTable(rest > 0 ? [...lines, [`and ${formatCount(rest)} more`]] : lines)
}

function average(total: number, count: number): string {
  return formatNumber(count === 0 ? 0 : total / count)
}

function sum(values: Uint32Array): number {
  let total = 0
  for (const value of values) total += value
  return total
}
