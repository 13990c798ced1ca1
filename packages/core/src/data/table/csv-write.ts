// Data sets as CSV: texts or dense numbers, with ids and labels, in columns that are read back as such. If all labels are URIs, the
// columns have Annif's names (document_id, text, subject_uris).

import { EngineError } from '../../errors.ts'
import type { LongWork } from '../../long-work.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { formatFloat32 } from '../bytes/numbers.ts'
import { featuresOf, writeLines } from '../bytes/write-lines.ts'
import type { Dataset } from '../dataset.ts'
import type { Output } from '../format.ts'
import { checkHasColumns, checkLabelNames } from '../write-checks.ts'
import { isKnownColumn } from './columns.ts'

interface Column {
  readonly name: string
  readonly cell: (row: number) => string
}

export async function writeCsv(dataset: Dataset, output: Output, options: LongWork): Promise<void> {
  const columns = [...idColumn(dataset), ...contentColumns(dataset), ...labelColumn(dataset)]
  await output.write(`${columns.map(({ name }) => quoted(name)).join(',')}\n`)
  await writeLines(dataset.rows, row => columns.map(({ cell }) => quoted(cell(row))).join(','), output, options)
}

/** In quotes, if the cell would otherwise end early or lose blanks. */
function quoted(cell: string): string {
  return /[",;\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

function idColumn(dataset: Dataset): Column[] {
  const { ids } = dataset
  if (!ids) return []
  return [{ name: hasUris(dataset) ? 'document_id' : 'id', cell: row => writable(String(ids[row])) }]
}

/** Texts, or else numbers: a table of both would be read as texts alone. */
function contentColumns(dataset: Dataset): Column[] {
  const { texts } = dataset
  if (texts) return [{ name: 'text', cell: row => writable(texts[row]) }]
  const features = featuresOf(dataset, 'csv')
  if (!(features instanceof DenseMatrix)) {
    throw new EngineError('INVALID_OPTION', `${dataset.name} has sparse features, and csv files hold dense ones`, {
      hint: 'Write sparse features as jsonl, svmlight or xmc.',
    })
  }
  checkHasColumns(features, 'csv')
  const names = dataset.featureNames ?? Array.from({ length: features.columns }, (_, i) => `x${i + 1}`)
  checkFeatureNames(names)
  return names.map((name, i) => ({ name, cell: row => formatFloat32(features.row(row)[i]) }))
}

function checkFeatureNames(names: readonly string[]): void {
  const seen = new Set<string>()
  for (const name of names) {
    const isGood = name.trim() === name && name !== '' && !isKnownColumn(name) && !seen.has(name)
    if (!isGood) {
      throw new EngineError(
        'INVALID_OPTION',
        `a feature is called ${JSON.stringify(name)}, which cannot be the name of a csv column`,
        {
          hint: 'Rename it, or drop the feature names.',
        },
      )
    }
    seen.add(writable(name))
  }
}

/**
 * Labels are read back by rules (label-cells.ts), so they are written by the plainest way that these rules understand: one word a
 * cell, several names with `;`, or all in brackets, `<New York> <a;b>`.
 */
function labelColumn(dataset: Dataset): Column[] {
  const { labels, labelNames } = dataset
  if (!labels) return []
  checkLabelNames(
    dataset,
    'csv',
    name => name.trim() === name && name !== '' && !/[<>]/.test(name),
    'Names have no < and >.',
  )
  const names = labelNames ?? Array.from({ length: labels.columns }, (_, label) => String(label))
  for (const name of names) writable(name)
  const join = joinerOf(dataset, names)
  return [
    {
      name: hasUris(dataset) ? 'subject_uris' : 'labels',
      cell: row => join(Array.from(labels.row(row), label => names[label])),
    },
  ]
}

function joinerOf(dataset: Dataset, names: readonly string[]): (labels: readonly string[]) => string {
  const labels = dataset.labels!
  const several = Array.from({ length: labels.rows }, (_, row) => labels.row(row)).some(row => row.length > 1)
  const arePlain = names.every(name => (several ? !name.includes(';') : !/[\s;|,]/.test(name)))
  if (arePlain && !hasUris(dataset)) return labels => labels.join(';')
  return labels => labels.map(label => `<${label}>`).join(' ')
}

function hasUris({ labels, labelNames }: Dataset): boolean {
  return labels !== undefined && labelNames !== undefined && labelNames.length > 0 && labelNames.every(isUri)
}

function isUri(name: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[^\s<>]+$/i.test(name)
}

/** UTF-8 has no place for half a surrogate pair. */
function writable(text: string): string {
  if (!/\p{Surrogate}/u.test(text)) return text
  throw new EngineError('BAD_DATA', `${JSON.stringify(text)} holds half a surrogate pair, which no csv file can hold`)
}
