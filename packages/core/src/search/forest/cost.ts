// What searching and growing cost, estimated from counts and not from a clock: the same seed then gives the same index on every
// machine. The ratios matter, not the units.

import type { Forest } from '../../forest/forest.ts'
import type { Effort } from './block.ts'
import type { ForestRows } from './rows.ts'

// Nanoseconds of the parts of a search (bench/results/ann-fashion-mnist.json).
const nanos = {
  ...{ tree: 160, entry: 2.2, probe: 450, candidate: 16, sketchPerProduct: 0.03 },
  ...{ scatteredPerDim: 0.75, codePerDim: 0.3 },
  // A walk looks up links, and moves what it keeps to make room.
  ...{ step: 60, walkedCandidate: 18, moved: 0.05 },
}
/** Growing a tree, counting the labels of its leaves and writing them, for one row. */
const growMicros = 8

/** Codes compared for each row that a walk keeps, roughly. */
const codesPerStep = 12

/** The sizes that the cost of a search depends on. */
export interface SearchedShape {
  readonly rows: number
  readonly dims: number
  readonly sketchDims: number
  /** Labels in an average leaf. */
  readonly leafEntries: number
}

/** The shape of an index with this many rows that are not removed. */
export function shapeOf({ rows, sketch }: ForestRows, { entryCounts }: Forest, live: number): SearchedShape {
  const leafEntries = entryCounts.packed / entryCounts.leaves
  return { rows: live, dims: rows.dims, sketchDims: sketch.dims, leafEntries }
}

/** Microseconds of a search that finds this many candidates. */
export function effortMicros(effort: Effort, candidates: number, shape: SearchedShape): number {
  const leaves = effort.trees + effort.probes
  const total =
    nanos.sketchPerProduct * shape.dims * shape.sketchDims +
    nanos.tree * effort.trees +
    nanos.probe * effort.probes +
    nanos.entry * shape.leafEntries * leaves +
    codeNanos(effort, candidates) +
    nanos.scatteredPerDim * shape.dims * comparedRows(effort, candidates)
  return total / 1000
}

/** Of comparing codes, and keeping the nearest. */
function codeNanos({ walk }: Effort, candidates: number): number {
  if (walk === 0) return nanos.candidate * candidates
  return nanos.step * walk + (nanos.walkedCandidate + nanos.moved * walk) * candidates
}

function comparedRows({ rerank, walk }: Effort, candidates: number): number {
  return Math.min(walk > 0 ? walk : candidates, rerank)
}

/** The same for a search that tests its candidates with a filter and compares those that pass, an estimated number. */
export function filteredMicros(effort: Effort, share: number, askNanos: number, shape: SearchedShape): number {
  const read = shape.leafEntries * (effort.trees + effort.probes)
  // Leaves and links propose the same near rows repeatedly.
  const candidates = Math.min(shape.rows, read / 4 + codesPerStep * effort.walk)
  const passing = { ...effort, rerank: share * effort.rerank }
  return effortMicros(passing, candidates, shape) + (askNanos * comparedRows(effort, candidates)) / 1000
}

/** Microseconds of comparing the codes of this many listed rows. */
export function codesMicros(rows: number, sketchDims: number): number {
  return (nanos.codePerDim * rows * sketchDims) / 1000
}

/** The same for sifting: the codes of this many rows, then `rerank` rows. */
export function siftMicros(codes: number, rerank: number, { dims, sketchDims }: SearchedShape): number {
  const sketch = nanos.sketchPerProduct * dims * sketchDims
  return codesMicros(codes, sketchDims) + (sketch + nanos.scatteredPerDim * dims * rerank) / 1000
}

/** Seconds of growing a forest on one core. */
export function growSeconds(trees: number, rows: number): number {
  return (growMicros * trees * rows) / 1e6
}
