// Growing the forest of a sparse forest index: a row's labels are its nearest rows, which the inverted index finds exactly. Trees
// see rows at length 1 under any metric: queries ask for a direction.

import type { Forest } from '../../forest/forest.ts'
import { growForest } from '../../forest/grow-forest.ts'
import { neighborLabels } from '../../forest/label-source.ts'
import type { Scope } from '../../kernels/arena.ts'
import type { Engine } from '../../kernels/engine.ts'
import type { Discard } from '../../kernels/readers.ts'
import type { LongWork } from '../../long-work.ts'
import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import type { SparseView } from '../../trees/growing.ts'
import type { InvertedIndex } from '../inverted/inverted-index.ts'
import type { SparseForestSettings } from './options.ts'

export interface SparseForestBuild extends LongWork {
  readonly settings: SparseForestSettings
  readonly threads?: number | undefined
  readonly discard: Discard
}

/** The forest of all `rows`, which `index` holds by the same numbers. */
export async function growSparseForest(
  engine: Engine,
  index: InvertedIndex,
  rows: SparseMatrix,
  { settings, threads, discard, signal, onProgress }: SparseForestBuild,
): Promise<Forest> {
  const work = { ...(threads !== undefined && { threads }), signal, onProgress }
  const lists = await index.nearestBatch(rows, { ...work, k: settings.labelNeighbors })
  const scope = engine.arena.scope()
  try {
    const { grower, trees, leafSize, depth, seed } = settings
    const fit = {
      ...{ view: placeView(scope, rows.normalizeRows()), rows: rows.rows, dims: rows.columns },
      labels: neighborLabels(scope, lists, rows.rows),
      ...{ grower, options: settings, trees, leafSize, depth, seed, plainVotes: false, ...work },
    }
    return await growForest(engine, fit, discard)
  } finally {
    scope.free()
  }
}

function placeView(scope: Scope, rows: SparseMatrix): SparseView {
  return {
    offsets: scope.place(Uint32Array.from(rows.offsets), 'rows'),
    indices: scope.place(rows.indices, 'rows'),
    values: scope.place(rows.values, 'rows'),
  }
}
