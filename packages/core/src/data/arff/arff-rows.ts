// The rows of an ARFF file: dense, `value,value,…`, or sparse, `{index value, index value}` with attributes numbered
// from 0 and in ascending order.

import type { EngineError } from '../../errors.ts'
import type { LineBlock } from '../bytes/lines.ts'
import { parseWhole, quote, wholeError } from '../bytes/numbers.ts'
import { comma, isBlank, wordEnd, wordStart } from '../bytes/words.ts'
import type { ArffTable } from './arff-table.ts'

const [doubleQuote, singleQuote, backslash, opening, closing] = [34, 39, 92, 123, 125]

/** Whether the block's line is a sparse row. */
export function isSparseRow(block: LineBlock): boolean {
  return block.bytes[wordStart(block.bytes, block.start, block.end)] === opening
}

/** Reads a row with a value for each attribute. */
export function readDenseRow(block: LineBlock, table: ArffTable): void {
  const { bytes, end } = block
  const expected = table.attributes.length
  let at = wordStart(bytes, block.start, end)
  for (let a = 0; a < expected; a++) {
    const stop = valueEnd(block, at, -1)
    table.add(block, a, at, stop)
    at = wordStart(bytes, stop, end)
    if (at < end && bytes[at] !== comma) throw afterValue(block, at)
    if (a === expected - 1) break
    if (at === end) throw block.error(`the row ends after ${a + 1} values, expected ${expected}`, at)
    at = wordStart(bytes, at + 1, end)
  }
  if (at < end) throw block.error(`found more than the ${expected} values expected`, at)
}

/** Reads a row that names the attributes it has values for; the others are 0. */
export function readSparseRow(block: LineBlock, table: ArffTable): void {
  const { bytes, end } = block
  let last = -1
  let at = wordStart(bytes, wordStart(bytes, block.start, end) + 1, end)
  while (at < end && bytes[at] !== closing) {
    const indexEnd = wordEnd(bytes, at, end)
    last = readIndex(block, at, indexEnd, last, table.attributes.length)
    const start = wordStart(bytes, indexEnd, end)
    const stop = valueEnd(block, start, closing)
    table.add(block, last, start, stop)
    at = wordStart(bytes, stop, end)
    if (bytes[at] === comma) at = wordStart(bytes, at + 1, end)
    else if (at < end && bytes[at] !== closing) throw afterValue(block, at)
  }
  if (at >= end) throw block.error('the row is not closed, expected }', end)
  const rest = wordStart(bytes, at + 1, end)
  if (rest < end) throw block.error(`found ${quote(bytes, rest, end)} after the row, expected nothing`, rest)
}

function readIndex(block: LineBlock, start: number, end: number, last: number, attributes: number): number {
  const index = parseWhole(block.bytes, start, end)
  if (index < 0) throw wholeError(block, start, end, 'the attribute index')
  if (index >= attributes) {
    throw block.error(`attribute index ${index} is out of range, expected 0 to ${attributes - 1}`, start)
  }
  if (index > last) return index
  const problem = index === last ? `${index} appears twice` : `${index} comes after ${last}`
  throw block.error(`attribute index ${problem}, expected ascending indices`, start)
}

/** Where the value that begins at `at` ends: after its closing quote, or before the next comma, `closer` or line end. */
function valueEnd(block: LineBlock, at: number, closer: number): number {
  const { bytes, end } = block
  if (bytes[at] === doubleQuote || bytes[at] === singleQuote) return quotedEnd(block, at)
  let stop = at
  while (stop < end && bytes[stop] !== comma && bytes[stop] !== closer) stop++
  while (stop > at && isBlank(bytes[stop - 1])) stop--
  return stop
}

function quotedEnd(block: LineBlock, at: number): number {
  const { bytes, end } = block
  let stop = at + 1
  while (stop < end && bytes[stop] !== bytes[at]) stop += bytes[stop] === backslash ? 2 : 1
  if (stop >= end) throw block.error('the quoted value is not closed', at)
  return stop + 1
}

function afterValue(block: LineBlock, at: number): EngineError {
  return block.error(`found ${quote(block.bytes, at, block.end)} after the value, expected a comma`, at)
}
