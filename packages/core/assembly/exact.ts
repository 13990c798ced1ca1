// The k nearest rows by computing all of them. Rows are read in tiles that stay in the cache while every query of the job
// passes over them, so that memory is read once a job. A score has the bits of l2Scan or dotScan, whatever the job.

import { dotScan, l2Scan } from './dense'
import { offer, unpack, worstScore } from './top-k'

/** A tile fills a good part of a second-level cache; its scores stay in the first. */
const tileBytes: u32 = 131072
const mostTileRows: u32 = 1024

/** The rows, the queries, and where the answers go: src/search/exact-search.ts writes it. */
// @ts-ignore: decorator
@unmanaged
class Job {
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
}

/** The first row in [row, end) that is allowed, or that is not; `end` where there is none. */
// @ts-ignore: decorator
@inline
function nextRow(mask: usize, row: u32, end: u32, allowed: bool): u32 {
  if (!mask) return allowed ? row : end
  while (row < end && (load<u8>(mask + <usize>row) != 0) != allowed) row++
  return row
}

/** Whether one of four scores is strictly better than `worst`: on a tie the earlier row stays. */
// @ts-ignore: decorator
@inline
function anyBetter(products: bool, scores: usize, worst: v128): bool {
  const four = v128.load(scores)
  return v128.any_true(products ? f32x4.gt(four, worst) : f32x4.lt(four, worst))
}

/** Offers the scores of rows from `row` on to a heap; returns its size. Four that are no better cost one comparison. */
// @ts-ignore: decorator
@inline
function offerAll(
  products: bool, heap: usize, size: u32, k: u32, scores: usize, row: u32, count: u32, self: u32,
): u32 {
  const flip: u32 = products ? 0xffffffff : 0
  let worst = f32x4.splat(size == k ? worstScore(heap, flip) : 0)
  for (let i: u32 = 0; i < count; i++) {
    if (size == k) {
      while (i + 4 <= count && !anyBetter(products, scores + (<usize>i << 2), worst)) i += 4
      if (i == count) break
    }
    if (row + i == self) continue
    size = offer(heap, size, k, flip, load<f32>(scores + (<usize>i << 2)), row + i)
    if (size == k) worst = f32x4.splat(worstScore(heap, flip))
  }
  return size
}

/** One query over rows [start, end), run by run of allowed rows. The heap's size is kept where the count will be. */
// @ts-ignore: decorator
@inline
function searchTile(products: bool, job: Job, heap: usize, scores: usize, query: u32, start: u32, end: u32): void {
  const stride = <usize>job.dims << 2
  const q = job.queries + <usize>query * stride
  const self: u32 = job.excludeSelf ? query : 0xffffffff
  const count = job.outCounts + (<usize>query << 2)
  let row = nextRow(job.mask, start, end, true)
  while (row < end) {
    const runEnd = nextRow(job.mask, row, end, false)
    const run = runEnd - row
    const r = job.rows + <usize>row * stride
    if (products) dotScan(q, r, run, job.dims, scores)
    else l2Scan(q, r, run, job.dims, scores)
    store<u32>(count, offerAll(products, heap, load<u32>(count), job.k, scores, row, run, self))
    row = nextRow(job.mask, runEnd, end, true)
  }
}

/** Sorts a query's heap into its place. */
function finish(job: Job, heap: usize, query: u32): void {
  const at = <usize>query * (<usize>job.k << 2)
  const size = load<u32>(job.outCounts + (<usize>query << 2))
  unpack(heap, size, job.products ? 0xffffffff : 0, job.outRows + at, job.outScores + at)
}

/** Answers queries [from, to); `scratch` has exactScratchBytes(k, to − from) bytes. */
export function exactSearch(scratch: usize, block: usize, from: u32, to: u32): void {
  const job = changetype<Job>(block)
  const heaps = scratch + (<usize>mostTileRows << 2)
  const heapBytes = <usize>job.k << 3
  const tile = max<u32>(1, min<u32>(mostTileRows, tileBytes / (job.dims << 2)))
  for (let start: u32 = 0; start < job.count; start += tile) {
    const end = min<u32>(start + tile, job.count)
    for (let query = from; query < to; query++) {
      const heap = heaps + <usize>(query - from) * heapBytes
      if (job.products) searchTile(true, job, heap, scratch, query, start, end)
      else searchTile(false, job, heap, scratch, query, start, end)
    }
  }
  for (let query = from; query < to; query++) finish(job, heaps + <usize>(query - from) * heapBytes, query)
}

/** The scores of a tile, and a heap a query. */
export function exactScratchBytes(k: u32, queries: u32): usize {
  return (<usize>mostTileRows << 2) + <usize>queries * (<usize>k << 3)
}
