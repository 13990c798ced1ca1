// Votes of the training rows in the leaves a query reached. Each row votes for its labels with its cosine, raised to a power: the forest
// chooses the voters, the cosine their weights.

import { sumLanes } from '../lanes'
import { SparseQuery } from '../blocks/forest'
import { LeafRows } from '../blocks/forest-labels'

// @ts-ignore: decorator
@inline
function listRow(rows: LeafRows, row: u32, own: u32, found: usize, isFound: usize, count: u32): u32 {
  const isNew = load<u8>(isFound + <usize>row) == 0 && load<u8>(rows.alive + <usize>row) != 0 && row != own
  if (!isNew) return count
  store<u8>(isFound + <usize>row, 1)
  store<u32>(found + (<usize>count << 2), row)
  return count + 1
}

/** Lists the rows of `reached` leaves (pairs of a tree and a leaf), each once and without `own`; returns how many. */
export function listRows(rows: LeafRows, pairs: usize, reached: u32, own: u32, found: usize, isFound: usize): u32 {
  let count: u32 = 0
  for (let i: u32 = 0; i < reached; i++) {
    const leaf = <usize>load<u32>(pairs + (<usize>i << 3), 4) << 2
    const end = load<u32>(rows.memberOffsets + leaf, 4)
    for (let m = load<u32>(rows.memberOffsets + leaf); m < end; m++) {
      count = listRow(rows, load<u32>(rows.members + (<usize>m << 2)), own, found, isFound, count)
    }
    if (rows.addedHeads == 0) continue
    let next = load<u32>(rows.addedHeads + leaf)
    while (next != 0) {
      const pair = rows.addedRows + (<usize>(next - 1) << 3)
      count = listRow(rows, load<u32>(pair), own, found, isFound, count)
      next = load<u32>(pair, 4)
    }
  }
  for (let i: u32 = 0; i < count; i++) store<u8>(isFound + <usize>load<u32>(found + (<usize>i << 2)), 0)
  return count
}

/** The cosine with a dense row, times the query's length. That factor is the same for all rows, so it cancels in the shares. */
function denseCosine(rows: LeafRows, row: u32, query: SparseQuery): f32 {
  const dims = rows.dims
  const values = rows.values + ((<usize>row * <usize>dims) << 2)
  let products = f32x4.splat(0)
  let squares = f32x4.splat(0)
  let j: u32 = 0
  for (; j + 4 <= dims; j += 4) {
    const own = v128.load(values + (<usize>j << 2))
    products = f32x4.add(products, f32x4.mul(own, v128.load(query.scattered + (<usize>j << 2))))
    squares = f32x4.add(squares, f32x4.mul(own, own))
  }
  let product = sumLanes(products)
  let square = sumLanes(squares)
  for (; j < dims; j++) {
    const own = load<f32>(values + (<usize>j << 2))
    product += own * load<f32>(query.scattered + (<usize>j << 2))
    square += own * own
  }
  return square > 0 ? product / sqrt<f32>(square) : 0
}

function cosine(rows: LeafRows, row: u32, query: SparseQuery): f32 {
  if (rows.indices == 0) return denseCosine(rows, row, query)
  const end = load<u32>(rows.offsets + (<usize>row << 2), 4)
  let sum: f32 = 0
  for (let e = load<u32>(rows.offsets + (<usize>row << 2)); e < end; e++) {
    const at = <usize>e << 2
    sum += load<f32>(rows.values + at) * load<f32>(query.scattered + (<usize>load<u32>(rows.indices + at) << 2))
  }
  return sum
}

/** Adds the votes of the listed rows to `sums`, f32 [labels], zero before; returns the sum of all votes. */
export function addRowVotes(
  rows: LeafRows, query: SparseQuery, found: usize, count: u32, power: f32, sums: usize,
): f32 {
  let total: f32 = 0
  for (let i: u32 = 0; i < count; i++) {
    const row = load<u32>(found + (<usize>i << 2))
    const likeness = cosine(rows, row, query)
    if (!(likeness > 0)) continue
    const vote = power == 1 ? likeness : Mathf.pow(likeness, power)
    total += vote
    const end = load<u32>(rows.labelOffsets + (<usize>row << 2), 4)
    for (let e = load<u32>(rows.labelOffsets + (<usize>row << 2)); e < end; e++) {
      const at = sums + (<usize>load<u32>(rows.labelIndices + (<usize>e << 2)) << 2)
      store<f32>(at, load<f32>(at) + vote)
    }
  }
  return total
}
