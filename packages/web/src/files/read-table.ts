// A file that somebody dropped on the page, as rows with named cells: CSV, TSV, JSONL, or one text a line.

import { parseCsv } from './csv.ts'

export type Cells = Readonly<Record<string, unknown>>

export interface Table {
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: readonly Cells[]
}

export async function readTable(file: File): Promise<Table> {
  const text = await file.text()
  if (text.trim() === '') throw new Error(`${file.name} is empty`)
  const rows = isJson(file.name, text) ? jsonRows(text) : file.name.endsWith('.txt') ? lineRows(text) : csvRows(text)
  if (rows.length === 0) throw new Error(`${file.name} has no rows`)
  return { name: file.name, columns: [...new Set(rows.flatMap(row => Object.keys(row)))], rows }
}

function isJson(name: string, text: string): boolean {
  return /\.(jsonl|ndjson|json)$/i.test(name) || /^\s*[{[]/.test(text)
}

/** A JSON object a line, or one list of objects. */
function jsonRows(text: string): Cells[] {
  if (/^\s*\[/.test(text)) return (JSON.parse(text) as unknown[]).map((row, i) => cellsOf(row, i + 1))
  return text
    .split('\n')
    .map((line, i) => ({ line, number: i + 1 }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => cellsOf(parsed(line, number), number))
}

function parsed(line: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new Error(`line ${number} is not JSON`)
  }
}

function cellsOf(row: unknown, number: number): Cells {
  if (typeof row === 'string') return { text: row }
  if (typeof row === 'object' && row !== null && !Array.isArray(row)) return row as Cells
  throw new Error(`row ${number} is neither an object nor a text`)
}

function lineRows(text: string): Cells[] {
  const lines = text.split(/\r?\n/).filter(line => line.trim() !== '')
  return lines.map(line => ({ text: line }))
}

const known = /^(id|text|texts|title|titles|name|abstract|description|content|labels?|subjects?|subject_uris|vector)$/i

/** The first line names the columns if it has a name that we know; otherwise they are numbered. */
function csvRows(text: string): Cells[] {
  const lines = parseCsv(text)
  const [head = []] = lines
  const isHead = head.some(cell => known.test(cell.trim()))
  const names = head.map((cell, i) =>
    isHead && cell.trim() !== '' ? cell.trim() : i === 0 ? 'text' : `column ${i + 1}`,
  )
  if (!isHead && names.length === 2) names[1] = 'labels'
  return (isHead ? lines.slice(1) : lines).map(cells =>
    Object.fromEntries(cells.map((cell, i) => [names[i] ?? `column ${i + 1}`, cell])),
  )
}

const textNames = ['text', 'title', 'name', 'abstract', 'description', 'content']
const labelNames = ['labels', 'label', 'subjects', 'subject_uris', 'subject']

export function textColumn({ columns }: Table): string {
  return named(columns, textNames) ?? columns[0] ?? 'text'
}

export function labelColumn({ columns }: Table): string | undefined {
  return named(columns, labelNames)
}

function named(columns: readonly string[], names: readonly string[]): string | undefined {
  return names.map(name => columns.find(column => column.toLowerCase() === name)).find(column => column !== undefined)
}

/** Labels of a cell: a list, objects with a uri, or a text with separators. URIs lose their angle brackets, as when a model is trained. */
export function labelsOf(cell: unknown): string[] {
  if (Array.isArray(cell)) return cell.flatMap(labelsOf)
  if (typeof cell === 'object' && cell !== null) {
    const { uri, label, id } = cell as Record<string, unknown>
    return labelsOf(uri ?? label ?? id)
  }
  if (typeof cell !== 'string') return []
  const separator = /[;|]/.test(cell) ? /[;|]/ : /<?https?:/.test(cell) ? /\s+/ : /[,]/
  return cell
    .split(separator)
    .map(part => part.trim().replace(/^<(\w+:[^>]*)>$/, '$1'))
    .filter(part => part !== '')
}
