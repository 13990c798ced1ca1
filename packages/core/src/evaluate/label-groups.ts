// Ranked scores by label: for each label, the rows that it was predicted for, best score first.

import type { LabelMatrix } from '../matrix/label-matrix.ts'
import type { RankedLabels } from './predictions.ts'

/** Label j's entries are [offsets[j], offsets[j + 1]), by falling score. */
export interface LabelGroups {
  readonly offsets: Float64Array
  readonly scores: Float32Array
  /** 1 if the row has the label, otherwise 0. */
  readonly hits: Uint8Array
}

export function groupByLabel(ranked: RankedLabels, truth: LabelMatrix): LabelGroups {
  const offsets = countByLabel(ranked, truth.columns)
  const next = offsets.slice()
  const keys = new Float64Array(offsets[truth.columns])
  const carried = new Uint32Array(truth.columns)
  for (let row = 0; row < ranked.rows; row++) {
    for (const label of truth.row(row)) carried[label] = row + 1
    for (let e = row * ranked.top; e < row * ranked.top + ranked.counts[row]; e++) {
      const label = ranked.labels[e]
      keys[next[label]++] = packed(ranked.scores[e], carried[label] === row + 1)
    }
  }
  for (let label = 0; label < truth.columns; label++) keys.subarray(offsets[label], offsets[label + 1]).sort()
  return unpack(offsets, keys)
}

function countByLabel({ rows, top, labels, counts }: RankedLabels, columns: number): Float64Array {
  const offsets = new Float64Array(columns + 1)
  for (let row = 0; row < rows; row++) {
    for (let e = row * top; e < row * top + counts[row]; e++) offsets[labels[e] + 1]++
  }
  for (let label = 0; label < columns; label++) offsets[label + 1] += offsets[label]
  return offsets
}

// A 32-bit score leaves 29 bits of a 64-bit number free, so the hit is stored in a factor that cannot change the order of
// different scores, and one numeric sort orders both. Negated, because sorting ascends and scores must descend.
const hitFactor = 1 + 2 ** -40

function packed(score: number, hit: boolean): number {
  return hit ? -(score * hitFactor || Number.MIN_VALUE) : -score
}

function unpack(offsets: Float64Array, keys: Float64Array): LabelGroups {
  const scores = Float32Array.from(keys, key => -key)
  return { offsets, scores, hits: Uint8Array.from(keys, (key, e) => (-key === scores[e] ? 0 : 1)) }
}
