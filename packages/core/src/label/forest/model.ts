// What a fitted ForestClassifier holds. The parts change with partialFit and remove; rows keep their numbers in all of them.

import { labelPropensities } from '../../evaluate/propensity.ts'
import type { Thresholds } from '../../evaluate/thresholds.ts'
import type { Forest } from '../../forest/forest.ts'
import type { IdTable } from '../../ids/id-table.ts'
import type { CopyOnWriteArrays } from '../../kernels/copy-on-write-arrays.ts'
import type { LabelMatrix } from '../../matrix/label-matrix.ts'
import type { LabelNames } from '../label-names.ts'
import type { ThreadedRanking } from '../predict.ts'
import { type ItemReader, readItem, readItems } from '../reading/item-reader.ts'
import type { LeafRows } from './leaf-rows.ts'
import type { ForestClassifierSettings } from './options.ts'
import { ForestScores, type LeafReading } from './scores.ts'

/** What is fitted or loaded. */
export interface ForestClassifierParts extends ItemReader {
  readonly settings: ForestClassifierSettings
  /** Names of the columns, if the training vectors had some. */
  readonly featureNames: readonly string[] | undefined
  readonly labelNames: LabelNames
  /** Factors of the labels' scores; empty if all are 1. */
  readonly labelScales: Float32Array
  readonly thresholds: Thresholds
  readonly forest: Forest
  /** Whose memory the rows live in. */
  readonly arrays: CopyOnWriteArrays
  readonly rows: LeafRows
  readonly ids: IdTable
  /** Texts of the training rows, by row; undefined if none are kept. */
  readonly texts: string[] | undefined
}

export interface ForestModel extends ForestClassifierParts {
  readonly scores: ForestScores
}

export function assembleForest(parts: ForestClassifierParts): ForestModel {
  return { ...parts, scores: new ForestScores(parts.arrays, parts.forest, parts.rows) }
}

/** The name of the method: 'gpt' for the graph grower. */
export function methodOf({ grower }: Pick<ForestClassifierSettings, 'grower'>): 'gpt' | 'forest' {
  return grower === 'graph' ? 'gpt' : 'forest'
}

export function readingOf({
  settings,
  labelScales,
}: Pick<ForestClassifierParts, 'settings' | 'labelScales'>): LeafReading {
  const { probes, blend, blendPower } = settings
  return { labelScales, probes, blend, blendPower }
}

export function forestRanking(model: ForestModel): ThreadedRanking {
  const { labelNames, thresholds, settings, scores } = model
  const reading = readingOf(model)
  return {
    ...{ labelNames, labels: labelNames.count, thresholds, allowEmpty: settings.allowEmpty },
    rankItem: (item, top) => scores.score(readItem(model, item), top, reading),
    open: (items, work) => {
      const { scoreBatch, free } = scores.snapshot(reading)
      return {
        rank: async (from, to, top) => scoreBatch(readItems(model, items.slice(from, to)), top, work),
        close: free,
      }
    },
  }
}

/** Scores are divided by the label's propensity to the power of `tailLift`; the rarest label keeps its score. */
export function scalesOf(labels: LabelMatrix, tailLift: number): Float32Array {
  // With fewer rows there are no propensities.
  if (tailLift === 0 || labels.rows < 3) return new Float32Array(0)
  const lifts = labelPropensities(labels).map(propensity => propensity ** -tailLift)
  const most = lifts.reduce((highest, lift) => Math.max(highest, lift), 0)
  return Float32Array.from(lifts, lift => lift / most)
}

/** How many of the remaining rows have each label. */
export function countLabels({ rows, labelNames }: ForestModel): Float64Array {
  const counts = new Float64Array(labelNames.count)
  for (let row = 0; row < rows.count; row++) {
    if (rows.isAlive(row)) for (const label of rows.labels.row(row)) counts[label]++
  }
  return counts
}

export function freeForest({ forest, rows, arrays, scores }: ForestModel): void {
  scores.free()
  forest.free()
  rows.free()
  arrays.free()
}
