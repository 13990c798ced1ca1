// Neighbors of sparse queries by a forest whose labels are rows: leaves vote for rows, the rows with the best scores are candidates, and
// their products with the query are computed exactly as the inverted index does. If the leaves hold too few rows, the lists answer the
// query instead.

import { mostDetours, SparseQuery } from '../blocks/forest'
import { Finder, InvertedLists, SparseBatch } from '../blocks/sparse-search'
import { computeKeys } from '../inverted/exact'
import { allowed, product } from '../inverted/layout'
import { layOut as layOutLists, Scratch } from '../inverted/scratch'
import { invertedSearch } from '../inverted/search'
import { keyAt, offer, replaceTop, rise, unpack } from '../top-k'
import { probeQuery, routeQuery } from './route'
import { productBytes, scatter, sumListed, unscatter } from './sparse-query'
import { voteLeaves, voteProbes } from './votes'

// @ts-ignore: decorator
@inline
const flip: u32 = 0xffffffff

/** One thread's scratch memory. Invariant between queries: votes and the scattered query are zero. */
@unmanaged
class Room extends SparseQuery {
  /** f32 [labels]; first, so that its address and that of the lists' zeros depend only on the index. */
  votes: usize
  lists: usize
  listed: usize
  leaves: usize
  sizes: usize
  detours: usize
  /** u64 [candidates + 1] */
  heap: usize
  /** f32 [terms]: the query scaled to length 1. */
  scaled: usize
}

// @ts-ignore: decorator
@inline
const headBytes: usize = 128

// @ts-ignore: decorator
@inline
function candidatesOf(finder: Finder): u32 {
  return min(finder.candidates, finder.forest.labels)
}

/** The lists' own block is written beside the room, for whoever only counts bytes. */
function layOut(room: Room, at: usize, finder: Finder, k: u32, terms: u32): usize {
  const forest = finder.forest
  const lists = changetype<Scratch>(changetype<usize>(room) + headBytes)
  const labels = (<usize>forest.labels + 16) << 2
  room.votes = at
  room.lists = (at + labels + 63) & ~63
  at = layOutLists(lists, room.lists, finder.index, k, terms)
  room.scattered = lists.query
  room.heap = at
  at += <usize>(candidatesOf(finder) + 1) << 3
  room.detours = at
  at += finder.probes > 0 ? (<usize>mostDetours << 4) + 8 : 0
  room.leaves = at
  at += <usize>(finder.trees + finder.probes) << 3
  room.sizes = at
  at += <usize>finder.trees << 2
  room.listed = at
  at += labels
  room.scaled = at
  at += <usize>terms << 2
  room.products = at
  return at + productBytes(forest)
}

/** Bytes of scratch that sparseForestSearch needs, zeros at first; `block` is a dummy of roomBytes bytes. */
export function sparseForestBytes(block: usize, finder: Finder, k: u32, terms: u32): usize {
  return 2 * headBytes + layOut(changetype<Room>(block), 0, finder, k, terms)
}

/** Bit-identical to the scaling of rows in src/matrix. */
function scale(values: usize, count: u32, out: usize): void {
  let sum: f64 = 0
  for (let e: u32 = 0; e < count; e++) {
    const value = <f64>load<f32>(values + (<usize>e << 2))
    sum += value * value
  }
  const factor = sum == 0 ? 0 : 1 / sqrt(sum)
  for (let e: u32 = 0; e < count; e++) {
    store<f32>(out + (<usize>e << 2), <f32>(<f64>load<f32>(values + (<usize>e << 2)) * factor))
  }
}

/** Scores the rows in the leaves; returns how many. */
function vote(finder: Finder, room: Room): u32 {
  const forest = finder.forest
  const query = changetype<usize>(room)
  const trees = finder.trees
  sumListed(forest, room)
  if (finder.probes == 0) {
    routeQuery(forest, query, 0, 0, trees, room.leaves)
    return voteLeaves(forest, room.leaves, trees, room.votes, room.listed)
  }
  const reached = probeQuery(forest, query, 0, trees, finder.probes, room.detours, room.leaves)
  return voteProbes(forest, room.leaves, reached, trees, room.sizes, room.votes, room.listed)
}

/** The best of the rows that score above the threshold and may be returned, into the room's heap; returns how many. */
function choose(finder: Finder, room: Room, listed: u32, mask: usize): u32 {
  const most = candidatesOf(finder)
  let size: u32 = 0
  for (let i: u32 = 0; i < listed; i++) {
    const row = load<u32>(room.listed + (<usize>i << 2))
    const at = room.votes + (<usize>row << 2)
    const score = load<f32>(at)
    store<f32>(at, 0)
    if (score > finder.threshold && allowed(mask, row)) size = offer(room.heap, size, most, flip, score, row)
  }
  return size
}

// @ts-ignore: decorator
@inline
function offerKey(heap: usize, size: u32, k: u32, key: u64): u32 {
  if (size < k) {
    rise(heap, size, key)
    return size + 1
  }
  if (key < keyAt(heap, 0)) replaceTop(heap, size, key)
  return size
}

/** The nearest of the chosen rows, into the lists' heap; returns how many. Rows added after the lists were built are handled apart. */
function compare(index: InvertedLists, room: Room, scratch: Scratch, chosen: u32, k: u32): u32 {
  let count: u32 = 0
  let size: u32 = 0
  for (let i: u32 = 0; i < chosen; i++) {
    const row = <u32>keyAt(room.heap, i)
    if (row < index.rows) {
      store<u64>(scratch.candidates + (<usize>count << 3), <u64>row)
      count++
    } else if (row - index.rows < index.tailRows) {
      const score = product(index.tailOffsets, index.tailPairs, scratch.query, row - index.rows)
      if (score > 0) size = offer(scratch.heap, size, k, flip, score, row)
    }
  }
  const found = computeKeys(index, scratch, count)
  for (let i: u32 = 0; i < found; i++) size = offerKey(scratch.heap, size, k, keyAt(scratch.candidates, i))
  return size
}

/** How many of the query's features the trees know: rows that were added may have higher ones. */
function knownTerms(indices: usize, count: u32, dims: u32): u32 {
  while (count > 0 && load<u32>(indices + (<usize>(count - 1) << 2)) >= dims) count--
  return count
}

/** Answers query `i`; returns how many candidates there were. */
function answer(finder: Finder, room: Room, batch: SparseBatch, i: u32): u32 {
  const start = load<u32>(batch.offsets + (<usize>i << 2))
  const values = batch.values + (<usize>start << 2)
  room.indices = batch.indices + (<usize>start << 2)
  const terms = load<u32>(batch.offsets + (<usize>i << 2), 4) - start
  room.count = terms
  room.values = finder.scales ? room.scaled : values
  if (finder.scales) scale(values, room.count, room.scaled)
  scatter(room)
  room.count = knownTerms(room.indices, terms, finder.forest.dims)
  const chosen = choose(finder, room, vote(finder, room), batch.mask)
  room.count = terms
  room.values = values
  if (finder.scales) scatter(room)
  const scratch = changetype<Scratch>(changetype<usize>(room) + headBytes)
  const size = compare(finder.index, room, scratch, chosen, batch.k)
  unscatter(room)
  const at = <usize>i * batch.k << 2
  unpack(scratch.heap, size, flip, batch.outRows + at, batch.outScores + at)
  store<u32>(batch.outCounts + (<usize>i << 2), size)
  if (size >= finder.wanted) return chosen
  return chosen + invertedSearch(room.lists, changetype<usize>(finder.index), changetype<usize>(batch), i, i + 1)
}

/** Answers queries [from, to) of a batch; returns how many candidates there were. */
export function sparseForestSearch(scratch: usize, finder: Finder, batch: SparseBatch, from: u32, to: u32): u32 {
  const room = changetype<Room>(scratch)
  layOut(room, scratch + 2 * headBytes, finder, batch.k, batch.terms)
  let candidates: u32 = 0
  for (let i = from; i < to; i++) candidates += answer(finder, room, batch, i)
  return candidates
}
