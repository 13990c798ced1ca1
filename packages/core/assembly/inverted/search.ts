// The door to the five ways of exact sparse search: one query, or a run of queries of a batch.

import { unpack } from '../top-k'
import { impact } from './impact'
import { flip, Index, Request, Scratch } from './layout'
import { taat, taatFirstPart } from './taat'
import { threshold } from './threshold'
import { wand, wandSecondPart } from './wand'

function find(algorithm: u32, index: Index, request: Request, scratch: Scratch): u32 {
  if (request.k == 0) return 0
  if (algorithm == 1) return taat(index, request, scratch)
  if (algorithm == 2) return wand(index, request, scratch)
  if (algorithm == 3) return wandSecondPart(index, request, scratch, taatFirstPart(index, request, scratch))
  if (algorithm == 4) return threshold(index, request, scratch)
  return impact(index, request, scratch)
}

/** The k nearest rows, best first; returns how many. Algorithms: 0 ours, 1 taat, 2 wand, 3 partitioned, 4 threshold. */
export function invertedSearch(
  scratch: usize,
  index: usize,
  request: usize,
  algorithm: u32,
  outRows: usize,
  outScores: usize,
): u32 {
  const space = changetype<Scratch>(scratch)
  space.counted = 0
  const size = find(algorithm, changetype<Index>(index), changetype<Request>(request), space)
  unpack(space.heap, size, flip, outRows, outScores)
  return size
}
