// Which terms of a query the given rows have, and what each adds to the score.

import { TextQuery } from '../blocks/text'
import { partOf, rowAt, seek, termAt } from './layout'

/** out[i · terms + t] = what term t adds to rows[i], f32; 0 if the row does not have it. */
export function textMatches(block: usize, rows: usize, count: u32, out: usize): void {
  const query = changetype<TextQuery>(block)
  for (let i: u32 = 0; i < count; i++) {
    const row = load<u32>(rows + (<usize>i << 2))
    for (let t: u32 = 0; t < query.termCount; t++) {
      const term = termAt(query, t)
      const position = seek(query, term.start, term.end, row)
      const has = position < term.end && rowAt(query, position) == row
      store<f32>(out + ((<usize>i * query.termCount + t) << 2), has ? <f32>partOf(query, term, position, row) : 0)
    }
  }
}
