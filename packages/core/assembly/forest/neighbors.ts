// Refines neighbor lists: a neighbor's neighbor is likely a neighbor. One pass compares all of them for each row.

import { Searched } from '../blocks/dense-forest'
import { layRerank, rerank, RerankRoom } from './rerank'

@unmanaged
class PassRoom extends RerankRoom {
  /** u8 [rows]: 1 for rows listed already; zeros between rows. */
  seen: usize
  candidates: usize
}

// @ts-ignore: decorator
@inline
const headBytes: usize = 128

function layOut(room: PassRoom, at: usize, index: Searched): usize {
  room.seen = at
  at += (<usize>index.rowCount + 15) & ~15
  room.candidates = at
  at += <usize>(index.rowCount + 4) << 2
  return layRerank(room, (at + 15) & ~15, index, index.rowCount) + 16
}

/** Bytes of scratch that neighborPass needs; `room` is a dummy of roomBytes bytes. */
export function neighborScratchBytes(room: usize, index: Searched): usize {
  return headBytes + layOut(changetype<PassRoom>(room), 0, index)
}

function list(room: PassRoom, row: u32, count: u32): u32 {
  if (load<u8>(room.seen + <usize>row) != 0) return count
  store<u8>(room.seen + <usize>row, 1)
  store<u32>(room.candidates + (<usize>count << 2), row)
  return count + 1
}

/** A row's neighbors and theirs. */
function gather(room: PassRoom, lists: usize, counts: usize, k: u32, row: u32): u32 {
  let count = list(room, row, 0)
  const own = lists + ((<usize>row * <usize>k) << 2)
  const length = load<u32>(counts + (<usize>row << 2))
  for (let i: u32 = 0; i < length; i++) {
    const neighbor = load<u32>(own + (<usize>i << 2))
    count = list(room, neighbor, count)
    const theirs = lists + ((<usize>neighbor * <usize>k) << 2)
    const more = load<u32>(counts + (<usize>neighbor << 2))
    for (let j: u32 = 0; j < more; j++) count = list(room, load<u32>(theirs + (<usize>j << 2)), count)
  }
  for (let i: u32 = 0; i < count; i++) store<u8>(room.seen + <usize>load<u32>(room.candidates + (<usize>i << 2)), 0)
  return count
}

/** New lists for rows [from, to), from those in `lists` u32 [rows × k] with their lengths. Scratch must be zero. */
export function neighborPass(
  scratch: usize, index: Searched, lists: usize, counts: usize, k: u32, size: u32, outLists: usize, outCounts: usize, from: u32, to: u32,
): void {
  const room = changetype<PassRoom>(scratch)
  layOut(room, scratch + headBytes, index)
  for (let row: u32 = from; row < to; row++) {
    if (index.codes != 0) {
      const code = index.codes + <usize>row * <usize>index.codeStride
      for (let j: u32 = 0; j < index.codeStride; j++) {
        store<i16>(room.code + (<usize>j << 1), <i16>load<u8>(code + <usize>j))
      }
    }
    const count = gather(room, lists, counts, k, row)
    const query = index.rows + ((<usize>row * <usize>index.dims) << 2)
    const at = (<usize>row * <usize>k) << 2
    // Nobody asks for the distances: they go where those of the codes were.
    const found = rerank(index, room, query, room.candidates, count, size, k, outLists + at, room.kept)
    store<u32>(outCounts + (<usize>row << 2), found)
  }
}
