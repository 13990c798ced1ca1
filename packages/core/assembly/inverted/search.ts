// Entry point of the five exact sparse searches: answers a range of a batch's queries.

import {
  columnsAlgorithm, InvertedLists, partitionedAlgorithm, SparseBatch, taatAlgorithm, thresholdAlgorithm, wandAlgorithm,
} from '../blocks/sparse-search'
import { keyAt, offer, scoreOf, setKey, unpack } from '../top-k'
import { listsAndColumns } from './columns'
import { allowed, flip, product, Request, spread, u32At } from './layout'
import { layOut, Scratch } from './scratch'
import { taat, taatFirstPart } from './taat'
import { threshold } from './threshold'
import { wand, wandSecondPart } from './wand'

/** Finds the neighbors and returns how many. Their keys form a heap, or are sorted, best first, for algorithm 0. */
function find(algorithm: u32, index: InvertedLists, request: Request, scratch: Scratch): u32 {
  if (algorithm == taatAlgorithm) return taat(index, request, scratch)
  if (algorithm == wandAlgorithm) return wand(index, request, scratch)
  if (algorithm == partitionedAlgorithm) return wandSecondPart(index, request, scratch, taatFirstPart(index, request, scratch))
  if (algorithm == thresholdAlgorithm) return threshold(index, request, scratch)
  return listsAndColumns(index, request, scratch)
}

/** Reverses sorted keys: with the worst on top they are a heap. */
function reverse(keys: usize, size: u32): void {
  for (let i: u32 = 0, j = size - 1; i < size >> 1; i++, j--) {
    const key = keyAt(keys, i)
    setKey(keys, i, keyAt(keys, j))
    setKey(keys, j, key)
  }
}

/** Writes sorted keys as rows and scores. */
function copyOut(keys: usize, size: u32, outRows: usize, outScores: usize): void {
  for (let i: u32 = 0; i < size; i++) {
    const key = keyAt(keys, i)
    store<u32>(outRows + (<usize>i << 2), <u32>key)
    store<f32>(outScores + (<usize>i << 2), scoreOf(<u32>(key >> 32) ^ flip))
  }
}

/** Answers one query; returns how many neighbors were written. */
function answer(algorithm: u32, index: InvertedLists, request: Request, scratch: Scratch, outRows: usize, outScores: usize): u32 {
  let size = find(algorithm, index, request, scratch)
  const sorted = algorithm == columnsAlgorithm
  if (sorted && index.tailRows == 0) {
    copyOut(scratch.heap, size, outRows, outScores)
    return size
  }
  if (sorted) reverse(scratch.heap, size)
  if (index.tailRows > 0) size = scanTail(index, request, scratch, size)
  unpack(scratch.heap, size, flip, outRows, outScores)
  return size
}

/** Adds the rows that are in no list yet; returns the heap's size. */
function scanTail(index: InvertedLists, request: Request, scratch: Scratch, size: u32): u32 {
  spread(request, scratch.query, false)
  for (let i: u32 = 0; i < index.tailRows; i++) {
    if (!allowed(request.mask, index.rows + i)) continue
    const score = product(index.tailOffsets, index.tailPairs, scratch.query, i)
    if (score > 0) size = offer(scratch.heap, size, request.k, flip, score, index.rows + i)
  }
  spread(request, scratch.query, true)
  scratch.counted += index.tailRows
  return size
}

/** Copies at most `k` neighbors, leaving out `self`; returns how many. */
function copyOthers(scratch: Scratch, size: u32, self: u32, k: u32, outRows: usize, outScores: usize): u32 {
  let kept: u32 = 0
  for (let i: u32 = 0; i < size && kept < k; i++) {
    const row = u32At(scratch.rows, i)
    if (row == self) continue
    store<u32>(outRows + (<usize>kept << 2), row)
    store<u32>(outScores + (<usize>kept << 2), u32At(scratch.similarities, i))
    kept++
  }
  return kept
}

/** Bytes of scratch that searches of this size need; `block` is a dummy of roomBytes bytes. */
export function invertedScratchBytes(block: usize, index: usize, k: u32, terms: u32): usize {
  return layOut(changetype<Scratch>(block), 0, changetype<InvertedLists>(index), k, terms)
}

/** Answers queries [from, to) of a batch; returns for how many rows a full similarity was computed. */
export function invertedSearch(scratchBlock: usize, indexBlock: usize, batchBlock: usize, from: u32, to: u32): u32 {
  const index = changetype<InvertedLists>(indexBlock)
  const batch = changetype<SparseBatch>(batchBlock)
  const scratch = changetype<Scratch>(scratchBlock)
  layOut(scratch, scratchBlock, index, batch.k, batch.terms)
  const request = changetype<Request>(scratch.request)
  request.mask = batch.mask
  request.k = batch.k + batch.excludeSelf
  scratch.counted = 0
  for (let i = from; i < to; i++) {
    const start = u32At(batch.offsets, i)
    request.indices = batch.indices + (<usize>start << 2)
    request.values = batch.values + (<usize>start << 2)
    request.count = u32At(batch.offsets, i + 1) - start
    const outRows = batch.outRows + (<usize>i * batch.k << 2)
    const outScores = batch.outScores + (<usize>i * batch.k << 2)
    let size: u32
    if (batch.excludeSelf) {
      size = answer(batch.algorithm, index, request, scratch, scratch.rows, scratch.similarities)
      size = copyOthers(scratch, size, i, batch.k, outRows, outScores)
    } else {
      size = answer(batch.algorithm, index, request, scratch, outRows, outScores)
    }
    store<u32>(batch.outCounts + (<usize>i << 2), size)
  }
  return scratch.counted
}
