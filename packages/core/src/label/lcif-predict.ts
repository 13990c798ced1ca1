// Labels for items: nearest rows, then scores, then perhaps thresholds. Many items go through in chunks, so that memory
// stays the same however many there are.

import { sparingly } from '../data/bytes/sparing-progress.ts'
import { EngineError, throwIfAborted } from '../errors.ts'
import type { RankedLabels } from '../evaluate/predictions.ts'
import { applyThresholds, thresholdOf } from '../evaluate/thresholds.ts'
import { LabelMatrix } from '../matrix/label-matrix.ts'
import type { SparseMatrix, SparseRow } from '../matrix/sparse-matrix.ts'
import type { BatchOptions, Item, Items, PredictOptions, Suggestion } from './classifier.ts'
import type { NearestBatch, NearestRows } from './label-scores.ts'
import { readItem, readItems } from './lcif-items.ts'
import { type LcifModel, mixOf, noNeighbors } from './lcif-model.ts'
import { emptyRanking, joinRankings } from './ranked-parts.ts'

const defaultTop = 5
/** Items that go through together. */
const chunkItems = 2048
/** Labels that are held for them at most, as far as a single item allows. */
const chunkLabels = 2 ** 22

export function predictItem(model: LcifModel, item: Item, options: PredictOptions): Suggestion[] {
  const { top = defaultTop, thresholded = false } = options
  checkTop(top)
  const row = readItem(model, item)
  const { labelNames, thresholds, settings } = model
  const { labels, scores } = model.scores.score(row, findNearest(model, row), {
    // Labels have thresholds of their own: one that passes may stand behind others that do not.
    top: thresholded ? labelNames.count : top,
    ...scoring(model),
  })
  const found = Array.from(labels, (label, i) => ({ number: label, label: labelNames.nameOf(label), score: scores[i] }))
  const passing = thresholded ? found.filter(({ number, score }) => score >= thresholdOf(thresholds, number)) : found
  const kept = passing.length === 0 && !settings.allowEmpty ? found.slice(0, 1) : passing
  return kept.slice(0, top).map(({ label, score }) => ({ label, score }))
}

/** The nearest rows of a weighted row, where they count. */
export function findNearest({ settings, index }: LcifModel, row: SparseRow): NearestRows {
  return mixOf(settings) > 0 ? index.nearest(row, settings.neighbors) : noNeighbors(1)
}

export async function predictItems(model: LcifModel, items: Items, options: BatchOptions): Promise<RankedLabels> {
  const { top = defaultTop, thresholded = false } = options
  checkTop(top)
  const labels = model.scores.labels
  const depth = Math.min(top, labels)
  const ranked = thresholded ? labels : depth
  const parts: RankedLabels[] = []
  await inChunks(items, ranked, options, async chunk => {
    const part = await rankItems(model, chunk, ranked, options)
    parts.push(thresholded ? onlyPassing(model, part, depth) : part)
  })
  return joinRankings(parts, depth)
}

/** All labels that pass their thresholds, or the best `top` of them. */
export async function predictItemSets(model: LcifModel, items: Items, options: BatchOptions): Promise<LabelMatrix> {
  const columns = model.labelNames.count
  if (options.top !== undefined) checkTop(options.top)
  let sets = new LabelMatrix(0, columns, Float64Array.of(0), new Uint32Array(0))
  await inChunks(items, columns, options, async chunk => {
    const ranked = await rankItems(model, chunk, columns, options)
    const passing = options.top === undefined ? ranked : onlyPassing(model, ranked, Math.min(options.top, columns))
    sets = sets.concat(applyThresholds(passing, model.thresholds, columns, model.settings.allowEmpty))
  })
  return sets
}

async function inChunks(
  items: Items,
  depth: number,
  { signal, onProgress }: BatchOptions,
  work: (chunk: Items) => Promise<void>,
): Promise<void> {
  const total = 'rows' in items ? items.rows : items.length
  const size = Math.max(1, Math.min(chunkItems, Math.floor(chunkLabels / Math.max(1, depth))))
  const report = sparingly(onProgress)
  for (let from = 0; from < total; from += size) {
    throwIfAborted(signal)
    const to = Math.min(total, from + size)
    await work(items.slice(from, to))
    report({ what: 'predicting', done: to, total })
  }
}

async function rankItems(model: LcifModel, items: Items, top: number, options: BatchOptions): Promise<RankedLabels> {
  const { threads, signal } = options
  const rows = readItems(model, items)
  const work = { ...(threads !== undefined && { threads }), signal }
  const nearest = await findNearestBatch(model, rows, work)
  return model.scores.scoreBatch(rows, nearest, { top, ...scoring(model), ...work })
}

async function findNearestBatch(
  { settings, index }: LcifModel,
  rows: SparseMatrix,
  work: BatchOptions,
): Promise<NearestBatch> {
  return mixOf(settings) > 0 ? index.nearestBatch(rows, { k: settings.neighbors, ...work }) : noNeighbors(rows.rows)
}

function scoring({ settings, neighborPower }: LcifModel): { neighborPower: number; mix: number } {
  return { neighborPower, mix: mixOf(settings) }
}

/** The best `top` labels of each row that pass; the best of all where none does and sets may not be empty. */
function onlyPassing({ thresholds, settings }: LcifModel, ranked: RankedLabels, top: number): RankedLabels {
  const { rows } = ranked
  const kept = emptyRanking(rows, top)
  for (let row = 0; row < rows; row++) {
    const [from, to] = [row * ranked.top, row * ranked.top + ranked.counts[row]]
    let count = 0
    for (let e = from; e < to && count < top; e++) {
      if (ranked.scores[e] < thresholdOf(thresholds, ranked.labels[e])) continue
      copyEntry(ranked, e, kept, row * top + count++)
    }
    if (count === 0 && to > from && top > 0 && !settings.allowEmpty) copyEntry(ranked, from, kept, row * top + count++)
    kept.counts[row] = count
  }
  return kept
}

function copyEntry(source: RankedLabels, from: number, target: RankedLabels, to: number): void {
  target.labels[to] = source.labels[from]
  target.scores[to] = source.scores[from]
}

function checkTop(top: number): void {
  if (Number.isSafeInteger(top) && top >= 1) return
  throw new EngineError('INVALID_OPTION', `top is ${top}, expected a whole number of at least 1`)
}
