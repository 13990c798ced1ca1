// The nearest of listed rows, by code first: compares all codes, then only the rows with the nearest codes exactly. For filters that many
// rows pass, but too few for the forest to find them. The scratch is as for forestSearch.

import { Asked, Searched } from '../blocks/dense-forest'
import { measureSketches, nearestCodes, rankSurvivors } from './rerank'
import { roomAt, SearchRoom } from './search'
import { encodeQuery, sketchQuery } from './sketch'

function encode(index: Searched, room: SearchRoom, query: usize): void {
  sketchQuery(index, query, room.short, room.view)
  encodeQuery(index, room.view, room.code)
}

/** How many of `sampled` rows, spread evenly over all that may be found, have codes nearer than `limit`. */
function sampleNearer(index: Searched, asked: Asked, room: SearchRoom, sampled: u32, limit: f32): u32 {
  let count: u32 = 0
  for (let i: u32 = 0; i < sampled; i++) {
    const row = <u32>((<u64>i * <u64>index.rowCount) / <u64>sampled)
    store<u32>(room.candidates + (<usize>count << 2), row)
    count += <u32>(asked.mask == 0 || load<u8>(asked.mask + <usize>row) != 0)
  }
  measureSketches(index, room, room.candidates, count, room.distances)
  let nearer: u32 = 0
  for (let i: u32 = 0; i < count; i++) nearer += <u32>(load<f32>(room.distances + (<usize>i << 2)) < limit)
  return nearer
}

/**
 * The k nearest of at least k listed rows: of those, the `asked.rerank` with the nearest codes are compared. Gives up, and returns
 * 0, if more than `most` of `sampled` rows have nearer codes than the k-th of the list: then the listed rows are far from the query, where
 * codes are less accurate.
 */
export function siftRows(
  scratch: usize, index: Searched, asked: Asked, listed: usize, count: u32, sampled: u32, most: u32,
): u32 {
  const room = roomAt(scratch, index, asked)
  const k = asked.k
  encode(index, room, asked.queries)
  const left = nearestCodes(index, room, listed, count, max<u32>(asked.rerank, k), room.survivors)
  const limit = load<f32>(room.kept + (<usize>(k - 1) << 2))
  if (sampleNearer(index, asked, room, sampled, limit) > most) return 0
  const found = rankSurvivors(index, room, asked.queries, left, k, asked.outRows, asked.outDistances)
  store<u32>(asked.outCounts, found)
  return found
}

/** The k listed rows with the codes nearest to that of the first query, nearest first. Writes no distances. */
export function codeOrder(scratch: usize, index: Searched, asked: Asked, listed: usize, count: u32): void {
  const room = roomAt(scratch, index, asked)
  encode(index, room, asked.queries)
  store<u32>(asked.outCounts, nearestCodes(index, room, listed, count, asked.k, asked.outRows))
}
