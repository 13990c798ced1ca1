// The parts of LCIF that differ between sparse and dense rows: where neighbors are found, and what the feature score sees.

import type { Id } from '../../ids/id.ts'
import type { Engine } from '../../kernels/engine.ts'
import type { LongWork } from '../../long-work.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import type { LabelMatrix } from '../../matrix/label-matrix.ts'
import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { InvertedIndex } from '../../search/inverted/inverted-index.ts'
import type { ItemReader } from '../reading/item-reader.ts'
import { DenseFeatures } from '../scores/dense-features.ts'
import { DenseNeighbors } from '../scores/dense-neighbors.ts'
import type { NeighborFinder } from '../scores/neighbor-finder.ts'
import { mixOf } from './model.ts'
import type { LcifSettings } from './options.ts'

interface NeighborFit extends LongWork {
  readonly ids?: readonly Id[] | undefined
  readonly engine: Engine
  readonly threads?: number | undefined
  readonly neighbors: number
  readonly seed: number
}

export async function fitNeighbors(reader: ItemReader, rows: SparseMatrix, fit: NeighborFit): Promise<NeighborFinder> {
  if (reader.space) return DenseNeighbors.fit(rows, fit)
  const { ids, engine, signal, onProgress } = fit
  return InvertedIndex.fit(rows, { metric: 'dot', engine, ...(ids && { ids }), signal, onProgress })
}

/** Whether a model scores features. For dense rows only if the mix asks for it, because every column is a feature of every row. */
export function scoresFeatures(settings: Pick<LcifSettings, 'method' | 'mix'>, { space }: ItemReader): boolean {
  return space ? mixOf(settings) < 1 : settings.method !== 'instance'
}

/** With more similarities of columns and labels than this, tuning does not try the feature score of dense rows. */
const mostTried = 2 ** 20

/** Whether tuning tries the feature score. */
export function triesFeatures(
  { method, mix }: Pick<LcifSettings, 'method' | 'mix'>,
  features: DenseMatrix | SparseMatrix,
  labels: LabelMatrix,
): boolean {
  if (method !== 'lcif') return method === 'feature'
  return !(features instanceof DenseMatrix) || mix < 1 || 2 * features.columns * labels.columns <= mostTried
}

/** How the feature score reads rows of the model. */
export function scoredFeatures(reader: ItemReader, rows: SparseMatrix) {
  const denseFeatures = reader.space && DenseFeatures.fit(rows)
  return { denseFeatures, featureRows: (some: SparseMatrix) => denseFeatures?.rows(some) ?? some }
}
