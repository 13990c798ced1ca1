// `index:value index:value …`, the part of a row that XMC and svmlight files share. Indices must rise.

import type { EngineError } from '../../errors.ts'
import type { LineBlock } from '../bytes/lines.ts'
import { numberError, parseNumber, parseWhole, quote, wholeError } from '../bytes/numbers.ts'
import { colon, findByte, wordEnd, wordStart } from '../bytes/words.ts'
import type { SparseRows } from './row-builder.ts'

export interface PairRules {
  /** Number of the first feature in the file. */
  readonly base: 0 | 1
  /** How many features there may be. */
  readonly columns: number
}

/** Reads the pairs in bytes [start, end) of the block's line into the row being built; returns the last index, or -1. */
export function readPairs(block: LineBlock, start: number, end: number, rules: PairRules, into: SparseRows): number {
  const { bytes } = block
  const { base, columns } = rules
  let last = -1
  let at = wordStart(bytes, start, end)
  while (at < end) {
    const stop = wordEnd(bytes, at, end)
    const middle = findByte(bytes, colon, at, stop)
    if (middle === stop) throw block.error(`found ${quote(bytes, at, stop)}, expected index:value`, at)
    const written = parseWhole(bytes, at, middle)
    const index = written - base
    if (written < 0) throw wholeError(block, at, middle, 'the feature index')
    if (index <= last || index >= columns) throw indexError(block, at, written, last + base, rules)
    const value = parseNumber(bytes, middle + 1, stop)
    if (Number.isNaN(value)) throw numberError(block, middle + 1, stop, `the value of feature ${written}`)
    into.add(index, value)
    last = index
    at = wordStart(bytes, stop, end)
  }
  return last
}

/** `written` and `previous` are indices as the file has them. */
function indexError(block: LineBlock, at: number, written: number, previous: number, rules: PairRules): EngineError {
  const { base, columns } = rules
  if (written < base) {
    const hint = 'If the file numbers its features from 0, set `indexBase` to 0.'
    return block.error(`feature index ${written} is too small, expected at least ${base}`, at, hint)
  }
  if (written - base >= columns) {
    const allowed = columns === 0 ? 'no features' : `indices from ${base} to ${columns - 1 + base}`
    return block.error(`feature index ${written} is out of range, expected ${allowed}`, at)
  }
  if (written === previous) return block.error(`feature ${written} appears twice, expected each index once`, at)
  return block.error(`feature index ${written} comes after ${previous}, expected ascending indices`, at)
}
