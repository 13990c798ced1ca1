// Labels from a forest: route, vote, optionally add the votes of the most similar rows in the leaves (leaf-rows.ts), and rank. One call
// answers a range of queries, which are routed together.

import { Forest, levelSplits, mostDetours, SparseQuery, sparseSplits } from '../blocks/forest'
import { LabelBatch, Labeler } from '../blocks/forest-labels'
import { offer, unpack } from '../top-k'
import { addRowVotes, listRows } from './leaf-rows'
import { probeQuery, projectQuery, routeQuery } from './route'
import { productBytes, scatter, sumListed, unscatter } from './sparse-query'
import { Ballot, voteTrees } from './tree-votes'
import { voteProbes, voteProbesWithout } from './votes'

// @ts-ignore: decorator
@inline
const flip: u32 = 0xffffffff
// @ts-ignore: decorator
@inline
const noRow: u32 = 0xffffffff

/** One thread's scratch memory. Invariant between queries: sums, isFound and the scattered query are zero. */
@unmanaged
class Room extends SparseQuery {
  /** Pairs of a tree and a leaf. */
  leaves: usize
  sizes: usize
  detours: usize
  /** f32 [labels]: votes of the leaves, and votes of their rows. */
  votes: usize
  rowVotes: usize
  listed: usize
  /** The same memory, for plain votes. */
  ballot: Ballot
  heap: usize
  /** u32 [rows]: the rows of the leaves; u8 [rows]: whether a row is among them. */
  found: usize
  isFound: usize
  /** For each query of a range: its leaves, u32 [trees], and its products with listed directions, f32 [listed]. */
  routed: usize
  summed: usize
  /** f32 [trees × levels]: products of the current query with the directions that levels share. */
  projected: usize
}

// @ts-ignore: decorator
@inline
const headBytes: usize = 128
// @ts-ignore: decorator
@inline
const ballotBytes: usize = 32

/** What must be zero comes first, so that its address does not depend on the request. */
function layOut(room: Room, at: usize, labeler: Labeler, top: u32, queries: u32): usize {
  const forest = labeler.forest
  const labels = <usize>forest.labels << 2
  const rows = <usize>labeler.rows.count
  room.scattered = at
  at += <usize>forest.dims << 2
  room.votes = at
  at += labels
  room.rowVotes = at
  at += labels
  // The ballot's.
  at += labels
  room.isFound = at
  at = (at + rows + 7) & ~7
  room.heap = at
  at += <usize>(top + 1) << 3
  room.detours = at
  at += labeler.probes > 0 ? (<usize>mostDetours << 4) + 8 : 0
  room.leaves = at
  at += <usize>(forest.trees + labeler.probes) << 3
  room.sizes = at
  at += <usize>forest.trees << 2
  room.listed = at
  at += labels + 16
  room.found = at
  at += rows << 2
  room.routed = at
  at += <usize>(queries * forest.trees) << 2
  room.projected = at
  at += forest.splits == levelSplits ? <usize>(forest.trees * forest.levels) << 2 : 0
  room.summed = at
  room.products = at
  at += <usize>queries * productBytes(forest)
  at = (at + 15) & ~15
  room.ballot = changetype<Ballot>(at)
  at += ballotBytes
  return (at + 15) & ~15
}

/** Bytes of scratch for a range of this many queries; `room` is a dummy of roomBytes bytes. */
export function forestLabelBytes(room: usize, labeler: Labeler, top: u32, queries: u32): usize {
  return headBytes + layOut(changetype<Room>(room), 0, labeler, top, queries)
}

/** Makes query `i` of the batch, the `place`-th of its range, the current one. */
function ask(forest: Forest, room: Room, asked: LabelBatch, i: u32, place: u32): void {
  const start = load<u32>(asked.offsets + (<usize>i << 2))
  room.indices = asked.indices + (<usize>start << 2)
  room.values = asked.values + (<usize>start << 2)
  room.count = load<u32>(asked.offsets + (<usize>i << 2), 4) - start
  room.products = room.summed + <usize>place * productBytes(forest)
}

/** What trees compare: the SparseQuery for sparse splits, otherwise its dense values. The query must be scattered. */
// @ts-ignore: decorator
@inline
function viewOf(forest: Forest, room: Room): usize {
  return forest.splits == sparseSplits ? changetype<usize>(room) : room.scattered
}

/** The leaves of queries [from, to) in trees whose splits compare single numbers. */
function routeByNumbers(forest: Forest, room: Room, asked: LabelBatch, from: u32, to: u32): void {
  const trees = forest.trees
  for (let i = from; i < to; i++) {
    ask(forest, room, asked, i, i - from)
    scatter(room)
    projectQuery(forest, room.scattered, trees, room.projected)
    const leaves = room.routed + (<usize>((i - from) * trees) << 2)
    routeQuery(forest, room.scattered, room.projected, 0, trees, leaves)
    unscatter(room)
  }
}

/**
 * The leaves of queries [from, to): all queries through two trees at a time. The directions of one tree fit the caches, those of all trees
 * do not, so later queries find cached what earlier ones read.
 */
function routeRun(forest: Forest, room: Room, asked: LabelBatch, from: u32, to: u32): void {
  const trees = forest.trees
  if (forest.splits != sparseSplits) {
    routeByNumbers(forest, room, asked, from, to)
    return
  }
  for (let i = from; i < to; i++) {
    ask(forest, room, asked, i, i - from)
    sumListed(forest, room)
  }
  for (let tree: u32 = 0; tree < trees; tree += 2) {
    for (let i = from; i < to; i++) {
      ask(forest, room, asked, i, i - from)
      scatter(room)
      const leaves = room.routed + (<usize>((i - from) * trees) << 2)
      routeQuery(forest, changetype<usize>(room), 0, tree, min<u32>(tree + 2, trees), leaves)
      unscatter(room)
    }
  }
}

/** The leaves that the `place`-th query of a run reaches, routed or by probing; returns how many. */
function reach(labeler: Labeler, room: Room, place: u32): u32 {
  const forest = labeler.forest
  const trees = forest.trees
  if (labeler.probes > 0) {
    if (forest.splits == sparseSplits) sumListed(forest, room)
    else projectQuery(forest, room.scattered, trees, room.projected)
    return probeQuery(forest, viewOf(forest, room), room.projected, trees, labeler.probes, room.detours, room.leaves)
  }
  const routed = room.routed + (<usize>(place * trees) << 2)
  for (let tree: u32 = 0; tree < trees; tree++) {
    const leaf = load<u32>(routed + (<usize>tree << 2))
    store<u32>(room.leaves + (<usize>tree << 3), tree)
    store<u32>(room.leaves + (<usize>tree << 3), leaf, 4)
  }
  return trees
}

/** Votes of the leaves; returns how many labels have one. */
function vote(labeler: Labeler, room: Room, reached: u32, own: u32): u32 {
  const forest = labeler.forest
  const rows = labeler.rows
  const isOwn = own != noRow
  const from = isOwn ? load<u32>(rows.labelOffsets + (<usize>own << 2)) : 0
  const labels = rows.labelIndices + (<usize>from << 2)
  const count = isOwn ? load<u32>(rows.labelOffsets + (<usize>own << 2), 4) - from : 0
  if (forest.plainVotes) return voteTrees(forest, room.ballot, room.leaves, reached, labels, count)
  if (!isOwn) return voteProbes(forest, room.leaves, reached, forest.trees, room.sizes, room.votes, room.listed)
  return voteProbesWithout(
    forest, room.leaves, reached, forest.trees, room.sizes, labels, count, room.votes, room.listed,
  )
}

/** Puts the best labels into the heap; returns how many. Every label of a leaf's row is also counted by the leaf. */
function select(labeler: Labeler, room: Room, listed: u32, top: u32, rowShare: f32): u32 {
  const leafShare: f32 = <f32>1 - labeler.blend
  let size: u32 = 0
  for (let i: u32 = 0; i < listed; i++) {
    const label = load<u32>(room.listed + (<usize>i << 2))
    const at = <usize>label << 2
    const said = leafShare * load<f32>(room.votes + at) + rowShare * load<f32>(room.rowVotes + at)
    const score = said * load<f32>(labeler.labelScales + at)
    store<f32>(room.votes + at, 0)
    store<f32>(room.rowVotes + at, 0)
    if (score > 0) size = offer(room.heap, size, top, flip, score, label)
  }
  return size
}

function answer(labeler: Labeler, room: Room, place: u32, own: u32, top: u32): u32 {
  scatter(room)
  const reached = reach(labeler, room, place)
  const listed = vote(labeler, room, reached, own)
  let rowShare: f32 = 0
  if (labeler.blend > 0) {
    const found = listRows(labeler.rows, room.leaves, reached, own, room.found, room.isFound)
    const total = addRowVotes(labeler.rows, room, room.found, found, labeler.power, room.rowVotes)
    if (total > 0) rowShare = labeler.blend / total
  }
  unscatter(room)
  return select(labeler, room, listed, top, rowShare)
}

/** The ballot shares the room's memory. */
function openBallot(room: Room, labels: u32): void {
  const ballot = room.ballot
  ballot.scores = room.votes
  ballot.voted = room.rowVotes + (<usize>labels << 2)
  ballot.listed = room.listed
}

/** The leaves that query `i` reaches, as u32 pairs (tree, leaf) at `out`; returns how many. The scratch is as for forestLabels. */
export function forestReach(scratch: usize, labeler: Labeler, asked: LabelBatch, i: u32, out: usize): u32 {
  const room = changetype<Room>(scratch)
  layOut(room, scratch + headBytes, labeler, asked.top, 1)
  if (labeler.probes == 0) routeRun(labeler.forest, room, asked, i, i + 1)
  ask(labeler.forest, room, asked, i, 0)
  scatter(room)
  const reached = reach(labeler, room, 0)
  unscatter(room)
  memory.copy(out, room.leaves, <usize>reached << 3)
  return reached
}

/** Answers queries [from, to); `top` is above 0, and the scratch begins as zeros. A query without features has no answer. */
export function forestLabels(scratch: usize, labeler: Labeler, asked: LabelBatch, from: u32, to: u32): void {
  const room = changetype<Room>(scratch)
  const top = asked.top
  const forest = labeler.forest
  layOut(room, scratch + headBytes, labeler, top, to - from)
  openBallot(room, forest.labels)
  if (labeler.probes == 0) routeRun(forest, room, asked, from, to)
  for (let i = from; i < to; i++) {
    ask(forest, room, asked, i, i - from)
    const own = asked.own == 0 ? noRow : load<u32>(asked.own + (<usize>i << 2))
    const size = room.count == 0 ? 0 : answer(labeler, room, i - from, own, top)
    const at = <usize>(i * top) << 2
    unpack(room.heap, size, flip, asked.outLabels + at, asked.outScores + at)
    store<u32>(asked.outCounts + (<usize>i << 2), size)
  }
}
