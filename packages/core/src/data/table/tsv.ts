// TSV: cells between tabs, no quoting, a header line. Annif's short-text corpora have none and are recognised by their
// first line: exactly two cells, neither of them a known column name, and no column named by the caller. There the cells
// are `text<TAB><uri> <uri>`, or keys without brackets, and white space separates the labels.

import { type LineBlock, readLines } from '../bytes/lines.ts'
import type { Dataset } from '../dataset.ts'
import type { Format, Input, ReadOptions } from '../format.ts'
import { CellRow } from './cell-row.ts'
import { isHeader } from './columns.ts'
import { TableReader } from './table-reader.ts'

const [tab, lineFeed] = [9, 10]

export const tsv: Format = Object.freeze({
  name: 'tsv',
  title: 'TSV with a header line, or `text<TAB>label label` without one (Annif)',
  extensions: Object.freeze(['tsv']),
  recognize,
  read,
})

/** Whether this is text with a tab in its first line. */
function recognize(head: Uint8Array): boolean {
  const firstTab = head.indexOf(tab)
  const lineEnd = head.indexOf(lineFeed)
  return firstTab >= 0 && (lineEnd < 0 || firstTab < lineEnd) && !head.includes(0)
}

async function read(input: Input, options: ReadOptions): Promise<Dataset> {
  const row = new CellRow(input.name)
  const reader = new TableReader(input.name, options)
  for await (const block of readLines(input, options)) {
    while (block.next()) {
      cutAtTabs(block, row)
      if (!reader.hasColumns && isHeaderless(row, options)) reader.setColumns(['text', 'labels'], ' ')
      reader.take(row)
    }
  }
  return reader.finish()
}

function cutAtTabs({ bytes, start, end, line }: LineBlock, row: CellRow): void {
  row.begin(bytes, start, line)
  let from = start
  for (let at = start; at < end; at++) {
    if (bytes[at] !== tab) continue
    row.push(from, at)
    from = at + 1
  }
  row.push(from, end)
}

function isHeaderless(firstRow: CellRow, options: ReadOptions): boolean {
  return firstRow.count === 2 && !isHeader(firstRow.texts(), options)
}
