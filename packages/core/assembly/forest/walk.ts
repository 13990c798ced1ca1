// Walking along links: from the candidates that the trees propose to the rows these are linked with, nearest codes first, until none
// of the nearest has links left to follow. A few hundred codes are compared on the way, whatever the number of rows (the search in
// one layer of HNSW, on codes).

import { l2GatherU8 } from '../quantized'
import { keyAt, setKey } from '../top-k'
import { Asked, noLink, Searched } from '../blocks/dense-forest'
import { readAhead, RerankRoom } from './rerank'

@unmanaged
export class WalkRoom extends RerankRoom {
  /** Bits [rows]: rows on the list of candidates; zeros between queries. */
  seen: usize
  candidates: usize
  /** u64 keys of the nearest rows so far, ascending: (distance of the codes) << 32 | row << 1 | whether its links were followed. */
  nearest: usize
  nearestCount: u32
  /** How many rows are kept, and how many at most: one more for each excluded row. */
  wanted: u32
  mostWanted: u32
  /** Rows whose codes were compared. */
  compared: u32
}

/** Walks pass through excluded rows; there is room for this many times the rows kept. */
// @ts-ignore: decorator
@inline
const roomFactor: u32 = 4

/** Lays out the room for the nearest from `at` on; returns its end. `seen` and `candidates` are laid out by the caller. */
export function layWalk(room: WalkRoom, at: usize, width: u32, rows: u32): usize {
  room.mostWanted = min<u32>(rows, roomFactor * width)
  room.nearest = at
  return at + (<usize>(width == 0 ? 0 : max<u32>(room.mostWanted, width)) << 3)
}

/** Lists a row that is not listed yet; returns how many there are. Half of the rows are listed already, in no order: a branch would often be mispredicted. */
// @ts-ignore: decorator
@inline
function list(seen: usize, candidates: usize, row: u32, count: u32): u32 {
  const at = seen + (<usize>row >> 3)
  const bits = <u32>load<u8>(at)
  const place: u32 = row & 7
  store<u8>(at, <u8>(bits | (1 << place)))
  store<u32>(candidates + (<usize>count << 2), row)
  return count + (1 - ((bits >> place) & 1))
}

/** Lists a row's links. Leaves out rows added after the search began. */
// @ts-ignore: decorator
@inline
function listLinks(index: Searched, room: WalkRoom, row: u32, count: u32): u32 {
  const width = index.linkWidth
  const rowCount = index.rowCount
  const seen = room.seen
  const candidates = room.candidates
  const links = index.links + ((<usize>row * <usize>width) << 2)
  for (let i: u32 = 0; i < width; i++) {
    const linked = load<u32>(links + (<usize>i << 2))
    if (linked == noLink) break
    if (linked < rowCount) count = list(seen, candidates, linked, count)
  }
  return count
}

/** How many of the first `count` keys, which are ascending and distinct from `key`, are smaller. */
// @ts-ignore: decorator
@inline
function placeOf(keys: usize, count: u32, key: u64): u32 {
  let from: u32 = 0
  while (count > 0) {
    const half = count >> 1
    const isSmaller = keyAt(keys, from + half) < key
    from = isSmaller ? from + half + 1 : from
    count = isSmaller ? count - half - 1 : half
  }
  return from
}

/**
 * Puts a key where it belongs among the nearest; returns its place. Drops the last one if full. Shifts the keys behind it, two at a time: a
 * loop that compared and moved one key at a time took three times as long with hundreds of keys.
 */
// @ts-ignore: decorator
@inline
function insert(room: WalkRoom, key: u64): u32 {
  const keys = room.nearest
  let moved = room.nearestCount
  if (moved < room.wanted) room.nearestCount = moved + 1
  else moved--
  const place = placeOf(keys, moved, key)
  for (; moved >= place + 2; moved -= 2) {
    const at = keys + (<usize>(moved - 2) << 3)
    v128.store(at + 8, v128.load(at))
  }
  if (moved > place) setKey(keys, moved, keyAt(keys, moved - 1))
  setKey(keys, place, key)
  return place
}

/** Compares the codes of candidates [from, to); returns the first position among the nearest that changed. */
function compare(index: Searched, asked: Asked, room: WalkRoom, from: u32, to: u32): u32 {
  const picked = room.candidates + (<usize>from << 2)
  const count = to - from
  const stride = index.codeStride
  readAhead(room, index.codes, stride, picked, count, stride)
  l2GatherU8(room.code, index.codes, picked, count, stride, room.distances)
  let first = room.nearestCount
  for (let i: u32 = 0; i < count; i++) {
    const row = load<u32>(picked + (<usize>i << 2))
    // Distances are not negative, so their bits sort like the numbers.
    const key = (<u64>load<u32>(room.distances + (<usize>i << 2)) << 32) | (<u64>row << 1)
    if (room.nearestCount == room.wanted && key >= keyAt(room.nearest, room.wanted - 1)) continue
    if (asked.mask != 0 && load<u8>(asked.mask + <usize>row) == 0) room.wanted = min<u32>(room.wanted + 1, room.mostWanted)
    first = min<u32>(first, insert(room, key))
  }
  return first
}

/** Leaves the rows that may be found as candidates, nearest codes first; returns how many. */
function keepNearest(asked: Asked, room: WalkRoom): u32 {
  let kept: u32 = 0
  for (let i: u32 = 0; i < room.nearestCount; i++) {
    const row = <u32>keyAt(room.nearest, i) >> 1
    store<u32>(room.candidates + (<usize>kept << 2), row)
    kept += <u32>(asked.mask == 0 || load<u8>(asked.mask + <usize>row) != 0)
  }
  return kept
}

/** How many rows a walk keeps: at least as many as are requested. */
// @ts-ignore: decorator
@inline
export function walkWidth(asked: Asked): u32 {
  return asked.walk == 0 ? 0 : max<u32>(asked.walk, asked.k)
}

/** Starts to load the links of the row that is likely to be followed next, while codes are compared. */
// @ts-ignore: decorator
@inline
function readNextLinks(index: Searched, room: WalkRoom, place: u32): void {
  for (; place < room.nearestCount; place++) {
    const key = keyAt(room.nearest, place)
    if (key & 1) continue
    const links = index.links + ((<usize>(<u32>key >> 1) * <usize>index.linkWidth) << 2)
    room.ahead = <u32>load<u8>(links) + <u32>load<u8>(links + (<usize>(index.linkWidth - 1) << 2))
    return
  }
}

/** Walks from `count` candidates to the rows with the nearest codes, nearest first; returns how many. */
export function walkLinks(index: Searched, asked: Asked, room: WalkRoom, count: u32): u32 {
  for (let i: u32 = 0; i < count; i++) {
    const row = load<u32>(room.candidates + (<usize>i << 2))
    const at = room.seen + (<usize>row >> 3)
    store<u8>(at, <u8>(<u32>load<u8>(at) | (1 << (row & 7))))
  }
  room.nearestCount = 0
  room.wanted = walkWidth(asked)
  compare(index, asked, room, 0, count)
  for (let place: u32 = 0; place < room.nearestCount; ) {
    const key = keyAt(room.nearest, place)
    if (key & 1) {
      place++
      continue
    }
    setKey(room.nearest, place, key | 1)
    const from = count
    count = listLinks(index, room, <u32>key >> 1, count)
    readNextLinks(index, room, place + 1)
    place = min<u32>(place, compare(index, asked, room, from, count))
  }
  for (let i: u32 = 0; i < count; i++) {
    store<u8>(room.seen + (<usize>load<u32>(room.candidates + (<usize>i << 2)) >> 3), 0)
  }
  room.compared = count
  return keepNearest(asked, room)
}
