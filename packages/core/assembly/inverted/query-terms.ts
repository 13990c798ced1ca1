// The terms of a query as lists and columns need them (columns.ts), and the bounds that follow from them.

import { InvertedLists } from '../blocks/sparse-search'
import { f32At, Request, u32At } from './layout'
import { Scratch } from './scratch'

/** A list being read: its next posting, its end, and the query's weight. */
// @ts-ignore: decorator
@unmanaged
export class List {
  next: usize
  end: usize
  weight: f32
}
const listBytes: usize = 16

/** A feature's column, and the most it can add to a similarity. */
// @ts-ignore: decorator
@unmanaged
class Column {
  bytes: usize
  most: f32
}
const columnBytes: usize = 8

/** Two columns and their weights, 16 bits each: one instruction adds up both products. */
// @ts-ignore: decorator
@unmanaged
export class Pair {
  first: usize
  second: usize
  weights: u32
}
export const pairBytes: usize = 16

// @ts-ignore: decorator
@unmanaged
export class Terms {
  lists: u32
  columns: u32
  endOfPairs: usize
  /** The value of one step of the columns' sums. */
  unit: f32
  /** The largest similarity a row can have. */
  bound: f32
  /** How far above its similarity a row's estimate can be, and what rounding can add to that or take off. */
  excess: f32
  margin: f32
  /** The most that the columns can add to an estimate. */
  rest: f32
}

const largestWeight: f32 = 32767
const largestByte: f32 = 255
const largestSum: f32 = 0x40000000
/** Below this, sums of bytes times units are not exact enough. */
const smallestUnit: f32 = 1e-36
/** Rounding error of one addition, with some slack. */
const rounding: f32 = 2.5e-7

// @ts-ignore: decorator
@inline
export function listAt(scratch: Scratch, i: u32): List {
  return changetype<List>(scratch.terms + <usize>i * listBytes)
}

// @ts-ignore: decorator
@inline
function columnAt(scratch: Scratch, i: u32): Column {
  return changetype<Column>(scratch.columns + <usize>i * columnBytes)
}

export function openTerms(index: InvertedLists, request: Request, scratch: Scratch, terms: Terms): void {
  let tops: f32 = 0
  let squares: f64 = 0
  let columnSquares: f64 = 0
  terms.lists = 0
  terms.columns = 0
  for (let i: u32 = 0; i < request.count; i++) {
    const weight = f32At(request.values, i)
    if (weight == 0) continue
    const feature = u32At(request.indices, i)
    tops += weight * f32At(index.tops, feature)
    squares += <f64>weight * <f64>weight
    openList(index, scratch, terms, feature, weight)
    const bytes = u32At(index.columns, feature)
    if (bytes == 0) continue
    columnSquares += <f64>weight * <f64>weight
    const column = columnAt(scratch, terms.columns++)
    column.bytes = bytes
    column.most = weight * f32At(index.columnTops, feature)
  }
  terms.bound = min(tops, <f32>sqrt(squares) * index.maxLength)
  terms.margin = terms.bound * <f32>(request.count + 64) * rounding
  const most = pairColumns(scratch, terms)
  // Bytes and weights are both rounded up.
  terms.excess = most / largestByte + <f32>terms.columns * largestByte * terms.unit
  const atMost = min(most, <f32>sqrt(columnSquares) * index.maxLength)
  terms.rest = terms.columns == 0 ? 0 : atMost + terms.excess + terms.margin
}

function openList(index: InvertedLists, scratch: Scratch, terms: Terms, feature: u32, weight: f32): void {
  const next = u32At(index.shortOffsets, feature)
  const end = u32At(index.shortOffsets, feature + 1)
  if (next == end) return
  const list = listAt(scratch, terms.lists++)
  list.next = index.shortPairs + (<usize>next << 3)
  list.end = index.shortPairs + (<usize>end << 3)
  list.weight = weight
}

/** Interleaves columns in pairs; returns the most that all can add. */
function pairColumns(scratch: Scratch, terms: Terms): f32 {
  let all: f32 = 0
  let largest: f32 = 0
  for (let i: u32 = 0; i < terms.columns; i++) {
    const most = columnAt(scratch, i).most
    all += most
    largest = max(largest, most)
  }
  terms.unit = max(max(largest / (largestWeight * largestByte), all / largestSum), smallestUnit)
  terms.endOfPairs = scratch.pairs + <usize>((terms.columns + 1) >> 1) * pairBytes
  // An odd column is paired with one of weight 0.
  const none = columnAt(scratch, terms.columns)
  none.bytes = columnAt(scratch, 0).bytes
  none.most = 0
  for (let i: u32 = 0; i < terms.columns; i += 2) {
    const pair = changetype<Pair>(scratch.pairs + <usize>(i >> 1) * pairBytes)
    const first = columnAt(scratch, i)
    const second = columnAt(scratch, i + 1)
    pair.first = first.bytes
    pair.second = second.bytes
    pair.weights = weightOf(first, terms.unit) | (weightOf(second, terms.unit) << 16)
  }
  return all
}

// @ts-ignore: decorator
@inline
function weightOf(column: Column, unit: f32): u32 {
  return <u32>min(largestWeight, ceil<f32>(column.most / (largestByte * unit)))
}
