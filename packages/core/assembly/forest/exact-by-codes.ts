// Exact search that computes few rows. Axes never lengthen a distance, so a row whose code is far from the query's cannot be near. Codes are
// compared first; only rows that may be among the k nearest are computed. The answers are those of exactSearch, to the last bit.

import { l2Gather } from '../dense'
import { CodedRows } from '../blocks/coded-rows'
import { ExactJob } from '../blocks/exact'
import { exactScratchBytes, exactSearch } from '../exact'
import { l2ScanU8 } from '../quantized'
import { selectSmallest } from '../select'
import { sketchRows } from './sketch'
import { squareOf } from './square'

/** Rows that are picked one by one cost three to four times as much as rows in order: more of them are not worth it. */
// @ts-ignore: decorator
@inline
const mostListed: u32 = 4

@unmanaged
class Room {
  /** f32 [sketchDims], and its code i16 [stride]. */
  sketch: usize
  code: usize
  /** f32 [rows], filled up to a multiple of four. */
  distances: usize
  /** The rows that may be near: u32 [rows / mostListed]. */
  listed: usize
  heap: usize
  nearest: usize
  kept: usize
  /** The job with its list. */
  job: usize
  /** For exactSearch. */
  rest: usize
}

function layOut(room: Room, at: usize, job: ExactJob, coded: CodedRows, queries: u32): usize {
  const neighbors = (<usize>job.k + 4) << 2
  room.sketch = at
  at += (<usize>coded.sketchDims + 4) << 2
  room.code = at
  at += <usize>coded.stride << 1
  room.heap = at
  at += neighbors << 1
  room.nearest = at
  at += neighbors
  room.kept = at
  at += neighbors
  room.job = at
  at += offsetof<ExactJob>()
  room.distances = at
  at += <usize>(job.count + 4) << 2
  room.listed = at
  at += <usize>(job.count / mostListed + 4) << 2
  room.rest = at
  return at + exactScratchBytes(job.k, queries)
}

/** Scratch for exactByCodes with this many queries; `room` is room for a few words. */
export function exactByCodesBytes(room: usize, block: usize, coded: usize, queries: u32): usize {
  return offsetof<Room>() + layOut(changetype<Room>(room), 0, changetype<ExactJob>(block), changetype<CodedRows>(coded), queries)
}

/** A query's code, clamped as codes of rows are: that brings no two sketches farther apart. */
function encode(coded: CodedRows, sketch: usize, out: usize): void {
  memory.fill(out, 0, <usize>coded.stride << 1)
  for (let j: u32 = 0; j < coded.sketchDims; j++) {
    const code = nearest<f32>(load<f32>(sketch + (<usize>j << 2)) * coded.steps) + 128
    store<i16>(out + (<usize>j << 1), <i16>max<f32>(0, min<f32>(255, code)))
  }
}

/** The squared length of the query as seen from the mean, by its sketch. */
function squareFromMean(coded: CodedRows, sketch: usize): f64 {
  let square: f64 = 0
  for (let j: u32 = 0; j < coded.sketchDims; j++) {
    let value = <f64>load<f32>(sketch + (<usize>j << 2))
    if (coded.mean != 0 && j + 1 == coded.sketchDims) value += <f64>load<f32>(coded.shifts + (<usize>j << 2))
    square += value * value
  }
  return square
}

/**
 * How far apart two codes can be, in steps, if their rows are at most `reach` apart: what rounding adds to both codes, and to the sums that
 * made them. A row that near is no longer than the query and `reach`.
 */
function farthestCode(job: ExactJob, coded: CodedRows, query: usize, sketch: usize, reach: f64): f64 {
  const steps = <f64>coded.steps
  const axes = <f64>(coded.sketchDims - <u32>(coded.mean != 0))
  // The relative error of a sum of `dims` products in four lanes.
  const error = (<f64>job.dims / 4 + 8) / 16777216
  const length = sqrt<f64>(squareOf(query, job.dims)) + reach
  const perAxis = 1.001 + 2 * error * length * steps
  let square = axes * perAxis * perAxis
  if (coded.mean != 0) {
    // A rest is the root of a difference: of a small rest, half of the digits may be wrong.
    const offset = sqrt<f64>(squareFromMean(coded, sketch)) + reach
    const rest = 1.001 + 2 * sqrt<f64>(error * offset * (offset + 2 * sqrt<f64>(axes) * length)) * steps
    square += rest * rest
  }
  return reach * (1 + 4 * error) * <f64>coded.stretch * steps + sqrt<f64>(square)
}

/** The largest squared distance of the k rows with the nearest codes, which the k-th nearest row cannot exceed; negative if fewer may be found. */
function farthestOfNearest(job: ExactJob, room: Room, query: usize): f32 {
  const k = job.k
  const found = selectSmallest(room.distances, job.count, k, room.heap, room.nearest, room.kept)
  if (found < k || load<f32>(room.kept + (<usize>(k - 1) << 2)) == <f32>Infinity) return -1
  l2Gather(query, job.rows, room.nearest, k, job.dims, room.kept)
  let most: f32 = 0
  for (let i: u32 = 0; i < k; i++) most = max<f32>(most, load<f32>(room.kept + (<usize>i << 2)))
  return most
}

/** Lists the rows whose codes are no farther, ascending. Returns how many; 0 if there are too many. */
function listNear(job: ExactJob, room: Room, limit: f32): u32 {
  const most = job.count / mostListed
  const limits = f32x4.splat(limit)
  let count: u32 = 0
  for (let i: u32 = 0; i < job.count; i += 4) {
    let near = i32x4.bitmask(f32x4.le(v128.load(room.distances + (<usize>i << 2)), limits))
    while (near != 0) {
      if (count == most) return 0
      store<u32>(room.listed + (<usize>count << 2), i + <u32>ctz(near))
      count++
      near &= near - 1
    }
  }
  return count
}

/** Distances between the code of query `i` and those of all rows that it may find; infinite for others. */
function compareCodes(job: ExactJob, coded: CodedRows, room: Room, query: usize, i: u32): void {
  const count = job.count
  sketchRows(query, job.dims, coded.axes, coded.shifts, coded.sketchDims, 0, 0, coded.mean, 0, 1, room.sketch)
  encode(coded, room.sketch, room.code)
  l2ScanU8(room.code, coded.codes, count, coded.stride, room.distances)
  if (job.mask != 0) {
    for (let row: u32 = 0; row < count; row++) {
      if (load<u8>(job.mask + <usize>row) == 0) store<f32>(room.distances + (<usize>row << 2), <f32>Infinity)
    }
  }
  if (job.excludeSelf) store<f32>(room.distances + (<usize>i << 2), <f32>Infinity)
  for (let row = count; (row & 3) != 0; row++) store<f32>(room.distances + (<usize>row << 2), <f32>Infinity)
}

/** Lists the rows that may be among the k nearest of query `i`. Returns how many; 0 if codes cannot tell. */
function listPossible(job: ExactJob, coded: CodedRows, room: Room, i: u32): u32 {
  const query = job.queries + ((<usize>i * <usize>job.dims) << 2)
  compareCodes(job, coded, room, query, i)
  const farthest = farthestOfNearest(job, room, query)
  if (farthest < 0) return 0
  const limit = farthestCode(job, coded, query, room.sketch, sqrt<f64>(<f64>farthest))
  return listNear(job, room, <f32>(limit * limit * 1.000001))
}

/** Answers queries [from, to) as exactSearch does, for squared distances and no list; `scratch` has exactByCodesBytes bytes. */
export function exactByCodes(scratch: usize, block: usize, codedBlock: usize, from: u32, to: u32): void {
  const job = changetype<ExactJob>(block)
  const coded = changetype<CodedRows>(codedBlock)
  const room = changetype<Room>(scratch)
  layOut(room, scratch + offsetof<Room>(), job, coded, to - from)
  memory.copy(room.job, block, offsetof<ExactJob>())
  const own = changetype<ExactJob>(room.job)
  own.listed = room.listed
  for (let i = from; i < to; i++) {
    own.listedCount = listPossible(job, coded, room, i)
    if (own.listedCount == 0) {
      // Nor will they for the other queries, most likely: those are answered together.
      exactSearch(room.rest, block, i, to)
      return
    }
    exactSearch(room.rest, room.job, i, i + 1)
  }
}
