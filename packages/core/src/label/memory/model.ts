// What a fitted MemoryClassifier holds: a memory whose keys are the weighted rows and whose values are their labels, and how the
// memories found become scores of labels.

import type { TextPipeline } from '../../data/text/text-pipeline.ts'
import type { Thresholds } from '../../evaluate/thresholds.ts'
import type { Id } from '../../ids/id.ts'
import type { Engine } from '../../kernels/engine.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import type { SparseMatrix, SparseRow } from '../../matrix/sparse-matrix.ts'
import type { LinearModelPlace } from '../../memory/learning/linear-model.ts'
import type { TablePool } from '../../memory/learning/table-pool.ts'
import type { Hit } from '../../memory/memory-query.ts'
import { modelPlace } from '../../memory/memory-state.ts'
import type { MemoryTree } from '../../memory/memory-tree.ts'
import { KeyBuffer } from '../../memory/table/key-buffer.ts'
import type { LabelNames } from '../label-names.ts'
import { meanRows } from '../label-vectors.ts'
import type { LocalRanking } from '../predict.ts'
import { emptyRanking } from '../rankings.ts'
import { type ItemReader, readItem, readItems } from '../reading/item-reader.ts'
import type { ScoredLabels } from '../scores/label-scores.ts'
import type { WorkUnderWay } from '../work-under-way.ts'
import type { OneAgainstSome } from './one-against-some.ts'
import type { MemoryClassifierSettings } from './options.ts'

/** Room for the models of labels. */
export interface LabelPlace {
  readonly pool: TablePool
  readonly key: KeyBuffer
}

export interface MemoryLabelModel extends ItemReader, LabelPlace {
  readonly settings: MemoryClassifierSettings
  readonly pipeline: TextPipeline | undefined
  /** Names of the columns, if the training vectors had some. */
  readonly featureNames: readonly string[] | undefined
  readonly labelNames: LabelNames
  readonly thresholds: Thresholds
  readonly memory: MemoryTree
  /** Labels of rows without features: nothing finds them, but they count. */
  readonly bare: Map<Id, readonly number[]>
  /** Texts of the rows; undefined if none are kept. */
  readonly texts: Map<Id, string> | undefined
  /** Undefined if labels come from the best memories. */
  readonly labeler: OneAgainstSome | undefined
  /** The id of the next row that has none. Ids of removed rows are not reused. */
  nextId: number
  /** Running batches: a change lets them finish first. */
  readonly underWay: WorkUnderWay
}

/** A query takes some 50 µs. */
const chunkItems = 64

/** A label that memories support, and their share of the weight. */
export interface Candidate {
  readonly label: number
  readonly vote: number
  readonly carriers: readonly Hit[]
}

export function labelPlace(engine: Engine): LabelPlace & LinearModelPlace {
  return { ...modelPlace(engine), key: new KeyBuffer(engine.arena) }
}

/** The memories that a row finds; `except` is the row itself, if it is one of them. */
export function findMemories({ memory, settings }: MemoryLabelModel, row: SparseRow, except?: Id): Hit[] {
  const hits = memory.query(row, { k: 'all', probes: settings.probes })
  return except === undefined ? hits : hits.filter(({ id }) => id !== except)
}

/** The labels of the memories found, with their votes: a memory votes with the square of its score. */
export function candidatesOf(hits: readonly Hit[]): Candidate[] {
  const carriers = new Map<number, Hit[]>()
  for (const hit of hits) {
    for (const label of labelsOf(hit)) {
      const others = carriers.get(label)
      if (others) others.push(hit)
      else carriers.set(label, [hit])
    }
  }
  const total = weightOf(hits)
  return [...carriers].map(([label, list]) => ({ label, vote: weightOf(list) / total, carriers: list }))
}

/** The sum of the votes; never 0, even if the square of a small score underflows. */
export function weightOf(hits: readonly Hit[]): number {
  return hits.reduce((sum, { score }) => sum + Math.max(score * score, Number.MIN_VALUE), 0)
}

/** A memory's value is the list of its labels. */
export function labelsOf({ value }: Pick<Hit, 'value'>): readonly number[] {
  return value as readonly number[]
}

/** Labels best first, ties in their order. */
export function rankLabels(model: MemoryLabelModel, row: SparseRow, top: number, except?: Id): ScoredLabels {
  if (row.indices.length === 0) return { labels: new Uint32Array(0), scores: new Float32Array(0) }
  const candidates = candidatesOf(findMemories(model, row, except))
  const key = model.labeler && model.key.lay(row)
  const scored = candidates.map(({ label, vote, carriers }) => ({
    label,
    // As a classifier gives them: 32-bit numbers.
    score: Math.fround(model.labeler && key ? model.labeler.score(label, key, vote) : carriers[0].score),
  }))
  const best = scored.sort((a, b) => b.score - a.score || a.label - b.label).slice(0, top)
  return {
    labels: Uint32Array.from(best, ({ label }) => label),
    scores: Float32Array.from(best, ({ score }) => score),
  }
}

export function memoryRanking(model: MemoryLabelModel): LocalRanking {
  const { labelNames, thresholds, settings, underWay } = model
  return {
    ...{ labelNames, labels: labelNames.count, thresholds, allowEmpty: settings.allowEmpty, chunkItems, underWay },
    rankItem: (item, top) => rankLabels(model, readItem(model, item), top),
    rankItems: (items, top) => {
      const rows = readItems(model, items)
      return rankMany(rows.rows, top, i => rankLabels(model, rows.row(i), top))
    },
  }
}

/** Rankings of many rows as one. */
export function rankMany(rows: number, top: number, rank: (i: number) => ScoredLabels) {
  const ranked = emptyRanking(rows, top)
  for (let i = 0; i < rows; i++) {
    const { labels, scores } = rank(i)
    ranked.labels.set(labels, i * top)
    ranked.scores.set(scores, i * top)
    ranked.counts[i] = labels.length
  }
  return ranked
}

/** How many of the remaining rows have each label. */
export function countMemoryLabels({ memory, bare, labelNames }: MemoryLabelModel): Float64Array {
  const counts = new Float64Array(labelNames.count)
  for (const stored of memory.memories()) for (const label of labelsOf(stored)) counts[label]++
  for (const labels of bare.values()) for (const label of labels) counts[label]++
  return counts
}

/** What the rows of each label have in common. */
export function memoryLabelVectors({ memory, labelNames }: MemoryLabelModel, labels: readonly number[]): SparseMatrix {
  const stored = [...memory.memories()]
  const rows = stored.map(({ key }) => key as SparseRow) // as storeRow gave them
  const columns = 1 + rows.reduce((most, { indices }) => Math.max(most, indices.at(-1) ?? 0), 0) // ascending
  return meanRows(
    { labels: LabelMatrix.from(stored.map(labelsOf), labelNames.count), columns, row: row => rows[row] },
    labels,
  )
}

export function freeMemoryModel({ memory, pool, key }: MemoryLabelModel): void {
  memory.free()
  pool.free()
  key.free()
}
