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
  /** u8 [rows]; 0 excludes a row. Address 0: no row is excluded. */
  mask: usize
  /** 1: query i is row i and must not find itself. */
  excludeSelf: u32
  /** [queries × k], best first; and the count of each query [queries], zeros at first. */
  outRows: usize
  outScores: usize
  outCounts: usize
  /** u32 [listedCount], ascending: compare only these rows and ignore the mask. Address 0: all rows. */
  listed: usize
  listedCount: u32
}
