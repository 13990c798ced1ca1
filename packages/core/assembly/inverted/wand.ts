// Document-at-a-time with Weak-AND (paper 003, sections 4.2 and 5.3): all lists advance together, in the order of their rows. The
// pivot is the first row that the lists' upper bounds allow into the k best; only pivots are computed in full.

import { InvertedLists } from '../blocks/sparse-search'
import { offer, worstScore } from '../top-k'
import { allowed, f32At, flip, numberOf, Request, similarity, spread, u32At } from './layout'
import { Scratch } from './scratch'

/** A list being read: its current row, its position, its end, and the most it can add to a score. */
// @ts-ignore: decorator
@unmanaged
class Cursor {
  row: u32
  position: u32
  end: u32
  bound: f32
}
const cursorBytes: usize = 16
const exhausted: u32 = 0xffffffff
/** Bounds are f32 sums: this factor covers their rounding. */
const margin: f32 = 1.0001

// @ts-ignore: decorator
@inline
function cursorAt(cursors: usize, i: u32): Cursor {
  return changetype<Cursor>(cursors + <usize>i * cursorBytes)
}

/** Moves cursor `i` to its place: rows ascend along the cursors. The cursors after it are in order. */
function settle(cursors: usize, i: u32, count: u32): void {
  const low = load<u64>(cursors + <usize>i * cursorBytes)
  const high = load<u64>(cursors + <usize>i * cursorBytes, 8)
  const row = <u32>low
  while (i + 1 < count && cursorAt(cursors, i + 1).row < row) {
    const at = cursors + <usize>i * cursorBytes
    v128.store(at, v128.load(at, 16))
    i++
  }
  store<u64>(cursors + <usize>i * cursorBytes, low)
  store<u64>(cursors + <usize>i * cursorBytes, high, 8)
}

/** First position from `from` on whose row is at least `row` (galloping search). */
function seek(pairs: usize, from: u32, end: u32, row: u32): u32 {
  let step: u32 = 1
  let low = from
  while (low + step < end && numberOf(pairs, low + step) < row) {
    low += step
    step <<= 1
  }
  let high = min<u32>(low + step, end)
  while (low < high) {
    const middle = (low + high) >> 1
    if (numberOf(pairs, middle) < row) low = middle + 1
    else high = middle
  }
  return low
}

function advance(pairs: usize, cursor: Cursor, row: u32): void {
  cursor.position = seek(pairs, cursor.position, cursor.end, row)
  cursor.row = cursor.position < cursor.end ? numberOf(pairs, cursor.position) : exhausted
}

/** Sets up a cursor for every list that has a posting; returns how many. */
function open(index: InvertedLists, request: Request, cursors: usize, pairs: usize, starts: usize, tops: usize): u32 {
  let count: u32 = 0
  for (let i: u32 = 0; i < request.count; i++) {
    const feature = u32At(request.indices, i)
    const cursor = cursorAt(cursors, count)
    cursor.position = u32At(starts, feature)
    cursor.end = u32At(index.listOffsets, feature + 1)
    if (cursor.position >= cursor.end) continue
    cursor.row = numberOf(pairs, cursor.position)
    cursor.bound = f32At(request.values, i) * f32At(tops, feature)
    count++
  }
  for (let i: u32 = count; i > 0; i--) settle(cursors, i - 1, count)
  return count
}

/** The first cursor whose row could beat `floor`, by the bounds up to it; `count` if none can. */
function findPivot(cursors: usize, count: u32, floor: f32): u32 {
  let bound: f32 = 0
  for (let i: u32 = 0; i < count; i++) {
    const cursor = cursorAt(cursors, i)
    if (cursor.row == exhausted) return count
    bound += cursor.bound
    if (bound > 0 && bound * margin >= floor) return i
  }
  return count
}

/** Moves every list at or before the pivot's row past it: the rows it skips could not be among the k best. */
function passRow(pairs: usize, cursors: usize, count: u32, pivot: u32, row: u32): void {
  let last = pivot
  while (last + 1 < count && cursorAt(cursors, last + 1).row == row) last++
  for (let i: u32 = last + 1; i > 0; i--) {
    advance(pairs, cursorAt(cursors, i - 1), row + 1)
    settle(cursors, i - 1, count)
  }
}

/** Continues with a heap of `size` neighbors over the given lists; returns the heap's size. */
function traverse(
  index: InvertedLists, request: Request, scratch: Scratch, pairs: usize, starts: usize, tops: usize, size: u32,
): u32 {
  const cursors = scratch.terms
  const k = request.k
  const count = open(index, request, cursors, pairs, starts, tops)
  spread(request, scratch.query, false)
  let pivot = findPivot(cursors, count, size == k ? worstScore(scratch.heap, flip) : 0)
  while (pivot < count) {
    const row = cursorAt(cursors, pivot).row
    if (allowed(request.mask, row)) {
      const score = similarity(index, scratch.query, row)
      scratch.counted++
      if (score > 0) size = offer(scratch.heap, size, k, flip, score, row)
    }
    passRow(pairs, cursors, count, pivot, row)
    pivot = findPivot(cursors, count, size == k ? worstScore(scratch.heap, flip) : 0)
  }
  spread(request, scratch.query, true)
  return size
}

export function wand(index: InvertedLists, request: Request, scratch: Scratch): u32 {
  return traverse(index, request, scratch, index.listPairs, index.listOffsets, index.tops, 0)
}

/** Over the second part of a partitioned index, after its first part. */
export function wandSecondPart(index: InvertedLists, request: Request, scratch: Scratch, size: u32): u32 {
  return traverse(index, request, scratch, index.partPairs, index.partStarts, index.partTops, size)
}
