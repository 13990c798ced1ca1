// What textSearch and textMatches read (src/collection/text/text-buffers.ts fills it).

/** Postings of one block: it has bounds of its own if its list is long enough. */
export const blockPostings: u32 = 64

/** The pool of postings, and what is asked of it. */
@unmanaged
export class TextQuery {
  /** u32: the row of every posting. Ascending within a list. */
  rows: usize
  /** u16: how often the word comes in that row. */
  counts: usize
  /** f32, one a block: the largest count in it, and the smallest quotient of the field's length and the count. */
  blockCounts: usize
  blockRatios: usize
  /** TextTerm [termCount]. */
  terms: usize
  termCount: u32
  /** Rows there are. */
  rowCount: u32
  k: u32
  /** One byte a row, 0 where it may not be returned; or 0, where all may. */
  mask: usize
  /** u32 [listedCount], ascending: the only rows to score, whatever the mask says. Address 0: all rows. */
  listed: usize
  listedCount: u32
  /** 1: every posting of every term is added up, whatever the bounds say. */
  exhaustive: u32
  /** Best first [k]. */
  outRows: usize
  outScores: usize
}

/** A posting adds weight · count / (count + flat + slope · length). */
@unmanaged
export class TextWeights {
  weight: f64
  flat: f64
  slope: f64
  /** The most a posting can add: of the whole list, and within the rows at hand. */
  listBound: f64
  bound: f64
}

/** A list that the query asks for. */
@unmanaged
export class TextTerm {
  /** Its postings are at [start, end) of the pool. */
  start: u32
  end: u32
  /** Those before are of rows that are done. */
  position: u32
  /** 1: its blocks have bounds. */
  blocked: u32
  /** f32 [rows]: the field's lengths. */
  lengths: usize
  /** About how many postings it has in the rows at hand: at least as many as there are. */
  near: u32
  weights: TextWeights
}
