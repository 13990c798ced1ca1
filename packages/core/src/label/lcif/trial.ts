// A trial: a model with one weighting, fitted on some rows and evaluated on rows it has not seen. Three ways to divide the
// rows: each left out in turn, a part held out, or folds that are held out one after the other.

import type { RankedLabels } from '../../evaluate/predictions.ts'
import type { LongWork } from '../../long-work.ts'
import { inTurns, type Steps } from '../../long-work.ts'
import type { LabelMatrix } from '../../matrix/label-matrix.ts'
import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import type { FitContext } from '../fit-context.ts'
import type { Weighting } from '../options.ts'
import { joinRankings } from '../rankings.ts'
import { readItems } from '../reading/item-reader.ts'
import { learnReader } from '../reading/learn-reader.ts'
import { DenseNeighbors } from '../scores/dense-neighbors.ts'
import type { ScoredNeighbors } from '../scores/label-scores.ts'
import { withoutOwn } from '../scores/leave-out.ts'
import type { NeighborFinder } from '../scores/neighbor-finder.ts'
import { sumPairs } from '../scores/pair-sums.ts'
import { type TrialOptions, TrialScores } from '../scores/trial-scores.ts'
import type { TrainingData } from '../training-data.ts'
import type { Split } from '../tuning/splits.ts'
import { noNeighbors } from './model.ts'
import type { LcifSettings } from './options.ts'
import { fitNeighbors, scoredFeatures, triesFeatures } from './parts.ts'

export interface TrialSettings
  extends Pick<
    LcifSettings,
    'method' | 'featureShare' | 'featureLabelBudget' | 'seed' | 'distance' | 'scaling' | 'neighbors' | 'mix'
  > {
  readonly weighting: Weighting
}

/** Sparse rows, or dense ones. */
export type Features = TrainingData['features']

interface Part {
  readonly scores: TrialScores
  readonly sharpness: number
}

export class Trial {
  /** Labels of the evaluated rows. */
  readonly truth: LabelMatrix
  readonly #parts: readonly Part[]

  private constructor(truth: LabelMatrix, parts: readonly Part[]) {
    this.truth = truth
    this.#parts = parts
  }

  /** Finds the `k` nearest rows of all evaluated rows. */
  static async prepare(
    features: Features,
    labels: LabelMatrix,
    splits: readonly Split[],
    { settings, k, ...place }: { settings: TrialSettings; k: number } & FitContext & LongWork,
  ): Promise<Trial> {
    const parts: Part[] = []
    for (const split of splits) parts.push(await preparePart(features, labels, split, settings, k, place))
    const queries = splits.flatMap(split => [...split.queries])
    return new Trial(labels.select(queries), parts)
  }

  /** Ranked labels of all evaluated rows. The power 'learned' is the one learned with the weights. */
  *rank(
    options: Omit<TrialOptions, 'neighborPower'> & Pick<LcifSettings, 'neighborPower'>,
    top: number,
  ): Steps<RankedLabels> {
    const ranked: RankedLabels[] = []
    for (const { scores, sharpness } of this.#parts) {
      const neighborPower = options.neighborPower === 'learned' ? sharpness : options.neighborPower
      ranked.push(yield* scores.rank({ ...options, neighborPower }, top))
    }
    return joinRankings(ranked, top)
  }
}

async function preparePart(
  features: Features,
  labels: LabelMatrix,
  { queries, training: kept }: Split,
  settings: TrialSettings,
  k: number,
  place: FitContext & LongWork,
): Promise<Part> {
  const own = kept ? undefined : queries
  const known = kept ? features.select(kept) : features
  const knownLabels = kept ? labels.select(kept) : labels
  const training = { pipeline: undefined, features: known, labels: knownLabels }
  const learned = await learnReader(training, { ...settings, onlySeen: false }, {}, place)
  const { reader, rows, sharpness } = learned
  const asked = readItems(reader, features.select(queries))
  const index = await fitNeighbors(reader, rows, { ...place, neighbors: k, seed: settings.seed })
  try {
    const none = settings.method === 'feature'
    const neighbors = none ? noNeighbors(asked.rows) : await findNeighbors(index, asked, own, k, place)
    const scored = triesFeatures(settings, features, labels) ? scoredFeatures(reader, rows) : undefined
    const pairs = scored && sumPairs(scored.featureRows(rows), knownLabels, settings.featureLabelBudget)
    const sums = pairs && (await inTurns(pairs, place))
    const seen = scored ? scored.featureRows(asked) : asked
    return { scores: new TrialScores({ queries: seen, own, labels: knownLabels }, neighbors, sums), sharpness }
  } finally {
    index.free()
  }
}

/** The k nearest rows of each query, without itself if it is a row of the index. */
export async function findNeighbors(
  index: NeighborFinder,
  queries: SparseMatrix,
  own: Uint32Array | undefined,
  k: number,
  { threads, signal, onProgress }: FitContext & LongWork,
): Promise<ScoredNeighbors> {
  const work = { ...(threads !== undefined && { threads }), signal, onProgress }
  if (index instanceof DenseNeighbors) return index.nearestBatch(queries, { ...work, k, own })
  // One more than needed: the row itself is among them, or there are enough without it.
  const found = await index.nearestBatch(queries, { ...work, k: own ? k + 1 : k })
  if (own) withoutOwn({ ...found, values: found.similarities }, own, k)
  return found
}
