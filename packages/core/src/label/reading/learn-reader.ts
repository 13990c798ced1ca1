// How a model learns to read items from its training rows. Sparse rows get weights, after signed features are split in two; dense
// rows get a space. Rows come out as the model keeps them.

import { EngineError } from '../../errors.ts'
import type { LongWork } from '../../long-work.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import type { LabelMatrix } from '../../matrix/label-matrix.ts'
import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import type { FitContext } from '../fit-context.ts'
import type { Weighting } from '../options.ts'
import type { TrainingData } from '../training-data.ts'
import { chooseWeights, weighRows } from '../weights/weighted-rows.ts'
import { type ChosenSpace, chooseSpace } from './choose-space.ts'
import { type ItemReader, sparseReader } from './item-reader.ts'
import { hasNegative, splitRows } from './signed-parts.ts'
import { refuseDenseOptions, refuseSparseOptions, type Scaling, type VectorDistance } from './vector-options.ts'

export interface ReaderSettings {
  /** Called with the features if the weighting depends on them. */
  readonly weighting: Weighting | ((features: SparseMatrix) => Weighting)
  readonly featureShare: number
  readonly seed: number
  readonly distance: VectorDistance
  readonly scaling: Scaling
  /** Whether columns are to be centered, if rows keep a direction. Default false. */
  readonly centered?: boolean
  /** Nearest rows that vote when a space is chosen. */
  readonly neighbors: number
  /** Features that no row has get weight 0. */
  readonly onlySeen: boolean
  /** Whether dense rows may be without a direction. Default false: they are refused. */
  readonly allowsEmpty?: boolean
}

export interface LearnedReader {
  readonly reader: ItemReader
  readonly rows: SparseMatrix
  /** The power of similarities that goes with the weights or the space. */
  readonly sharpness: number
  /** What was chosen for dense rows, in the words of options. */
  readonly chosen: { distance?: VectorDistance; scaling?: Scaling; weighting?: 'none' }
}

/** `given` are the caller's options. Refuses those that do not apply to the data. */
export async function learnReader(
  { pipeline, features, labels }: Pick<TrainingData, 'pipeline' | 'features' | 'labels'>,
  settings: ReaderSettings,
  given: Readonly<Record<string, unknown>>,
  place: FitContext & LongWork,
): Promise<LearnedReader> {
  if (features instanceof DenseMatrix) {
    refuseSparseOptions(given)
    return learnSpace(features, labels, settings, place)
  }
  refuseDenseOptions(settings)
  const signed = hasNegative(features)
  const parts = signed ? splitRows(features, features.columns) : features
  const { weighting: choice, featureShare, seed } = settings
  const weighting = typeof choice === 'function' ? choice(parts) : choice
  const chosen = await chooseWeights(parts, labels, { weighting, featureShare, seed }, place)
  const weights = settings.onlySeen ? onlySeen(chosen.weights, parts) : chosen.weights
  const reader = sparseReader(pipeline, weights, signed)
  return { reader, rows: weighRows(parts, weights), sharpness: chosen.sharpness, chosen: {} }
}

/** The weights, 0 for features that no row has: nothing is known about an item that has no others. */
function onlySeen(weights: Float32Array, features: SparseMatrix): Float32Array {
  const seen = new Uint8Array(features.columns)
  for (let e = 0; e < features.entries; e++) seen[features.indices[e]] = 1
  return weights.map((weight, feature) => weight * seen[feature])
}

async function learnSpace(
  features: DenseMatrix,
  labels: LabelMatrix,
  settings: ReaderSettings,
  place: FitContext & LongWork,
): Promise<LearnedReader> {
  const { space, power, distance, scaling }: ChosenSpace = await chooseSpace(features, labels, settings, place)
  const rows = space.rows(features, 'row')
  if (!settings.allowsEmpty) refuseEmptyRows(rows)
  const reader = { pipeline: undefined, weights: new Float32Array(0), signed: false, space }
  return { reader, rows, sharpness: power, chosen: { distance, scaling, weighting: 'none' } }
}

/** Rows without a direction cannot be compared. */
export function refuseEmptyRows({ rows, offsets }: SparseMatrix): void {
  for (let row = 0; row < rows; row++) {
    if (offsets[row + 1] > offsets[row]) continue
    throw new EngineError(
      'BAD_DATA',
      `row ${row} is all zeros after scaling, so it has no direction, which cosine needs`,
      {
        hint: "Leave out the row, or fit with distance: 'euclidean'.",
      },
    )
  }
}
