// JSON Lines: one JSON object per line, such as
//   {"id": "b1", "text": "A history of the Baltic Sea", "labels": ["history", "shipping"]}
//   {"labels": ["a"], "vector": [0.5, 1]}    or, sparse,    {"labels": ["a"], "vector": {"indices": [3], "values": [1]}}
// An array of such objects is read too. Annif's corpora (document_id, text, subjects: [{"uri", "label"}]) are of this form. Columns: see columns.ts, records.ts.

import { EngineError } from '../../errors.ts'
import type { LongWork } from '../../long-work.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { type LineBlock, readLines } from '../bytes/lines.ts'
import { formatFloat32 } from '../bytes/numbers.ts'
import { featuresOf, labelsInRows, writeLines, writtenWidth } from '../bytes/write-lines.ts'
import type { Dataset } from '../dataset.ts'
import type { Format, Input, Output, ReadOptions } from '../format.ts'
import { findUntold } from '../rows/untold.ts'
import { checkLabelNames } from '../write-checks.ts'
import { hasLongNumber, quoteLongNumbers } from './exact-numbers.ts'
import { arrayAsLines, beginsLikeArray } from './json-array.ts'
import { findJsonFault } from './json-fault.ts'
import { valueText } from './record-fields.ts'
import { RecordReader } from './record-reader.ts'
import type { FieldRecord } from './records.ts'

export const jsonl: Format = Object.freeze({
  name: 'jsonl',
  title: 'JSON Lines: one object per line with text or vector, labels and id',
  extensions: Object.freeze(['jsonl', 'ndjson']),
  recognize,
  read,
  write,
})

/** The first record's field that tells what the records do not (untold.ts). */
const frontField = 'vicinal'

/** Whether this is text that begins with an object, or with an array of them. */
function recognize(head: Uint8Array): boolean {
  if (head.includes(0)) return false
  const start = new TextDecoder('utf-8', { ignoreBOM: true }).decode(head.subarray(0, 100))
  return /^\ufeff?\s*\{/.test(start) || beginsLikeArray(head)
}

async function read(input: Input, options: ReadOptions): Promise<Dataset> {
  const reader = new RecordReader(input.name, options, frontField)
  for await (const block of readLines(arrayAsLines(input), options)) {
    while (block.next()) {
      if (block.start === block.end) reader.passEmptyLine(block.line)
      else
        reader.take(
          block.line,
          () => parseRecord(block),
          () => parseWorded(block),
        )
    }
  }
  return reader.finish()
}

/** The record on the current line of `block`. */
export function parseRecord(block: LineBlock): FieldRecord {
  const source = block.text()
  const value = parseJson(source, block)
  if (isRecord(value)) return value
  throw block.error(`the line is ${valueText(value)}, expected an object such as {"text": "…", "labels": ["…"]}`)
}

/** As `parseRecord`, with numbers of more than 15 digits as strings; undefined if a line has none. The line is a record. */
export function parseWorded(block: LineBlock): FieldRecord | undefined {
  const source = block.text()
  return hasLongNumber(source) ? JSON.parse(quoteLongNumbers(source)) : undefined
}

function parseJson(source: string, block: LineBlock): unknown {
  try {
    return JSON.parse(source)
  } catch (cause) {
    const before = new TextEncoder().encode(source.slice(0, findJsonFault(source)))
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EngineError('BAD_DATA', `the line is not JSON: ${reason}`, {
      where: block.place(block.start + before.length),
      cause,
      hint: 'Put one complete object on each line. To compact a pretty-printed file, use `jq -c`.',
    })
  }
}

function isRecord(value: unknown): value is FieldRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

async function write(dataset: Dataset, output: Output, options: LongWork): Promise<void> {
  if (!dataset.texts && !dataset.features) {
    throw new EngineError('INVALID_OPTION', `${dataset.name} has neither texts nor features to write`)
  }
  if (dataset.features) featuresOf(dataset, 'jsonl')
  checkLabelNames(dataset, 'jsonl', name => name.trim() !== '')
  const { features } = dataset
  const width = features instanceof SparseMatrix ? writtenWidth(features) : (features?.columns ?? 0)
  const untold = findUntold(dataset, width, labelsInRows(dataset))
  const front = untold ? [`"${frontField}":${JSON.stringify(untold)}`] : []
  const record = (row: number) => recordText(dataset, row, row === 0 ? front : [])
  await writeLines(dataset.rows, record, output, options)
}

/** Row `i` as JSON; numbers are the shortest that read back as the same 32-bit floats. */
function recordText(dataset: Dataset, i: number, front: readonly string[]): string {
  const { ids, texts, labels, features } = dataset
  const fields = [...front]
  if (ids) fields.push(`"id":${JSON.stringify(ids[i])}`)
  if (texts) fields.push(`"text":${JSON.stringify(texts[i])}`)
  if (labels) {
    fields.push(`"labels":${JSON.stringify(Array.from(labels.row(i), label => writtenLabel(dataset, label)))}`)
  }
  if (features instanceof DenseMatrix) fields.push(`"vector":${numberList(features.row(i))}`)
  else if (features) {
    const { indices, values } = features.row(i)
    fields.push(`"vector":{"indices":[${indices.join(',')}],"values":${numberList(values)}}`)
  }
  return `{${fields.join(',')}}`
}

/** A label with a name, as Annif writes it; others by what the data calls them. */
function writtenLabel({ labelNames, vocabulary }: Dataset, label: number): string | number | object {
  const id = labelNames?.[label]
  const name = vocabulary?.nameOf(id ?? String(label))
  if (name !== undefined) return { uri: id ?? String(label), label: name }
  return id ?? label
}

function numberList(values: ArrayLike<number>): string {
  return `[${Array.from(values, formatFloat32).join(',')}]`
}
