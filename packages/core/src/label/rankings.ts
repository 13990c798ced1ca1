// Rankings that are made part by part.

import type { RankedLabels } from '../evaluate/predictions.ts'
import { LabelMatrix } from '../matrix/label-matrix.ts'

/** Room for `top` labels of each row; none are there yet. */
export function emptyRanking(rows: number, top: number): RankedLabels {
  return {
    ...{ rows, top, counts: new Uint32Array(rows) },
    ...{ labels: new Uint32Array(rows * top), scores: new Float32Array(rows * top) },
  }
}

/** The rows of all parts in order; each has room for `top` labels per row. */
export function joinRankings(parts: readonly RankedLabels[], top: number): RankedLabels {
  if (parts.length === 1) return parts[0]
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  const joined = emptyRanking(rows, top)
  let from = 0
  for (const part of parts) {
    joined.labels.set(part.labels, from * top)
    joined.scores.set(part.scores, from * top)
    joined.counts.set(part.counts, from)
    from += part.rows
  }
  return joined
}

/** The same for sets of labels. */
export function joinLabels(parts: readonly LabelMatrix[], columns: number): LabelMatrix {
  if (parts.length === 1) return parts[0]
  const offsets = new Float64Array(parts.reduce((sum, part) => sum + part.rows, 0) + 1)
  const indices = new Uint32Array(parts.reduce((sum, part) => sum + part.entries, 0))
  let [row, entry] = [0, 0]
  for (const part of parts) {
    indices.set(part.indices, entry)
    for (let i = 0; i < part.rows; i++) offsets[++row] = entry + part.offsets[i + 1]
    entry += part.entries
  }
  return new LabelMatrix(offsets.length - 1, columns, offsets, indices)
}

/** Labels ranked for each row: several times as many as a row has. */
const leastRanked = 100

const rankedPerLabel = 8

/** How many labels of a row have to be ranked so that thresholds see all that could pass. */
export function rankedLabels(labels: LabelMatrix): number {
  const perRow = Math.ceil(labels.entries / labels.rows)
  return Math.min(labels.columns, Math.max(leastRanked, rankedPerLabel * perRow))
}
