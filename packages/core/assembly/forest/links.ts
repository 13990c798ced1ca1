// Links between rows, for walks along them: u32 [rows × width], a row's links first, then `noLink`. A row links to near rows, except those
// that are nearer to another row it links to: that one leads there (the pruning of HNSW and Vamana). All distances are between codes.

import { l2GatherU8 } from '../quantized'
import { noLink, Searched } from '../blocks/dense-forest'
import { layRerank, nearestCodes, RerankRoom } from './rerank'

@unmanaged
export class LinkRoom extends RerankRoom {
  candidates: usize
  sorted: usize
  /** A candidate's code: i16 [codeStride]. */
  other: usize
  /** Its distances from the links so far: f32 [width]. */
  apart: usize
}

// @ts-ignore: decorator
@inline
const headBytes: usize = 128

function layOut(room: LinkRoom, at: usize, index: Searched, most: u32): usize {
  const list = <usize>(most + 4) << 2
  room.candidates = at
  at += list
  room.sorted = at
  at += list
  room.apart = at
  at += <usize>(index.linkWidth + 4) << 2
  at = (at + 15) & ~15
  room.other = at
  at += <usize>index.codeStride << 1
  return layRerank(room, at, index, most) + 16
}

/** Bytes of scratch for linking a row with some of at most `most` others; `room` is a dummy of 128 bytes. */
export function linkScratchBytes(room: usize, index: Searched, most: u32): usize {
  return headBytes + layOut(changetype<LinkRoom>(room), 0, index, most)
}

function roomAt(scratch: usize, index: Searched, most: u32): LinkRoom {
  const room = changetype<LinkRoom>(scratch)
  layOut(room, scratch + headBytes, index, most)
  return room
}

// @ts-ignore: decorator
@inline
function linksOf(links: usize, width: u32, row: u32): usize {
  return links + ((<usize>row * <usize>width) << 2)
}

/** A row's code, widened as queries are. */
export function widenCode(index: Searched, row: u32, out: usize): void {
  const code = index.codes + <usize>row * <usize>index.codeStride
  for (let j: u32 = 0; j < index.codeStride; j += 8) {
    v128.store(out + (<usize>j << 1), i16x8.extend_low_i8x16_u(v128.load64_zero(code + <usize>j)))
  }
}

function isListed(list: usize, count: u32, row: u32): bool {
  for (let i: u32 = 0; i < count; i++) if (load<u32>(list + (<usize>i << 2)) == row) return true
  return false
}

function endLinks(out: usize, count: u32, width: u32): void {
  for (let i = count; i < width; i++) store<u32>(out + (<usize>i << 2), noLink)
}

/** Links compared at a time: the nearest few lead to most candidates. */
// @ts-ignore: decorator
@inline
const linksAtOnce: u32 = 8

/** Whether a candidate at `distance` from its row is nearer to one of `count` links, by more than the slack. */
function isLedTo(index: Searched, room: LinkRoom, candidate: u32, distance: f32, links: usize, count: u32, slack: f32): bool {
  widenCode(index, candidate, room.other)
  for (let from: u32 = 0; from < count; from += linksAtOnce) {
    const some = min<u32>(linksAtOnce, count - from)
    l2GatherU8(room.other, index.codes, links + (<usize>from << 2), some, index.codeStride, room.apart)
    for (let i: u32 = 0; i < some; i++) {
      if (slack * load<f32>(room.apart + (<usize>i << 2)) < distance) return true
    }
  }
  return false
}

/** Writes a row's links: those of `count` candidates that no nearer link leads to, nearest first. */
function prune(index: Searched, room: LinkRoom, row: u32, count: u32, slack: f32, out: usize): void {
  const width = index.linkWidth
  widenCode(index, row, room.code)
  const sorted = nearestCodes(index, room, room.candidates, count, count, room.sorted)
  let linked: u32 = 0
  for (let i: u32 = 0; i < sorted && linked < width; i++) {
    const candidate = load<u32>(room.sorted + (<usize>i << 2))
    const distance = load<f32>(room.kept + (<usize>i << 2))
    if (isLedTo(index, room, candidate, distance, out, linked, slack)) continue
    store<u32>(out + (<usize>linked << 2), candidate)
    linked++
  }
  endLinks(out, linked, width)
}

/** All candidates if there is room for them, else those that pruning leaves. */
function settle(index: Searched, room: LinkRoom, row: u32, count: u32, slack: f32, out: usize): void {
  if (count > index.linkWidth) {
    prune(index, room, row, count, slack, out)
    return
  }
  memory.copy(out, room.candidates, <usize>count << 2)
  endLinks(out, count, index.linkWidth)
}

/**
 * Links of rows [from, to) with rows of their neighbor lists. Rows with a 0 in `mask` (u8 [rows]; address 0: no mask) get no links and are
 * no row's link.
 */
export function linkRows(
  scratch: usize, index: Searched, lists: usize, counts: usize, k: u32, mask: usize, slack: f32, out: usize, from: u32, to: u32,
): void {
  const room = roomAt(scratch, index, k)
  for (let row: u32 = from; row < to; row++) {
    const isMasked = mask != 0 && load<u8>(mask + <usize>row) == 0
    const length: u32 = isMasked ? 0 : load<u32>(counts + (<usize>row << 2))
    let count: u32 = 0
    for (let i: u32 = 0; i < length; i++) {
      const neighbor = load<u32>(lists + ((<usize>row * <usize>k + <usize>i) << 2))
      store<u32>(room.candidates + (<usize>count << 2), neighbor)
      count += <u32>(neighbor != row && (mask == 0 || load<u8>(mask + <usize>neighbor) != 0))
    }
    prune(index, room, row, count, slack, linksOf(out, index.linkWidth, row))
  }
}

/**
 * Links of rows [from, to) in both directions: their own, and those of the rows that are linked with them (CSR), pruned anew. With
 * both, no row has more than `most`.
 */
export function joinLinks(
  scratch: usize, index: Searched, most: u32, backOffsets: usize, backRows: usize, slack: f32, out: usize, from: u32, to: u32,
): void {
  const room = roomAt(scratch, index, most)
  const width = index.linkWidth
  for (let row: u32 = from; row < to; row++) {
    const own = linksOf(index.links, width, row)
    let count: u32 = 0
    while (count < width && load<u32>(own + (<usize>count << 2)) != noLink) count++
    memory.copy(room.candidates, own, <usize>count << 2)
    const mine = count
    const end = load<u32>(backOffsets + (<usize>(row + 1) << 2))
    for (let i = load<u32>(backOffsets + (<usize>row << 2)); i < end; i++) {
      const linked = load<u32>(backRows + (<usize>i << 2))
      store<u32>(room.candidates + (<usize>count << 2), linked)
      count += <u32>!isListed(own, mine, linked)
    }
    settle(index, room, row, count, slack, linksOf(out, width, row))
  }
}

/** Links a new row with `count` near rows, and these with it. */
export function linkRow(scratch: usize, index: Searched, row: u32, near: usize, count: u32, slack: f32): void {
  const room = roomAt(scratch, index, max<u32>(count, index.linkWidth + 1))
  const width = index.linkWidth
  const own = linksOf(index.links, width, row)
  memory.copy(room.candidates, near, <usize>count << 2)
  prune(index, room, row, count, slack, own)
  for (let i: u32 = 0; i < width; i++) {
    const linked = load<u32>(own + (<usize>i << 2))
    if (linked == noLink) break
    const theirs = linksOf(index.links, width, linked)
    let more: u32 = 0
    for (; more < width; more++) {
      const other = load<u32>(theirs + (<usize>more << 2))
      if (other == noLink) break
      store<u32>(room.candidates + (<usize>more << 2), other)
    }
    store<u32>(room.candidates + (<usize>more << 2), row)
    settle(index, room, linked, more + 1, slack, theirs)
  }
}

/**
 * Writes the links of rows [from, to) to `out`, [to - from × width]. Links to rows with a 0 in `mask` (u8 [rows]) are replaced by the links of
 * those rows, which keep theirs: other rows need them.
 */
export function mendLinks(scratch: usize, index: Searched, mask: usize, slack: f32, out: usize, from: u32, to: u32): void {
  const width = index.linkWidth
  const room = roomAt(scratch, index, width * (width + 1))
  for (let row: u32 = from; row < to; row++) {
    const end = linksOf(out, width, row - from)
    if (load<u8>(mask + <usize>row) == 0 || isWhole(index, mask, row)) {
      memory.copy(end, linksOf(index.links, width, row), <usize>width << 2)
    } else {
      settle(index, room, row, gatherLive(index, room, mask, row), slack, end)
    }
  }
}

/** Whether no link of a row leads to a removed one. */
function isWhole(index: Searched, mask: usize, row: u32): bool {
  const own = linksOf(index.links, index.linkWidth, row)
  for (let i: u32 = 0; i < index.linkWidth; i++) {
    const linked = load<u32>(own + (<usize>i << 2))
    if (linked == noLink) break
    if (load<u8>(mask + <usize>linked) == 0) return false
  }
  return true
}

/** Candidates for a row's links: its links, and those of its removed links. */
function gatherLive(index: Searched, room: LinkRoom, mask: usize, row: u32): u32 {
  const width = index.linkWidth
  const own = linksOf(index.links, width, row)
  let count: u32 = 0
  for (let i: u32 = 0; i < width; i++) {
    const linked = load<u32>(own + (<usize>i << 2))
    if (linked == noLink) break
    count = listLive(room, mask, row, linked, count)
    if (load<u8>(mask + <usize>linked) != 0) continue
    const theirs = linksOf(index.links, width, linked)
    for (let j: u32 = 0; j < width; j++) {
      const other = load<u32>(theirs + (<usize>j << 2))
      if (other == noLink) break
      count = listLive(room, mask, row, other, count)
    }
  }
  return count
}

function listLive(room: LinkRoom, mask: usize, row: u32, linked: u32, count: u32): u32 {
  if (linked == row || load<u8>(mask + <usize>linked) == 0 || isListed(room.candidates, count, linked)) return count
  store<u32>(room.candidates + (<usize>count << 2), linked)
  return count + 1
}
