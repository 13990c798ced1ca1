// The neighbors of a row: its nearest other rows, which vote for its labels.

import type { LongWork } from '../../long-work.ts'
import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { InvertedIndex } from '../../search/inverted/inverted-index.ts'
import type { NearestBatch } from '../../search/sparse/batch.ts'
import type { WeightSettings } from './weight-options.ts'

/** Rows, and the rows that vote on the labels of each: those of sampled[i] are at [i · k, i · k + counts[i]). */
export interface LeaveOneOutNeighbors {
  readonly sampled: Uint32Array
  readonly rows: Uint32Array
  readonly counts: Uint32Array
}

/** The `neighbors` nearest rows of each sampled row, itself left out. */
export async function findLeaveOneOutNeighbors(
  features: SparseMatrix,
  sampled: Uint32Array,
  { neighbors, engine, threads }: WeightSettings,
  { signal, onProgress }: LongWork = {},
): Promise<LeaveOneOutNeighbors> {
  const index = await InvertedIndex.fit(features, { engine, signal })
  try {
    // One more than needed: the row itself is among them, or there are enough without it.
    const found = await index.nearestBatch(features.select(sampled), {
      ...{ signal, onProgress },
      ...(threads !== undefined && { threads }),
      k: neighbors + 1,
    })
    return leaveOut(sampled, found, neighbors)
  } finally {
    index.free()
  }
}

function leaveOut(sampled: Uint32Array, found: NearestBatch, k: number): LeaveOneOutNeighbors {
  const rows = new Uint32Array(sampled.length * k)
  const counts = new Uint32Array(sampled.length)
  for (let i = 0; i < sampled.length; i++) {
    for (let n = i * found.k; n < i * found.k + found.counts[i] && counts[i] < k; n++) {
      if (found.rows[n] !== sampled[i]) rows[i * k + counts[i]++] = found.rows[n]
    }
  }
  return { sampled, rows, counts }
}
