// Fits ForestClassifier: texts or vectors → rows as the model reads them → trees → what their leaves count → thresholds.

import { type LabeledItems, labeledInTurns } from '../../data/given/labeled.ts'
import { chooseThresholds, type Thresholds } from '../../evaluate/thresholds.ts'
import type { Forest } from '../../forest/forest.ts'
import { countForest } from '../../forest/grow-forest.ts'
import { IdTable } from '../../ids/id-table.ts'
import type { Scope } from '../../kernels/arena.ts'
import { CopyOnWriteArrays } from '../../kernels/copy-on-write-arrays.ts'
import { defaultEngine } from '../../kernels/engine.ts'
import type { LongWork } from '../../long-work.ts'
import type { LabelMatrix } from '../../matrix/label-matrix.ts'
import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { Random } from '../../random.ts'
import { wellFormed } from '../../store/packed-strings.ts'
import { growTrees } from '../../trees/grow-trees.ts'
import type { GrowerOptions } from '../../trees/grower-options.ts'
import { findGrower, type GrowerName } from '../../trees/growers.ts'
import type { SparseView } from '../../trees/growing.ts'
import type { FitContext } from '../fit-context.ts'
import { LabelNames } from '../label-names.ts'
import type { FitOptions, Weighting } from '../options.ts'
import { rankedLabels } from '../rankings.ts'
import { learnReader, type ReaderSettings } from '../reading/learn-reader.ts'
import { readTraining } from '../training-data.ts'
import { isBinary } from '../weights/start-weights.ts'
import { type LeafMembers, LeafRows, membersOf } from './leaf-rows.ts'
import { type ForestClassifierParts, readingOf, scalesOf } from './model.ts'
import {
  checkSparseGrower,
  type ForestClassifierOptions,
  type ForestClassifierSettings,
  resolveForestOptions,
  settingsForRows,
} from './options.ts'
import { ForestScores } from './scores.ts'

export async function fitForest(
  items: LabeledItems,
  options: ForestClassifierOptions & FitOptions,
): Promise<ForestClassifierParts> {
  const { threads, engine = defaultEngine(), signal, onProgress } = options
  const requested = resolveForestOptions(options)
  const work = { signal, onProgress }
  const place = { engine, threads, ...work }
  const dataset = await labeledInTurns(items, work)
  const resolved = settingsForRows(requested, options, dataset.rows)
  const training = await readTraining(dataset, resolved.text, work)
  const { pipeline, labels, labelNames } = training
  const names = new LabelNames(labelNames, training.dataset.vocabulary)
  const ids = new IdTable(dataset.rows, dataset.ids)
  const learned = await learnReader(training, readingSettings(resolved), { ...options }, place)
  const { reader } = learned
  const settings = Object.freeze({ ...resolved, ...learned.chosen })
  const data = { rows: learned.rows, labels, dense: reader.space !== undefined }
  if (!data.dense) checkSparseGrower(settings.grower)
  const arrays = new CopyOnWriteArrays(engine)
  const { forest, members } = await growForest(arrays, data, settings, place)
  const rows = new LeafRows(arrays, data.rows, labels, members, data.dense)
  try {
    const labelScales = scalesOf(labels, settings.tailLift)
    const thresholds = await fitThresholds({ settings, labelScales, arrays, forest, rows }, data, place)
    return {
      ...{ settings, ...reader, featureNames: pipeline ? undefined : dataset.featureNames, labelNames: names },
      ...{ labelScales, thresholds, forest, arrays, rows, ids },
      texts: settings.keepTexts && dataset.texts ? dataset.texts.map(wellFormed) : undefined,
    }
  } catch (error) {
    forest.free()
    arrays.free()
    throw error
  }
}

/** The paper uses tf-idf values, so binary rows get them too. */
function weightingFor({ weighting }: ForestClassifierSettings, features: SparseMatrix): Weighting {
  if (weighting !== 'auto') return weighting
  return isBinary(features) ? 'idf' : 'none'
}

/** Nearest rows that vote when a space is chosen for dense rows: about as many as leaves hold. */
const spaceNeighbors = 10

function readingSettings(settings: ForestClassifierSettings): ReaderSettings {
  const weighting = (features: SparseMatrix) => weightingFor(settings, features)
  return { ...settings, weighting, featureShare: 1, neighbors: spaceNeighbors, onlySeen: true }
}

interface Labeled {
  readonly rows: SparseMatrix
  /** Whether rows are dense. */
  readonly dense: boolean
  readonly labels: LabelMatrix
}

async function growForest(
  arrays: CopyOnWriteArrays,
  data: Labeled,
  settings: ForestClassifierSettings,
  { engine, threads, signal, onProgress }: FitContext & LongWork,
): Promise<{ forest: Forest; members: LeafMembers }> {
  const scope = engine.arena.scope()
  try {
    const { grower, trees, leafSize, depth, seed, rule } = settings
    const fit = {
      ...{ ...placeData(scope, data, grower, settings), rows: data.rows.rows, dims: data.rows.columns },
      ...{ grower, options: settings, trees, leafSize, depth, seed, threads, plainVotes: rule === 'voting' },
      ...{ signal, onProgress },
    }
    const grown = await growTrees(engine, scope, fit)
    const forest = await countForest(engine, grown, fit, arrays.discard.bind(arrays))
    return { forest, members: membersOf(grown.trees) }
  } finally {
    scope.free()
  }
}

/**
 * Rows and labels, as growing takes them. Splits by one number of a dense row, or by directions that levels share, are found on dense
 * rows. Hyperplanes of the nodes' own are kept as sparse directions, which are small: their rows are sparse, with all their numbers, unless the
 * grower takes no such rows.
 */
function placeData(scope: Scope, { rows, labels, dense }: Labeled, grower: GrowerName, options: GrowerOptions) {
  const { takesSparse, splits } = findGrower(grower, options)
  const byNumbers = dense && (!takesSparse || splits(options) !== 'node')
  return {
    view: byNumbers ? scope.place(rows.values, 'rows') : placeSparse(scope, rows),
    labels: {
      offsets: scope.place(Uint32Array.from(labels.offsets), 'labels'),
      indices: scope.place(labels.indices, 'labels'),
      count: labels.columns,
    },
  }
}

function placeSparse(scope: Scope, rows: SparseMatrix): SparseView {
  return {
    offsets: scope.place(Uint32Array.from(rows.offsets), 'rows'),
    indices: scope.place(rows.indices, 'rows'),
    values: scope.place(rows.values, 'rows'),
  }
}

/** Chosen on scores of training rows, each removed from its leaves in turn; the trees were still grown with it. */
async function fitThresholds(
  model: Pick<ForestClassifierParts, 'settings' | 'labelScales' | 'arrays' | 'forest' | 'rows'>,
  { rows, labels }: Labeled,
  { threads, signal, onProgress }: FitContext & LongWork,
): Promise<Thresholds> {
  const { threshold, thresholdFactor: factor, thresholdTrust: trust, thresholdRows, seed } = model.settings
  if (typeof threshold === 'number') return { single: Math.fround(threshold) }
  const own = new Random(seed).sample(rows.rows, Math.min(rows.rows, thresholdRows))
  const scores = new ForestScores(model.arrays, model.forest, model.rows)
  const work = { own, threads, signal, onProgress }
  try {
    const ranked = await scores.scoreBatch(rows.select(own), rankedLabels(labels), readingOf(model), work)
    return chooseThresholds(threshold, ranked, labels.select(own), { factor, trust })
  } finally {
    scores.free()
  }
}
