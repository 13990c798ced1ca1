// Answers as CSV (RFC 4180), with a header line.

import type { AnswerSink, Append, Cell, Column } from './answer.ts'

export async function csvSink(columns: readonly Column[], append: Append): Promise<AnswerSink> {
  await append(csvLine(columns.map(({ name }) => name)))
  return {
    write: answers => append(answers.flatMap(({ rows }) => rows.map(csvLine)).join('')),
    end: async () => {},
  }
}

function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\n`
}

/** Quoted only if necessary. */
function csvCell(cell: Cell): string {
  const text = String(cell ?? '')
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
