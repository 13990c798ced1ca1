// Answering queries with a forest: sketch, route, vote, choose candidates, re-rank. One call answers a range of queries.

import { encodeQuery, sketchQuery } from './sketch'
import { shortBytes } from './short-axes'
import { Asked, labelStep, Searched } from '../blocks/dense-forest'
import { mostDetours } from '../blocks/forest'
import { layRerank, nearestCodes, rerank, rerankNearest } from './rerank'
import { probeQuery, projectQuery, routeQuery } from './route'
import { voteLeaves, voteProbes } from './votes'
import { layWalk, walkLinks, WalkRoom, walkWidth } from './walk'

@unmanaged
export class SearchRoom extends WalkRoom {
  view: usize
  /** The query as i16, filled up to whole lanes. */
  short: usize
  projected: usize
  leaves: usize
  sizes: usize
  detours: usize
  /** f32 [labels]: zeros between queries. */
  scores: usize
}

// @ts-ignore: decorator
@inline
const headBytes: usize = 128

/** The room at the start of the scratch, laid out for a request. */
export function roomAt(scratch: usize, index: Searched, asked: Asked): SearchRoom {
  const room = changetype<SearchRoom>(scratch)
  layOut(room, scratch + headBytes, index, asked)
  return room
}

/** Lays out the room after its header; returns its end. */
function layOut(room: SearchRoom, at: usize, index: Searched, asked: Asked): usize {
  const forest = index.forest
  const trees = <usize>forest.trees
  const leaves = trees + <usize>asked.probes
  // The scores come first, with some spare room, then the bits of seen rows. Their addresses must not depend on the request: they stay zero
  // from query to query, also while a few labels are added.
  const labels = <usize>((forest.labels + labelStep - 1) & ~(labelStep - 1))
  room.scores = at
  at += labels << 2
  room.seen = at
  at += labels >> 3
  room.view = at
  at += <usize>(index.sketchDims + 4) << 2
  at = (at + 15) & ~15
  room.short = at
  at += shortBytes(index.dims)
  room.projected = at
  at += (trees * <usize>forest.levels + 4) << 2
  room.leaves = at
  at += leaves << 3
  room.sizes = at
  at += trees << 2
  at = (at + 15) & ~15
  room.detours = at
  at += asked.probes > 0 ? (<usize>mostDetours << 4) + 8 : 0
  at = (at + 15) & ~15
  room.candidates = at
  at += <usize>(forest.labels + 4) << 2
  at = (at + 15) & ~15
  at = layWalk(room, at, walkWidth(asked), forest.labels)
  return layRerank(room, at, index, forest.labels) + 16
}

/** Bytes of scratch that forestSearch needs; `room` is a dummy of roomBytes bytes. */
export function forestScratchBytes(room: usize, index: Searched, asked: Asked): usize {
  return headBytes + layOut(changetype<SearchRoom>(room), 0, index, asked)
}

/** Lists the labels with a score; the scores stay in the room. */
function vote(index: Searched, asked: Asked, room: SearchRoom, view: usize): u32 {
  const forest = index.forest
  const trees = asked.trees
  projectQuery(forest, view, trees, room.projected)
  if (asked.probes == 0) {
    routeQuery(forest, view, room.projected, 0, trees, room.leaves)
    return voteLeaves(forest, room.leaves, trees, room.scores, room.candidates)
  }
  const found = probeQuery(forest, view, room.projected, trees, asked.probes, room.detours, room.leaves)
  return voteProbes(forest, room.leaves, found, trees, room.sizes, room.scores, room.candidates)
}

/** Keeps the labels that score above the limit and may be found; clears the scores. A walk goes through the others, too. */
function choose(asked: Asked, room: SearchRoom, listed: u32): u32 {
  const limit = asked.threshold
  const mask: usize = asked.walk > 0 ? 0 : asked.mask
  let kept: u32 = 0
  for (let i: u32 = 0; i < listed; i++) {
    const label = load<u32>(room.candidates + (<usize>i << 2))
    const at = room.scores + (<usize>label << 2)
    const passes = load<f32>(at) > limit && (mask == 0 || load<u8>(mask + <usize>label) != 0)
    store<f32>(at, 0)
    store<u32>(room.candidates + (<usize>kept << 2), label)
    kept += <u32>passes
  }
  return kept
}

/** The rows that the forest proposes for a query; returns how many. */
function propose(index: Searched, asked: Asked, room: SearchRoom, query: usize): u32 {
  if (index.sketchDims > 0) sketchQuery(index, query, room.short, room.view)
  if (index.codes != 0) encodeQuery(index, room.view, room.code)
  return choose(asked, room, vote(index, asked, room, index.treesSeeSketch ? room.view : query))
}

/** Answers queries [from, to); scratch must be zero at first. Returns how many candidates there were in all. */
export function forestSearch(scratch: usize, index: Searched, asked: Asked, from: u32, to: u32): u32 {
  const room = roomAt(scratch, index, asked)
  const k = asked.k
  let candidates: u32 = 0
  for (let i: u32 = from; i < to; i++) {
    const query = asked.queries + ((<usize>i * <usize>index.dims) << 2)
    const count = propose(index, asked, room, query)
    const rows = asked.outRows + (<usize>(i * k) << 2)
    const raw = asked.outDistances + (<usize>(i * k) << 2)
    let found: u32
    if (asked.walk > 0) {
      const near = walkLinks(index, asked, room, count)
      found = rerankNearest(index, room, query, room.candidates, near, asked.rerank, k, rows, raw)
      candidates += room.compared
    } else {
      found = rerank(index, room, query, room.candidates, count, asked.rerank, k, rows, raw)
      candidates += count
    }
    store<u32>(asked.outCounts + (<usize>i << 2), found)
  }
  return candidates
}

/**
 * Candidates of the first query by codes alone, nearest first, at most k: for filters that must be called for each one before comparing.
 * Writes no distances. The scratch is as for forestSearch.
 */
export function forestNear(scratch: usize, index: Searched, asked: Asked): void {
  const room = roomAt(scratch, index, asked)
  const count = propose(index, asked, room, asked.queries)
  if (asked.walk > 0) {
    const near = min<u32>(asked.k, walkLinks(index, asked, room, count))
    memory.copy(asked.outRows, room.candidates, <usize>near << 2)
    store<u32>(asked.outCounts, near)
    return
  }
  store<u32>(asked.outCounts, nearestCodes(index, room, room.candidates, count, asked.k, asked.outRows))
}

/**
 * The k nearest of `count` listed rows to query `i`, compared exactly, all of them: for filters that few rows pass, and for when the forest
 * finds too few. The scratch is as for forestSearch.
 */
export function rankRows(scratch: usize, index: Searched, asked: Asked, i: u32, listed: usize, count: u32): void {
  const room = roomAt(scratch, index, asked)
  const k = asked.k
  const query = asked.queries + ((<usize>i * <usize>index.dims) << 2)
  const rows = asked.outRows + (<usize>(i * k) << 2)
  const raw = asked.outDistances + (<usize>(i * k) << 2)
  if (index.rows == 0 && index.rowCodes == 0) {
    sketchQuery(index, query, room.short, room.view)
    encodeQuery(index, room.view, room.code)
  }
  store<u32>(asked.outCounts + (<usize>i << 2), rerank(index, room, query, listed, count, count, k, rows, raw))
}
