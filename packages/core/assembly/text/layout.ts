// Reads the postings and lists of a text query.

import { TextQuery, TextTerm } from '../blocks/text'

// @ts-ignore: decorator
@inline
export function termAt(query: TextQuery, i: u32): TextTerm {
  return changetype<TextTerm>(query.terms + <usize>i * offsetof<TextTerm>())
}

// @ts-ignore: decorator
@inline
export function rowAt(query: TextQuery, position: u32): u32 {
  return load<u32>(query.rows + (<usize>position << 2))
}

/** What the posting adds to its row's score. Rounded to f32, so that f64 sums of them are exact and their order does not matter. */
// @ts-ignore: decorator
@inline
export function partOf(query: TextQuery, term: TextTerm, position: u32, row: u32): f64 {
  const count = <f64>load<u16>(query.counts + (<usize>position << 1))
  const length = <f64>load<f32>(term.lengths + (<usize>row << 2))
  const by = term.weights
  return <f64>(<f32>((by.weight * count) / (count + by.flat + by.slope * length)))
}

/** First position in [from, end) whose row is at least `row` (galloping search). */
export function seek(query: TextQuery, from: u32, end: u32, row: u32): u32 {
  let step: u32 = 1
  let low = from
  while (low + step < end && rowAt(query, low + step) < row) {
    low += step
    step <<= 1
  }
  let high = min<u32>(low + step, end)
  while (low < high) {
    const middle = (low + high) >> 1
    if (rowAt(query, middle) < row) low = middle + 1
    else high = middle
  }
  return low
}
