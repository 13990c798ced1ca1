// What exactSearch compares (src/search/dense/exact-search.ts fills it).

/** The rows, the queries, and where the answers go. */
@unmanaged
export class ExactJob {
  /** f32 [count × dims]. */
  rows: usize
  count: u32
  dims: u32
  /** 1: the largest products; 0: the smallest squared distances. */
  products: u32
  /** f32 [queries × dims]. */
  queries: usize
  k: u32
  /** One byte a row, 0 where it may not be returned; or 0, where all may. */
  mask: usize
  /** 1: query i is row i, and not its own neighbor. */
  excludeSelf: u32
  /** [queries × k], best first; and how many there are of each [queries], which begin as zeros. */
  outRows: usize
  outScores: usize
  outCounts: usize
  /** u32 [listedCount], ascending: the only rows to compare, whatever the mask says. Address 0: all rows. */
  listed: usize
  listedCount: u32
}
