// The queue as a file: all columns that came, and the labels. Decided texts have what was decided; the others what the model
// suggests, without what was rejected.

import { csvOf } from '../files/csv.ts'
import { download } from '../files/download.ts'
import type { QueueRow, TextQueue } from './use-queue.ts'

export function saveQueue(
  model: string,
  queue: Pick<TextQueue, 'table' | 'column' | 'rows'>,
  decided: ReadonlyMap<string, readonly string[]>,
  rejectedOf: (text: string) => ReadonlySet<string>,
  format: 'csv' | 'jsonl',
): void {
  const name = `${(queue.table?.name ?? model).replace(/\.\w+$/, '')}-labels.${format}`
  const rows = queue.rows.map(row => labeledRow(row, queue.column, decided, rejectedOf(row.text)))
  if (format === 'jsonl') {
    download(name, rows.map(row => `${JSON.stringify(row)}\n`).join(''), 'application/x-ndjson')
    return
  }
  download(name, labeledCsv(rows), 'text/csv')
}

export interface LabeledRow {
  readonly [column: string]: unknown
  readonly labels: readonly string[]
  readonly label_source: 'decided' | 'suggested'
}

export function labeledRow(
  row: QueueRow,
  column: string,
  decided: ReadonlyMap<string, readonly string[]>,
  rejected: ReadonlySet<string> = new Set(),
): LabeledRow {
  const labels = decided.get(row.text)
  const suggested = row.labels?.map(({ label }) => label).filter(label => !rejected.has(label))
  return {
    ...row.cells,
    [column]: row.text,
    labels: labels ?? suggested ?? [],
    label_source: labels ? 'decided' : 'suggested',
  }
}

/** Labels of one cell are separated by '; ', which `vicinal train` reads with --label-separator. */
export function labeledCsv(rows: readonly LabeledRow[]): string {
  const columns = [...new Set(rows.flatMap(row => Object.keys(row)))]
  const cell = (value: unknown) =>
    Array.isArray(value)
      ? value.join('; ')
      : typeof value === 'object' && value !== null
        ? JSON.stringify(value)
        : `${value ?? ''}`
  return csvOf([columns, ...rows.map(row => columns.map(column => cell(row[column])))])
}
