// Labels for items, whatever ranks them: checks at the door, thresholds, and chunks, so that memory stays the same however many
// items there are.

import { sparingly } from '../data/bytes/sparing-progress.ts'
import { type ItemList, itemList } from '../data/given/items.ts'
import { EngineError, throwIfAborted } from '../errors.ts'
import type { RankedLabels } from '../evaluate/predictions.ts'
import { applyThresholds, type Thresholds, thresholdOf } from '../evaluate/thresholds.ts'
import type { LongWork } from '../long-work.ts'
import { Pauses } from '../long-work.ts'
import { LabelMatrix } from '../matrix/label-matrix.ts'
import type { SparseMatrix, SparseRow } from '../matrix/sparse-matrix.ts'
import { checkBoolean, checkedLater, checkOptions, checkThreads, optionTable, refuse, workChecks } from '../options.ts'
import type {
  BatchOptions,
  ExplainedSuggestion,
  Explanation,
  Item,
  Items,
  LabelBatch,
  PredictOptions,
  Suggestion,
} from './classifier.ts'
import { countItems } from './items.ts'
import { labelBatch } from './label-batch.ts'
import type { LabelNames } from './label-names.ts'
import { emptyRanking, joinRankings } from './rankings.ts'
import { type ItemReader, readItem, readItems } from './reading/item-reader.ts'
import type { ScoredLabels } from './scores/label-scores.ts'

/** A model that ranks labels for items, however it reads them. */
export interface Ranking {
  readonly labelNames: LabelNames
  /** How many labels there are to rank. */
  readonly labels: number
  readonly thresholds: Thresholds
  readonly allowEmpty: boolean
  /** Items that go through together; for models that rank them on this thread, so few that others need not wait. */
  readonly chunkItems?: number
  rankItem(item: Item, top: number): ScoredLabels
  rankItems(items: ItemList, top: number, work: RankWork): Promise<RankedLabels>
}

/** What a model has that ranks labels for rows. */
interface RowRanking {
  rankRow(row: SparseRow, top: number): ScoredLabels
  rankRows(rows: SparseMatrix, top: number, work: RankWork): Promise<RankedLabels>
}

/** The same for items, which are read as rows first. */
export function rankingRows(
  reader: ItemReader,
  { rankRow, rankRows }: RowRanking,
): Pick<Ranking, 'rankItem' | 'rankItems'> {
  return {
    rankItem: (item, top) => rankRow(readItem(reader, item), top),
    rankItems: async (items, top, work) => rankRows(readItems(reader, items), top, work),
  }
}

export interface RankWork extends LongWork {
  readonly threads?: number
}

const defaultTop = 5
/** Items that go through together, unless the model says otherwise. */
const mostItems = 2048
/** Labels that are held for them at most, as far as a single item allows. */
const chunkLabels = 2 ** 22

const predictChecks = { top: checkedLater, thresholded: checkBoolean }
const predictOptions = optionTable<PredictOptions>({ ...predictChecks, explain: checkBoolean })
const batchOptions = optionTable<BatchOptions>({ ...predictChecks, threads: checkThreads, ...workChecks })

/** Explains labels of one item. */
export type Explain = (label: string) => Explanation

/** `explainer` is called where reasons are asked for. */
export function predictItem(
  model: Ranking,
  item: Item,
  options: PredictOptions,
  explainer: (item: Item) => Explain,
): ExplainedSuggestion[] {
  checkOptions(options, predictOptions)
  const suggested = suggest(model, item, options)
  if (!options.explain) return suggested as ExplainedSuggestion[] // the overloads of `predict` promise no reasons here
  const explain = explainer(item)
  return suggested.map(suggestion => ({ ...suggestion, because: explain(suggestion.label) }))
}

function suggest(model: Ranking, item: Item, options: PredictOptions): Suggestion[] {
  const { top = defaultTop, thresholded = false } = options
  checkTop(top)
  const { labelNames, thresholds, allowEmpty } = model
  // Labels have thresholds of their own: one that passes may stand behind others that do not.
  const ranked = Math.min(model.labels, thresholded ? labelNames.count : top)
  const { labels, scores } = model.rankItem(item, ranked)
  const found = Array.from(labels, (label, i) => ({ number: label, label: labelNames.nameOf(label), score: scores[i] }))
  const passing = thresholded ? found.filter(({ number, score }) => score >= thresholdOf(thresholds, number)) : found
  const kept = passing.length === 0 && !allowEmpty ? found.slice(0, 1) : passing
  return kept.slice(0, top).map(({ label, score }) => ({ label, score }))
}

/** The label to explain: the one that is named, else the best. */
export function labelToExplain(model: Ranking, item: Item, label: string | undefined): string {
  if (label !== undefined) return label
  const [best] = suggest(model, item, { top: 1 })
  if (best) return best.label
  throw new EngineError('BAD_DATA', 'there is no label to explain: the model suggests none for this item', {
    hint: 'The item has no feature that the model knows. To explain a label anyway, name it.',
  })
}

export async function predictItems(model: Ranking, given: Items, options: BatchOptions): Promise<LabelBatch> {
  checkOptions(options, batchOptions)
  const { top = defaultTop, thresholded = false } = options
  checkTop(top)
  const items = itemList(given)
  const depth = Math.min(top, model.labels)
  const ranked = thresholded ? model.labels : depth
  const parts: RankedLabels[] = []
  await inChunks(model, items, ranked, options, async chunk => {
    const part = await rankItems(model, chunk, ranked, options)
    parts.push(thresholded ? onlyPassing(model, part, depth) : part)
  })
  return labelBatch(joinRankings(parts, depth), model.labelNames)
}

/** All labels that pass their thresholds, or the best `top` of them. Changes of the model count for chunks that begin later. */
export async function predictItemSets(model: Ranking, given: Items, options: BatchOptions): Promise<LabelMatrix> {
  checkOptions(options, batchOptions)
  const columns = model.labelNames.count
  if (options.top !== undefined) checkTop(options.top)
  const items = itemList(given)
  let sets = new LabelMatrix(0, columns, Float64Array.of(0), new Uint32Array(0))
  await inChunks(model, items, columns, options, async chunk => {
    const ranked = onlyKnown(await rankItems(model, chunk, columns, options), columns)
    const passing = options.top === undefined ? ranked : onlyPassing(model, ranked, Math.min(options.top, columns))
    sets = sets.concat(applyThresholds(passing, model.thresholds, columns, model.allowEmpty))
  })
  return sets
}

async function inChunks(
  { chunkItems = mostItems }: Ranking,
  items: ItemList,
  depth: number,
  { signal, onProgress }: BatchOptions,
  work: (chunk: ItemList) => Promise<void>,
): Promise<void> {
  const total = countItems(items)
  const size = Math.max(1, Math.min(chunkItems, Math.floor(chunkLabels / Math.max(1, depth))))
  const report = sparingly(onProgress)
  const pauses = new Pauses({ signal })
  for (let from = 0; from < total; from += size) {
    if (pauses.due) await pauses.take()
    throwIfAborted(signal)
    const to = Math.min(total, from + size)
    await work(items.slice(from, to))
    report({ what: 'predicting', done: to, total })
  }
}

/** Without labels that came while the batch was under way. */
function onlyKnown(ranked: RankedLabels, columns: number): RankedLabels {
  if (ranked.labels.every(label => label < columns)) return ranked
  const kept = emptyRanking(ranked.rows, ranked.top)
  for (let row = 0; row < ranked.rows; row++) {
    const from = row * ranked.top
    for (let e = from; e < from + ranked.counts[row]; e++) {
      if (ranked.labels[e] < columns) copyEntry(ranked, e, kept, from + kept.counts[row]++)
    }
  }
  return kept
}

async function rankItems(model: Ranking, items: ItemList, top: number, options: BatchOptions): Promise<RankedLabels> {
  const { threads, signal } = options
  return model.rankItems(items, top, { ...(threads !== undefined && { threads }), signal })
}

/** The best `top` labels of each row that pass; the best of all where none does and sets may not be empty. */
function onlyPassing({ thresholds, allowEmpty }: Ranking, ranked: RankedLabels, top: number): RankedLabels {
  const { rows } = ranked
  const kept = emptyRanking(rows, top)
  for (let row = 0; row < rows; row++) {
    const [from, to] = [row * ranked.top, row * ranked.top + ranked.counts[row]]
    let count = 0
    for (let e = from; e < to && count < top; e++) {
      if (ranked.scores[e] < thresholdOf(thresholds, ranked.labels[e])) continue
      copyEntry(ranked, e, kept, row * top + count++)
    }
    if (count === 0 && to > from && top > 0 && !allowEmpty) copyEntry(ranked, from, kept, row * top + count++)
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
  refuse('top', top, 'a whole number of at least 1')
}
