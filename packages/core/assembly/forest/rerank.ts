// From candidates to neighbors in stages: distances of all by their small codes, exact ones of the few that remain.

import { dotGather, l2Gather } from '../dense'
import { l2GatherU8 } from '../quantized'
import { selectLargest, selectSmallest } from '../select'
import { Searched } from '../blocks/dense-forest'
import { sortNumbers } from './sort-numbers'

/** Query codes may leave the rows' range as long as sums of squares fit 32 bits. */
// @ts-ignore: decorator
@inline
const farthestCode: f32 = 767

/** Room for re-ranking up to `most` candidates, and where its parts lie. */
@unmanaged
export class RerankRoom {
  /** The query's code: i16 [codeStride]. */
  code: usize
  /** The query in row codes: i16 [rowCodeStride]. */
  rowCode: usize
  distances: usize
  heap: usize
  positions: usize
  kept: usize
  survivors: usize
  /** Receives the prefetched sum, so that the compiler does not remove the prefetch. */
  ahead: usize
}

/** Lays the room out from `at` on; returns its end. */
export function layRerank(room: RerankRoom, at: usize, index: Searched, most: u32): usize {
  const list = <usize>(most + 4) << 2
  room.code = at
  at += <usize>index.codeStride << 1
  room.rowCode = at
  at += <usize>index.rowCodeStride << 1
  room.heap = at
  at += list << 1
  room.distances = at
  at += list
  room.positions = at
  at += list
  room.kept = at
  at += list
  room.survivors = at
  return at + list
}

/**
 * Reads one byte of every cache line of the first `reach` bytes of some rows, all independent, so that many cache misses overlap; the
 * gathers, with sums in between, would overlap only a few. With the same for leaves, a search takes
 * two thirds of the time (Fashion-MNIST, 12 trees: 70 → 48 µs).
 */
export function readAhead(room: RerankRoom, rows: usize, stride: usize, picked: usize, count: u32, reach: usize): void {
  let sum: u32 = 0
  for (let i: u32 = 0; i < count; i++) {
    const row = rows + <usize>load<u32>(picked + (<usize>i << 2)) * stride
    for (let at: usize = 0; at < reach; at += 64) sum += load<u8>(row + at)
  }
  room.ahead = sum
}

/** Codes prefetched at a time: they stay in the L1 cache until they are compared. A multiple of four. */
// @ts-ignore: decorator
@inline
const codesAhead: u32 = 256

/** Distances of the candidates' codes from the query's, into `out`. */
export function measureSketches(index: Searched, room: RerankRoom, candidates: usize, count: u32, out: usize): void {
  const stride = index.codeStride
  for (let from: u32 = 0; from < count; from += codesAhead) {
    const some = min<u32>(codesAhead, count - from)
    const picked = candidates + (<usize>from << 2)
    readAhead(room, index.codes, stride, picked, some, stride)
    l2GatherU8(room.code, index.codes, picked, some, stride, out + (<usize>from << 2))
  }
}

/** The `size` candidates with the nearest codes, nearest first, into `out`, and their distances as `kept`; returns how many. */
export function nearestCodes(
  index: Searched, room: RerankRoom, candidates: usize, count: u32, size: u32, out: usize,
): u32 {
  measureSketches(index, room, candidates, count, room.distances)
  const left = selectSmallest(room.distances, count, size, room.heap, room.positions, room.kept)
  for (let i: u32 = 0; i < left; i++) {
    const position = <usize>load<u32>(room.positions + (<usize>i << 2)) << 2
    store<u32>(out + (<usize>i << 2), load<u32>(candidates + position))
  }
  return left
}

/** The `size` candidates with the nearest codes, as survivors; all of them if there are fewer. Returns how many. */
function sift(index: Searched, room: RerankRoom, candidates: usize, count: u32, size: u32): u32 {
  if (index.codes == 0 || count <= size) {
    memory.copy(room.survivors, candidates, <usize>count << 2)
    return count
  }
  return nearestCodes(index, room, candidates, count, size, room.survivors)
}

/** Four numbers of the query in the steps of the row codes: i32. */
// @ts-ignore: decorator
@inline
function encodeFour(numbers: v128, zero: v128, steps: v128): v128 {
  const codes = f32x4.nearest(f32x4.mul(f32x4.sub(numbers, zero), steps))
  return i32x4.trunc_sat_f32x4_s(f32x4.max(f32x4.splat(-farthestCode), f32x4.min(f32x4.splat(farthestCode), codes)))
}

/** The query in the steps of the row codes, eight numbers at a time. */
function encodeRow(index: Searched, query: usize, out: usize): void {
  const zero = f32x4.splat(index.rowCodeZero)
  const steps = f32x4.splat(index.rowCodeSteps)
  const dims = <usize>index.dims
  const used = dims << 1
  memory.fill(out + used, 0, (<usize>index.rowCodeStride << 1) - used)
  let j: usize = 0
  for (; j + 8 <= dims; j += 8) {
    const from = query + (j << 2)
    v128.store(out + (j << 1), i16x8.narrow_i32x4_s(encodeFour(v128.load(from), zero, steps), encodeFour(v128.load(from, 16), zero, steps)))
  }
  for (; j < dims; j++) {
    const code = encodeFour(v128.load32_zero(query + (j << 2)), zero, steps)
    store<i16>(out + (j << 1), <i16>i32x4.extract_lane(code, 0))
  }
}

/** Squared distances by codes, in the rows' units. */
function measureCodes(room: RerankRoom, query: usize, codes: usize, stride: u32, steps: f32, count: u32): void {
  l2GatherU8(query, codes, room.survivors, count, stride, room.distances)
  const unit = <f32>1 / (steps * steps)
  for (let i: u32 = 0; i < count; i++) {
    const at = room.distances + (<usize>i << 2)
    store<f32>(at, load<f32>(at) * unit)
  }
}

/** Raw distances of the survivors: from the rows, else from their codes, else from their sketch codes, whichever is stored. */
function measure(index: Searched, room: RerankRoom, query: usize, found: u32): void {
  // The gathers sum four rows at a time in another order than single rows. Padding to a multiple of four gives equal rows equal sums.
  let count = found
  for (; count > 0 && (count & 3) != 0; count++) {
    store<u32>(room.survivors + (<usize>count << 2), load<u32>(room.survivors + (<usize>(count - 1) << 2)))
  }
  if (index.rows != 0) {
    // Rows are long: their first cache lines are enough to load their pages and start the hardware prefetcher.
    readAhead(room, index.rows, <usize>index.dims << 2, room.survivors, found, 64)
    if (index.byProduct) dotGather(query, index.rows, room.survivors, count, index.dims, room.distances)
    else l2Gather(query, index.rows, room.survivors, count, index.dims, room.distances)
    return
  }
  if (index.rowCodes == 0) {
    measureCodes(room, room.code, index.codes, index.codeStride, index.codeSteps, count)
    return
  }
  encodeRow(index, query, room.rowCode)
  measureCodes(room, room.rowCode, index.rowCodes, index.rowCodeStride, index.rowCodeSteps, count)
}

/** The k nearest of the candidates, best first, ties by row: rows and raw distances. Returns how many. */
export function rerank(
  index: Searched, room: RerankRoom, query: usize, candidates: usize, count: u32, size: u32, k: u32, rows: usize, raw: usize,
): u32 {
  return rankSurvivors(index, room, query, sift(index, room, candidates, count, max<u32>(size, k)), k, rows, raw)
}

/** The same for candidates already sorted by code distance. */
export function rerankNearest(
  index: Searched, room: RerankRoom, query: usize, candidates: usize, count: u32, size: u32, k: u32, rows: usize, raw: usize,
): u32 {
  const left = min<u32>(count, max<u32>(size, k))
  memory.copy(room.survivors, candidates, <usize>left << 2)
  return rankSurvivors(index, room, query, left, k, rows, raw)
}

/** The k nearest of the survivors, best first, ties by row. */
export function rankSurvivors(
  index: Searched, room: RerankRoom, query: usize, left: u32, k: u32, rows: usize, raw: usize,
): u32 {
  // In row order, ties keep the first.
  sortNumbers(room.survivors, left)
  measure(index, room, query, left)
  const found = index.byProduct
    ? selectLargest(room.distances, left, k, room.heap, room.positions, raw)
    : selectSmallest(room.distances, left, k, room.heap, room.positions, raw)
  for (let i: u32 = 0; i < found; i++) {
    const position = <usize>load<u32>(room.positions + (<usize>i << 2)) << 2
    store<u32>(rows + (<usize>i << 2), load<u32>(room.survivors + position))
  }
  return found
}
