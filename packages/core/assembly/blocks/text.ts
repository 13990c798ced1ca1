// What textSearch and textMatches read (src/collection/text/text-buffers.ts fills it).

/** Postings per block. Blocks of long lists have their own bounds. */
export const blockPostings: u32 = 64

/** The pool of postings, and the query. */
@unmanaged
export class TextQuery {
  /** u32: the row of every posting. Ascending within a list. */
  rows: usize
  /** u16: how often the word occurs in that row. */
  counts: usize
  /** f32, one per block: its largest count, and its smallest field length / count. */
  blockCounts: usize
  blockRatios: usize
  /** TextTerm [termCount]. */
  terms: usize
  termCount: u32
  /** Number of rows. */
  rowCount: u32
  k: u32
  /** u8 [rows]; 0 excludes a row. Address 0: no row is excluded. */
  mask: usize
  /** u32 [listedCount], ascending: score only these rows and ignore the mask. Address 0: all rows. */
  listed: usize
  listedCount: u32
  /** 1: add up every posting of every term, ignoring the bounds. */
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
  /** The most a posting can add: in the whole list, and within the current window of rows. */
  listBound: f64
  bound: f64
}

/** A posting list of the query. */
@unmanaged
export class TextTerm {
  /** Its postings are at [start, end) of the pool. */
  start: u32
  end: u32
  /** Postings before it belong to rows that are done. */
  position: u32
  /** 1: its blocks have bounds. */
  blocked: u32
  /** f32 [rows]: the field's lengths. */
  lengths: usize
  /** An upper bound on its postings within the current window of rows. */
  near: u32
  weights: TextWeights
}
