// The k nearest rows by brute force, over all rows or a list. Rows are read in tiles that stay in the cache while every query of the job
// scans them, so that memory is read once per job. Scores are bit-identical to l2Scan or dotScan.

import { ExactJob } from './blocks/exact'
import { dotPick, l2Pick } from './dense'
import { offer, unpack, worstScore } from './top-k'

/** A tile fills a good part of the L2 cache; its scores stay in L1. */
const tileBytes: u32 = 131072
const mostTileRows: u32 = 1024
/** Scores of a tile, or of all rows between the first and the last of a list of that length. And one word of scratch. */
const mostScores: u32 = (5 * mostTileRows) / 2
const scoreBytes: usize = (<usize>mostScores << 2) + 16

/** The first row in [row, end) that is allowed, or that is not; `end` if there is none. */
// @ts-ignore: decorator
@inline
function nextRow(mask: usize, row: u32, end: u32, allowed: bool): u32 {
  if (!mask) return allowed ? row : end
  while (row < end && (load<u8>(mask + <usize>row) != 0) != allowed) row++
  return row
}

/** Whether one of four scores is strictly better than `worst`: on a tie the earlier row stays. `signs` turns products, and is in `worst`. */
// @ts-ignore: decorator
@inline
function anyBetter(scores: usize, signs: v128, worst: v128): bool {
  return v128.any_true(f32x4.lt(v128.xor(v128.load(scores), signs), worst))
}

/**
 * Offers the scores of rows from `row` on, or of those at `listed`, to a heap; returns its size. Four scores that are no better cost one
 * comparison.
 */
function offerAll(
  products: bool, heap: usize, size: u32, k: u32, scores: usize, listed: usize, row: u32, count: u32, self: u32,
): u32 {
  const flip: u32 = products ? 0xffffffff : 0
  const signs = i32x4.splat(flip & 0x80000000)
  let worst = v128.xor(f32x4.splat(size == k ? worstScore(heap, flip) : 0), signs)
  for (let i: u32 = 0; i < count; i++) {
    if (size == k) {
      while (i + 4 <= count && !anyBetter(scores + (<usize>i << 2), signs, worst)) i += 4
      if (i == count) break
    }
    const offered = listed ? load<u32>(listed + (<usize>i << 2)) : row + i
    if (offered == self) continue
    size = offer(heap, size, k, flip, load<f32>(scores + (<usize>i << 2)), offered)
    if (size == k) worst = v128.xor(f32x4.splat(worstScore(heap, flip)), signs)
  }
  return size
}

/** The scores of `count` rows, or of those at `listed`. */
function scoreRows(job: ExactJob, query: usize, rows: usize, listed: usize, count: u32, scores: usize): void {
  const touched = scores + scoreBytes - 16
  if (job.products) dotPick(query, rows, listed, count, job.dims, scores, touched)
  else l2Pick(query, rows, listed, count, job.dims, scores, touched)
}

/** One query over rows [start, end), run by run of allowed rows. The heap's size is stored where the count will be. */
function searchTile(job: ExactJob, heap: usize, scores: usize, query: u32, start: u32, end: u32): void {
  const stride = <usize>job.dims << 2
  const q = job.queries + <usize>query * stride
  const self: u32 = job.excludeSelf ? query : 0xffffffff
  const count = job.outCounts + (<usize>query << 2)
  let row = nextRow(job.mask, start, end, true)
  while (row < end) {
    const runEnd = nextRow(job.mask, row, end, false)
    const run = runEnd - row
    const r = job.rows + <usize>row * stride
    scoreRows(job, q, r, 0, run, scores)
    store<u32>(count, offerAll(job.products != 0, heap, load<u32>(count), job.k, scores, 0, row, run, self))
    row = nextRow(job.mask, runEnd, end, true)
  }
}

/**
 * Whether to compute all `span` rows between the first and the last of a list of `count` instead of picking these: scattered rows take 1.4
 * times as long as rows in order if they are cached, and 3 times as long if not.
 */
// @ts-ignore: decorator
@inline
function isDense(span: u32, count: u32): bool {
  return span <= mostScores && 5 * span <= 12 * count
}

/** Moves the scores of listed rows to the front: `scores` are those of all rows from `first` on. */
function compactScores(scores: usize, listed: usize, count: u32, first: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const place = load<u32>(listed + (<usize>i << 2)) - first
    store<f32>(scores + (<usize>i << 2), load<f32>(scores + (<usize>place << 2)))
  }
}

/** One query over the rows of the list in [start, end). */
function searchListed(job: ExactJob, heap: usize, scores: usize, query: u32, start: u32, end: u32): void {
  const stride = <usize>job.dims << 2
  const q = job.queries + <usize>query * stride
  const self: u32 = job.excludeSelf ? query : 0xffffffff
  const size = job.outCounts + (<usize>query << 2)
  const listed = job.listed + (<usize>start << 2)
  const count = end - start
  const first = load<u32>(listed)
  const span = load<u32>(listed + (<usize>(count - 1) << 2)) - first + 1
  if (isDense(span, count)) {
    const r = job.rows + <usize>first * stride
    scoreRows(job, q, r, 0, span, scores)
    compactScores(scores, listed, count, first)
  } else {
    scoreRows(job, q, job.rows, listed, count, scores)
  }
  store<u32>(size, offerAll(job.products != 0, heap, load<u32>(size), job.k, scores, listed, 0, count, self))
}

/** Sorts a query's heap into its results. */
function finish(job: ExactJob, heap: usize, query: u32): void {
  const at = <usize>query * (<usize>job.k << 2)
  const size = load<u32>(job.outCounts + (<usize>query << 2))
  unpack(heap, size, job.products ? 0xffffffff : 0, job.outRows + at, job.outScores + at)
}

/** Answers queries [from, to); `scratch` has exactScratchBytes(k, to − from) bytes. */
export function exactSearch(scratch: usize, block: usize, from: u32, to: u32): void {
  const job = changetype<ExactJob>(block)
  const heaps = scratch + scoreBytes
  const heapBytes = <usize>job.k << 3
  const tile = max<u32>(1, min<u32>(mostTileRows, tileBytes / (job.dims << 2)))
  const count = job.listed ? job.listedCount : job.count
  for (let start: u32 = 0; start < count; start += tile) {
    const end = min<u32>(start + tile, count)
    for (let query = from; query < to; query++) {
      const heap = heaps + <usize>(query - from) * heapBytes
      if (job.listed) searchListed(job, heap, scratch, query, start, end)
      else searchTile(job, heap, scratch, query, start, end)
    }
  }
  for (let query = from; query < to; query++) finish(job, heaps + <usize>(query - from) * heapBytes, query)
}

/** Scores, and one heap per query. */
export function exactScratchBytes(k: u32, queries: u32): usize {
  return scoreBytes + <usize>queries * (<usize>k << 3)
}
