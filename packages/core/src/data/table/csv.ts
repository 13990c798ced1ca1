// CSV as in RFC 4180, with a header line: quoted cells may hold delimiters, line breaks and doubled quotes; lines end in
// LF or CRLF; a byte order mark is skipped. The delimiter is `,`, `;` or a tab, whichever the first line has most of.
// Annif's CSV corpora (columns text and subject_uris) are of this form.

import { watchChunks } from '../bytes/byte-source.ts'
import { lookAhead } from '../bytes/chunks.ts'
import { LineBlock } from '../bytes/lines.ts'
import type { Dataset } from '../dataset.ts'
import type { Format, Input, ReadOptions } from '../format.ts'
import { CsvScanner } from './csv-scanner.ts'
import { writeCsv } from './csv-write.ts'
import { TableReader } from './table-reader.ts'

const [comma, semicolon, tab, quote] = [44, 59, 9, 34]
const headBytes = 2 ** 16
const defaultMaxRowBytes = 2 ** 26

export const csv: Format = Object.freeze({
  name: 'csv',
  title: 'CSV with a header line: text or numbers, and labels',
  extensions: Object.freeze(['csv']),
  recognize,
  read,
  write: writeCsv,
})

/** Whether this is text whose first two rows have the same number of cells, at least two. */
function recognize(head: Uint8Array): boolean {
  if (head.includes(0)) return false
  try {
    const { delimiter, start } = readFirstLine('', head)
    const scanner = new CsvScanner('', delimiter, headBytes)
    scanner.push(head.subarray(start))
    if (head.length < headBytes) scanner.end()
    const columns = scanner.next() ? scanner.row.count : 0
    return columns > 1 && (!scanner.next() || scanner.row.count === columns)
  } catch {
    return false
  }
}

async function read(input: Input, options: ReadOptions): Promise<Dataset> {
  const reader = new TableReader(input.name, options)
  for await (const scanner of scanCsv(input, options)) takeRows(scanner, reader)
  return reader.finish()
}

/** Yields the scanner whenever it has more bytes: `while (scanner.next()) use(scanner.row)`. */
export async function* scanCsv(
  input: Input,
  options: Pick<ReadOptions, 'maxLineBytes' | 'signal' | 'onProgress'>,
): AsyncGenerator<CsvScanner> {
  const { head, rest } = await lookAhead(watchChunks(input, options), headBytes)
  const { delimiter, start } = readFirstLine(input.name, head)
  const scanner = new CsvScanner(input.name, delimiter, options.maxLineBytes ?? defaultMaxRowBytes)
  let passOver = start
  for await (const chunk of rest) {
    scanner.push(chunk.subarray(passOver))
    passOver = Math.max(0, passOver - chunk.length)
    yield scanner
  }
  scanner.end()
  yield scanner
}

/** Hands the rows that are complete from the scanner to the reader. */
function takeRows(scanner: CsvScanner, reader: TableReader): void {
  while (findRow(scanner, reader)) reader.take(scanner.row)
}

function findRow(scanner: CsvScanner, reader: TableReader): boolean {
  for (;;) {
    try {
      return scanner.next()
    } catch (error) {
      reader.leaveOut(scanner.row.line, error)
      scanner.skipLine()
    }
  }
}

/** The delimiter, and where the text begins: behind a byte order mark. */
function readFirstLine(file: string, head: Uint8Array): { delimiter: number; start: number } {
  const line = new LineBlock(file, head, 0, head.length)
  line.next()
  let inQuotes = false
  const counts = new Map([comma, semicolon, tab].map(byte => [byte, 0]))
  for (const byte of head.subarray(line.start, line.end)) {
    if (byte === quote) inQuotes = !inQuotes
    else if (!inQuotes && counts.has(byte)) counts.set(byte, counts.get(byte)! + 1)
  }
  const [[delimiter]] = [...counts].sort(([, a], [, b]) => b - a) // stable: a comma, if there is none
  return { delimiter, start: line.start }
}
