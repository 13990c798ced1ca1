// The k best rows by BM25, exactly. Rows are processed in windows whose sums stay in the L1 cache. Within a window, blocks of postings
// bound what each list can add: lists that together cannot lift a row into the k best are looked up only for rows that others found
// (MaxScore, Turtle & Flood 1995, with the bounds of blocks, Ding & Suel 2011). A window that no list can lift is skipped.

import { blockPostings, TextQuery, TextTerm } from '../blocks/text'
import { offer, unpack, worstScore } from '../top-k'
import { partOf, rowAt, seek, termAt } from './layout'

/** Rows of a window: 8 bytes each. */
const windowShift: u32 = 11
const windowRows: u32 = 1 << windowShift
const sumBytes: usize = <usize>windowRows << 3
const bitBytes: usize = <usize>windowRows >> 3
/** Large scores are best. */
const flip: u32 = 0xffffffff
const exhausted: u32 = 0xffffffff
/** Covers rounding: the bounds are computed differently from the scores they bound. */
const margin: f64 = 1 + 1e-12

/** Sums f64 [windowRows] and one bit per row that has a sum, both zero before and after; u32 [terms]; u64 [k]. */
export function textScratchBytes(k: u32, terms: u32): usize {
  return sumBytes + bitBytes + ((<usize>terms * 4 + 7) & ~7) + <usize>k * 8
}

// @ts-ignore: decorator
@inline
function isAllowed(mask: usize, row: u32): bool {
  return mask == 0 || load<u8>(mask + <usize>row) != 0
}

/** The most that a posting of block `i` of the pool can add. */
// @ts-ignore: decorator
@inline
function blockBound(query: TextQuery, term: TextTerm, i: u32): f64 {
  const count = <f64>load<f32>(query.blockCounts + (<usize>i << 2))
  const ratio = <f64>load<f32>(query.blockRatios + (<usize>i << 2))
  const by = term.weights
  // Rounded like the scores it bounds, so that rows that tie with the k-th best are skipped too: titles tie often.
  return <f64>(<f32>((by.weight / (1 + by.flat / count + by.slope * ratio)) * margin))
}

/** Sets the most that the term can add to a row before `end`; its current row must be before `end`. */
function boundTerm(query: TextQuery, term: TextTerm, end: u32): void {
  if (!term.blocked) {
    term.weights.bound = term.weights.listBound
    term.near = term.end - term.position
    return
  }
  let bound: f64 = 0
  let position = term.position
  while (position < term.end && rowAt(query, position) < end) {
    bound = max(bound, blockBound(query, term, position / blockPostings))
    position = (position / blockPostings + 1) * blockPostings
  }
  term.weights.bound = bound
  term.near = min(position, term.end) - term.position
}

/** Moves all terms to their first rows from `row` on; returns the lowest of these rows. */
function advance(query: TextQuery, row: u32): u32 {
  let least = exhausted
  for (let i: u32 = 0; i < query.termCount; i++) {
    const term = termAt(query, i)
    if (term.position == term.end) continue
    if (rowAt(query, term.position) < row) term.position = seek(query, term.position, term.end, row)
    if (term.position < term.end) least = min(least, rowAt(query, term.position))
  }
  return least
}

/** Orders the terms that have a row before `end`, the smallest bound first; returns how many there are. */
function orderTerms(query: TextQuery, order: usize, end: u32): u32 {
  let active: u32 = 0
  for (let i: u32 = 0; i < query.termCount; i++) {
    const term = termAt(query, i)
    if (term.position == term.end || rowAt(query, term.position) >= end) continue
    boundTerm(query, term, end)
    let slot = active++
    for (; slot > 0; slot--) {
      const before = load<u32>(order + (<usize>(slot - 1) << 2))
      if (termAt(query, before).weights.bound <= term.weights.bound) break
      store<u32>(order + (<usize>slot << 2), before)
    }
    store<u32>(order + (<usize>slot << 2), i)
  }
  return active
}

/** How many of the first terms together cannot lift a row above `floor`. A tie is not enough: the earlier row wins. */
function countOptional(query: TextQuery, order: usize, active: u32, floor: f64): u32 {
  let sum: f64 = 0
  let i: u32 = 0
  for (; i < active; i++) {
    sum += termAt(query, load<u32>(order + (<usize>i << 2))).weights.bound
    if (sum > floor) break
  }
  return i
}

/** Adds the term's postings in [start, end) to the sums; returns how many there were. */
function addTerm(query: TextQuery, term: TextTerm, sums: usize, bits: usize, start: u32, end: u32): u32 {
  let position = term.position
  for (; position < term.end; position++) {
    const row = rowAt(query, position)
    if (row >= end) break
    const at = <usize>(row - start)
    store<f64>(sums + (at << 3), load<f64>(sums + (at << 3)) + partOf(query, term, position, row))
    const word = bits + ((at >> 6) << 3)
    store<u64>(word, load<u64>(word) | (<u64>1 << (at & 63)))
  }
  const added = position - term.position
  term.position = position
  return added
}

/** `sum` with what the first `count` terms add to the row, the largest bounds first; less, if the row cannot pass `floor` any more. */
function complete(query: TextQuery, order: usize, count: u32, optional: f64, row: u32, sum: f64, floor: f64): f64 {
  let left = optional
  for (let i = count; i > 0; i--) {
    if (sum + left <= floor) return sum
    const term = termAt(query, load<u32>(order + (<usize>(i - 1) << 2)))
    left -= term.weights.bound
    if (term.position == term.end) continue
    term.position = seek(query, term.position, term.end, row)
    if (term.position < term.end && rowAt(query, term.position) == row) sum += partOf(query, term, term.position, row)
  }
  return sum
}

/** Offers the rows that have a sum, ascending, and clears the sums; returns the heap's size. */
function offerSums(query: TextQuery, order: usize, optional: u32, sums: usize, bits: usize, start: u32, heap: usize, size: u32): u32 {
  let bound: f64 = 0
  for (let i: u32 = 0; i < optional; i++) bound += termAt(query, load<u32>(order + (<usize>i << 2))).weights.bound
  let floor: f64 = size == query.k ? <f64>worstScore(heap, flip) : 0
  for (let word: u32 = 0; word < windowRows >> 6; word++) {
    let set = load<u64>(bits + (<usize>word << 3))
    if (set == 0) continue
    store<u64>(bits + (<usize>word << 3), 0)
    for (; set != 0; set &= set - 1) {
      const at = (word << 6) + <u32>ctz(set)
      const place = sums + (<usize>at << 3)
      const sum = load<f64>(place)
      store<f64>(place, 0)
      if (sum + bound <= floor || !isAllowed(query.mask, start + at)) continue
      const score = complete(query, order, optional, bound, start + at, sum, floor)
      if (score <= floor) continue
      size = offer(heap, size, query.k, flip, <f32>score, start + at)
      if (size == query.k) floor = <f64>worstScore(heap, flip)
    }
  }
  return size
}

/**
 * Fills the sums of a window; returns how many of the first terms were left out. Short terms are added even if they could be left out:
 * cheaper than looking them up row by row.
 */
function addTerms(
  query: TextQuery, order: usize, active: u32, optional: u32, sums: usize, bits: usize, start: u32, end: u32,
): u32 {
  let added: u32 = 0
  let i = active
  while (i > 0) {
    const term = termAt(query, load<u32>(order + (<usize>(i - 1) << 2)))
    if (i <= optional && term.near > added) break
    added += addTerm(query, term, sums, bits, start, end)
    i--
  }
  return i
}

/** All rows, window by window; returns the heap's size. */
function searchWindows(query: TextQuery, sums: usize, bits: usize, order: usize, heap: usize): u32 {
  let size: u32 = 0
  let start = advance(query, 0)
  while (start != exhausted) {
    const end = min(start + windowRows, query.rowCount)
    const active = orderTerms(query, order, end)
    const floor: f64 = size == query.k && !query.exhaustive ? <f64>worstScore(heap, flip) : 0
    const optional = countOptional(query, order, active, floor)
    if (optional < active) {
      const left = addTerms(query, order, active, optional, sums, bits, start, end)
      size = offerSums(query, order, left, sums, bits, start, heap, size)
    }
    start = advance(query, end)
  }
  return size
}

/** The listed rows alone: for filters that few rows pass. */
function searchListed(query: TextQuery, heap: usize): u32 {
  let size: u32 = 0
  for (let i: u32 = 0; i < query.listedCount; i++) {
    const row = load<u32>(query.listed + (<usize>i << 2))
    let sum: f64 = 0
    for (let t: u32 = 0; t < query.termCount; t++) {
      const term = termAt(query, t)
      if (term.position == term.end) continue
      if (rowAt(query, term.position) < row) term.position = seek(query, term.position, term.end, row)
      if (term.position < term.end && rowAt(query, term.position) == row) sum += partOf(query, term, term.position, row)
    }
    if (sum > 0) size = offer(heap, size, query.k, flip, <f32>sum, row)
  }
  return size
}

/** Writes the k best rows and their scores, best first, ties by row; returns how many. Scratch must be zero. */
export function textSearch(scratch: usize, block: usize): u32 {
  const query = changetype<TextQuery>(block)
  const bits = scratch + sumBytes
  const order = bits + bitBytes
  const heap = order + ((<usize>query.termCount * 4 + 7) & ~7)
  const size = query.listed ? searchListed(query, heap) : searchWindows(query, scratch, bits, order, heap)
  unpack(heap, size, flip, query.outRows, query.outScores)
  return size
}
