// Fagin's threshold algorithm (paper 003, section 5.3): lists sorted by descending value are read in turn, and every new row is computed in
// full. A row that no list has shown yet cannot beat the sum of the lists' current values.

import { InvertedLists } from '../blocks/sparse-search'
import { offer, worstScore } from '../top-k'
import { allowed, f32At, flip, numberOf, Request, similarity, spread, u32At, valueOf } from './layout'
import { Scratch } from './scratch'

const margin: f32 = 1.0001

/** Clears the marks of seen rows. They reuse the accumulators, one byte per row. */
function forget(index: InvertedLists, request: Request, seen: usize, depth: u32): void {
  for (let i: u32 = 0; i < request.count; i++) {
    const feature = u32At(request.indices, i)
    const from = u32At(index.listOffsets, feature)
    const to = min<u32>(from + depth, u32At(index.listOffsets, feature + 1))
    for (let p = from; p < to; p++) store<u8>(seen + <usize>numberOf(index.sortedPairs, p), 0)
  }
}

export function threshold(index: InvertedLists, request: Request, scratch: Scratch): u32 {
  const seen = scratch.scores
  const k = request.k
  let size: u32 = 0
  let depth: u32 = 0
  spread(request, scratch.query, false)
  for (;;) {
    let bound: f32 = 0
    for (let i: u32 = 0; i < request.count; i++) {
      const feature = u32At(request.indices, i)
      const position = u32At(index.listOffsets, feature) + depth
      if (position >= u32At(index.listOffsets, feature + 1)) continue
      bound += f32At(request.values, i) * valueOf(index.sortedPairs, position)
      const row = numberOf(index.sortedPairs, position)
      if (load<u8>(seen + <usize>row) != 0) continue
      store<u8>(seen + <usize>row, 1)
      if (!allowed(request.mask, row)) continue
      const score = similarity(index, scratch.query, row)
      scratch.counted++
      if (score > 0) size = offer(scratch.heap, size, k, flip, score, row)
    }
    depth++
    if (bound == 0) break
    if (size == k && bound * margin < worstScore(scratch.heap, flip)) break
  }
  forget(index, request, seen, depth)
  spread(request, scratch.query, true)
  return size
}
