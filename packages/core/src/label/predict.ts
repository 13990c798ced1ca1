// Labels for items, with any method: checks of arguments, thresholds, and chunks, so that memory use does not depend on how many
// items there are.

import { sparingly } from '../data/bytes/sparing-progress.ts'
import { type ItemList, itemList } from '../data/given/items.ts'
import { EngineError } from '../errors.ts'
import type { RankedLabels } from '../evaluate/predictions.ts'
import { applyThresholds, type Thresholds, thresholdOf } from '../evaluate/thresholds.ts'
import { type LongWork, Pauses, type Steps } from '../long-work.ts'
import type { LabelMatrix } from '../matrix/label-matrix.ts'
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
import { emptyRanking, joinLabels, joinRankings } from './rankings.ts'
import type { ScoredLabels } from './scores/label-scores.ts'
import type { WorkUnderWay } from './work-under-way.ts'

/** A model that ranks labels for items, however it reads them. */
export interface LabelRanking {
  readonly labelNames: LabelNames
  /** How many labels there are to rank. */
  readonly labels: number
  readonly thresholds: Thresholds
  readonly allowEmpty: boolean
  rankItem(item: Item, top: number): ScoredLabels
}

/** Ranks labels for many items in worker threads. */
export interface ThreadedRanking extends LabelRanking {
  /** Answers with the model as it is now, even if it changes before this is closed. */
  open(items: ItemList, work: RankWork): OpenRanking
}

export interface OpenRanking {
  /** For the items [from, to). Ranges come in order, each item once. */
  rank(from: number, to: number, top: number): Promise<RankedLabels>
  close(): void
}

/** Ranks labels for many items on this thread, in turns. */
export interface LocalRanking extends LabelRanking {
  /** Items per turn: few enough that other code does not wait. */
  readonly chunkItems: number
  rankItems(items: ItemList, top: number): RankedLabels
  /** Changes of the model finish this first. */
  readonly underWay: WorkUnderWay
}

/** Ranks labels for many items. */
export type BatchRanking = ThreadedRanking | LocalRanking

export interface RankWork extends LongWork {
  readonly threads?: number
}

const defaultTop = 5
/** Items that go through the worker threads together. */
const mostItems = 2048
/** The most labels held for them; a single item may have more. */
const chunkLabels = 2 ** 22

const predictChecks = { top: checkedLater, thresholded: checkBoolean }
const predictOptions = optionTable<PredictOptions>({ ...predictChecks, explain: checkBoolean })
const batchOptions = optionTable<BatchOptions>({ ...predictChecks, threads: checkThreads, ...workChecks })

/** Explains labels of one item. */
export type Explain = (label: string) => Explanation

/** `explainer` is called if reasons are requested. */
export function predictItem(
  model: LabelRanking,
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

function suggest(model: LabelRanking, item: Item, options: PredictOptions): Suggestion[] {
  const { top = defaultTop, thresholded = false } = options
  checkTop(top)
  const { labelNames, thresholds, allowEmpty } = model
  // Each label has its own threshold: one that passes may rank below others that do not.
  const ranked = Math.min(model.labels, thresholded ? labelNames.count : top)
  const { labels, scores } = model.rankItem(item, ranked)
  const found = Array.from(labels, (label, i) => ({ number: label, score: scores[i] }))
  const passing = thresholded ? found.filter(({ number, score }) => score >= thresholdOf(thresholds, number)) : found
  const kept = passing.length === 0 && !allowEmpty ? found.slice(0, 1) : passing
  return kept.slice(0, top).map(({ number, score }) => labelNames.scored(number, score))
}

/** The label to explain: the given one, or else the best. */
export function labelToExplain(model: LabelRanking, item: Item, label: string | undefined): string {
  if (label !== undefined) return label
  const [best] = suggest(model, item, { top: 1 })
  if (best) return best.label
  throw new EngineError('BAD_DATA', 'there is no label to explain: the model suggests none for this item', {
    hint: 'The item has no feature that the model knows. To explain a label anyway, name it.',
  })
}

/** Answers with the model as of the call, even if it changes in the meantime. */
export async function predictItems(model: BatchRanking, given: Items, options: BatchOptions): Promise<LabelBatch> {
  checkOptions(options, batchOptions)
  const { top = defaultTop, thresholded = false } = options
  checkTop(top)
  const items = itemList(given)
  const depth = Math.min(top, model.labels)
  const ranked = thresholded ? model.labels : depth
  const parts: RankedLabels[] = []
  await inChunks(model, items, ranked, options, part => {
    parts.push(thresholded ? onlyPassing(model, part, depth) : part)
  })
  return labelBatch(joinRankings(parts, depth), model.labelNames)
}

/** All labels that pass their thresholds, or the best `top` of them; also as of the call. */
export async function predictItemSets(model: BatchRanking, given: Items, options: BatchOptions): Promise<LabelMatrix> {
  checkOptions(options, batchOptions)
  const columns = model.labelNames.count
  if (options.top !== undefined) checkTop(options.top)
  const items = itemList(given)
  const parts: LabelMatrix[] = []
  await inChunks(model, items, columns, options, ranked => {
    const passing = options.top === undefined ? ranked : onlyPassing(model, ranked, Math.min(options.top, columns))
    parts.push(applyThresholds(passing, model.thresholds, columns, model.allowEmpty))
  })
  return joinLabels(parts, columns)
}

/** Calls `keep` with the labels of one chunk of items after another. */
async function inChunks(
  model: BatchRanking,
  items: ItemList,
  depth: number,
  options: BatchOptions,
  keep: (ranked: RankedLabels) => void,
): Promise<void> {
  const total = countItems(items)
  const size = (most: number) => Math.max(1, Math.min(most, Math.floor(chunkLabels / Math.max(1, depth))))
  const ranges = function* (most: number) {
    for (let from = 0; from < total; from += size(most)) yield [from, Math.min(total, from + size(most))] as const
  }
  const { threads, signal } = options
  const report = sparingly(options.onProgress)
  const onProgress = (done: number) => report({ what: 'predicting', done, total })
  if (!('open' in model)) {
    return model.underWay.inTurns(rankHere(model, items, depth, ranges(model.chunkItems), keep), { signal }, onProgress)
  }
  const pauses = new Pauses({ signal })
  const open = model.open(items, { ...(threads !== undefined && { threads }), signal })
  try {
    for (const [from, to] of ranges(mostItems)) {
      await pauses.rest()
      keep(await open.rank(from, to, depth))
      onProgress(to)
    }
  } finally {
    open.close()
  }
}

function* rankHere(
  model: LocalRanking,
  items: ItemList,
  depth: number,
  ranges: Iterable<readonly [from: number, to: number]>,
  keep: (ranked: RankedLabels) => void,
): Steps<void> {
  for (const [from, to] of ranges) {
    keep(model.rankItems(items.slice(from, to), depth))
    yield to
  }
}

/** The best `top` labels of each row that pass; the best one if none does and sets may not be empty. */
function onlyPassing({ thresholds, allowEmpty }: LabelRanking, ranked: RankedLabels, top: number): RankedLabels {
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
