// An attribute of an ARFF file, and what its values mean as numbers: numbers are themselves, nominal {0,1} is 0 or 1,
// any other nominal value is its place in the list. Words may be quoted, with backslash escapes.

import type { EngineError } from '../../errors.ts'
import type { LineBlock } from '../bytes/lines.ts'
import { numberError, parseNumber, quote } from '../bytes/numbers.ts'
import { checkCount, maxLabels, shorten } from '../limits.ts'
import { firstRepeated } from '../rows/repeated.ts'

export interface Attribute {
  readonly name: string
  readonly kind: 'number' | 'nominal' | 'text'
  /** The number of each nominal value, in the order of the list. */
  readonly values: ReadonlyMap<string, number>
}

const spaces = /\s*/y
const plainWord = /[^\s,{}]*/y
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/** Reads `@attribute name type`; `at` is where the name begins in the line. */
export function readAttribute(block: LineBlock, line: string, at: number): Attribute {
  const name = takeWord(line, at)
  if (!name) throw block.error('the attribute has no name, expected `@attribute name type`')
  const type = line.slice(name.end).trim()
  if (type.startsWith('{')) return { name: name.word, kind: 'nominal', values: readNominal(block, type) }
  if (/^(numeric|real|integer)\b/i.test(type)) return { name: name.word, kind: 'number', values: new Map() }
  if (/^string\b/i.test(type)) return { name: name.word, kind: 'text', values: new Map() }
  throw block.error(
    `attribute ${shorten(name.word)} has type ${JSON.stringify(shorten(type))}, expected numeric, real, integer, string or {value,…}`,
  )
}

/** The word that begins at or after `at`, unquoted; undefined if there is none. */
function takeWord(line: string, at: number): { word: string; end: number } | undefined {
  const start = at + matchLength(spaces, line, at)
  if (line[start] !== "'" && line[start] !== '"') {
    const end = start + matchLength(plainWord, line, start)
    return end > start ? { word: line.slice(start, end), end } : undefined
  }
  const closing = closingQuote(line, start)
  return closing < 0 ? undefined : { word: undoEscapes(line.slice(start + 1, closing)), end: closing + 1 }
}

/** Where the quote at `start` is closed, or -1. */
function closingQuote(line: string, start: number): number {
  for (let at = start + 1; at < line.length; at++) {
    if (line[at] === line[start]) return at
    if (line[at] === '\\') at++
  }
  return -1
}

function matchLength(pattern: RegExp, line: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(line)?.[0].length ?? 0
}

function undoEscapes(quoted: string): string {
  return quoted.replace(/\\(.)/gs, (_, character: string) => escapes[character] ?? character)
}

function readNominal(block: LineBlock, type: string): Map<string, number> {
  const names: string[] = []
  let at = 0
  do {
    const value = takeWord(type, at + 1)
    if (!value) throw badNominal(block, type)
    checkCount('values of an attribute', names.length + 1, maxLabels, block.place())
    names.push(value.word)
    at = value.end
    while (type[at] === ' ' || type[at] === '\t') at++
  } while (type[at] === ',')
  if (type.slice(at) !== '}') throw badNominal(block, type)
  const twice = firstRepeated(names)
  if (twice !== undefined) throw block.error(`the value ${shorten(twice)} appears twice, expected each value once`)
  const isBit = names.length === 2 && names.includes('0') && names.includes('1')
  return new Map(names.map((name, place) => [name, isBit ? Number(name) : place]))
}

function badNominal(block: LineBlock, type: string): EngineError {
  return block.error(`the values are ${JSON.stringify(shorten(type))}, expected {value,value,…}`)
}

/** What bytes [start, end) of the block's line mean as a number. A missing value (`?`) is an error. */
export function attributeValue(block: LineBlock, attribute: Attribute, start: number, end: number): number {
  const { bytes } = block
  if (end - start === 1 && bytes[start] === 63) throw missingValue(block, attribute, start)
  if (attribute.kind === 'nominal') return nominalValue(block, attribute, start, end)
  const value = parseNumber(bytes, start, end)
  if (Number.isNaN(value)) throw numberError(block, start, end, `attribute ${shorten(attribute.name)}`)
  return value
}

function nominalValue(block: LineBlock, { name, values }: Attribute, start: number, end: number): number {
  const value = values.get(unquote(block.text(start, end)))
  if (value !== undefined) return value
  const known = firstNames(values)
  const allowed = values.size > 10 ? `one of ${known},… (${values.size} values)` : `one of ${known}`
  throw block.error(`attribute ${shorten(name)} is ${quote(block.bytes, start, end)}, expected ${allowed}`, start)
}

/** The first ten of the values. Not by a list of all: bad rows may be many, and values too. */
export function firstNames(values: ReadonlyMap<string, number>): string {
  const names: string[] = []
  for (const name of values.keys()) {
    if (names.length === 10) break
    names.push(shorten(name))
  }
  return names.join(',')
}

/** A value of a row, without its quotes and escapes. */
export function unquote(value: string): string {
  return value.startsWith("'") || value.startsWith('"') ? undoEscapes(value.slice(1, -1)) : value
}

function missingValue(block: LineBlock, { name }: Attribute, at: number): EngineError {
  const hint = 'Fill in missing values before reading, or skip such rows with `skipBadRows`.'
  return block.error(`attribute ${shorten(name)} is missing (\`?\`), expected a value`, at, hint)
}
