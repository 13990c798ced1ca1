// What the leaves of a forest count: labels of its training rows, as CSR in the arena. For search a label is a corpus row: the
// nearest neighbors of the training row (the natural classifier's), or the row itself (what lookup and voting count).

import type { Scope } from '../kernels/arena.ts'
import { rowNumbersTo } from '../matrix/row-numbers.ts'
import type { PlacedLabels } from '../trees/growing.ts'

/** Neighbor lists: row i's are at [i · k, i · k + counts[i]). */
export interface NeighborLists {
  readonly k: number
  readonly rows: Uint32Array
  readonly counts: Uint32Array
}

/** The rows' nearest corpus rows. `count` is the size of the corpus. */
export function neighborLabels(scope: Scope, { k, rows, counts }: NeighborLists, count: number): PlacedLabels {
  const total = counts.reduce((sum, length) => sum + length, 0)
  const offsets = scope.allocate(Uint32Array, counts.length + 1, 'labels')
  const indices = scope.allocate(Uint32Array, total, 'labels')
  let at = 0
  for (let i = 0; i < counts.length; i++) {
    indices.array.set(rows.subarray(i * k, i * k + counts[i]), at)
    at += counts[i]
    offsets.array[i + 1] = at
  }
  return { offsets, indices, count }
}

/** Every row counts for itself alone. */
export function selfLists(rows: number): NeighborLists {
  return { k: 1, rows: rowNumbersTo(rows), counts: new Uint32Array(rows).fill(1) }
}
