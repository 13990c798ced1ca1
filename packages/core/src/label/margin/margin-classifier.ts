// The nearest neighbor with a margin (paper 004): rows surrounded by other labels are dropped, so that the labels left are well
// separated, and the nearest row decides. Works with any metric, and says how certain it is. The parts are in separate files: fitting in
// fit.ts, conflicts in label/margin/separation/conflicts.ts, which rows to drop in label/margin/separation/cover.ts, the choice of the gap
// in label/margin/separation/separate.ts, scores in scores.ts, bounds in bounds.ts and compression.ts, files in contents.ts.

import type { ItemList } from '../../data/given/items.ts'
import { type LabeledItems, labeledInTurns, labeledItems } from '../../data/given/labeled.ts'
import { checkVocabulary } from '../../data/vocabulary/check-vocabulary.ts'
import type { Vocabulary } from '../../data/vocabulary/vocabulary.ts'
import { EngineError } from '../../errors.ts'
import type { RankedLabels } from '../../evaluate/predictions.ts'
import { readInTurns } from '../../ids/load-ahead.ts'
import { Holding } from '../../kernels/owned.ts'
import type { LabelMatrix } from '../../matrix/label-matrix.ts'
import { checkOwnMetric } from '../../nets/metrics/metric.ts'
import type { MetricItem } from '../../nets/metrics/named-metrics.ts'
import { checkIterable, checkOptions, checkSignal, checkText, optionTable } from '../../options.ts'
import { checkContents, type ModelContents } from '../../store/header.ts'
import type { ModelBytes } from '../../store/open-model.ts'
import { wellFormed } from '../../store/packed-strings.ts'
import { Saveable } from '../../store/saveable.ts'
import { noteChange } from '../changes.ts'
import type {
  BatchOptions,
  Classifier,
  ExplainedSuggestion,
  Explanation,
  Item,
  Items,
  LabelBatch,
  PredictOptions,
  Suggestion,
} from '../classifier.ts'
import { countItems, itemAt, itemsOf } from '../items.ts'
import { checkIds } from '../new-rows.ts'
import type { FitOptions } from '../options.ts'
import {
  type Explain,
  type LocalRanking,
  labelToExplain,
  predictItem,
  predictItemSets,
  predictItems,
} from '../predict.ts'
import { emptyRanking } from '../rankings.ts'
import type { ScoredLabels } from '../scores/label-scores.ts'
import { checkMoreTraining, namesOf } from '../training-data.ts'
import { fitTuned, type Tuned } from '../tuning/result.ts'
import { WorkUnderWay } from '../work-under-way.ts'
import { packMargin, storedMargin, unpackMargin } from './contents.ts'
import { fitMargin } from './fit.ts'
import { isBlank, readMarginItem, readMarginRows, takesTexts } from './items.ts'
import { labelDistances } from './label-distances.ts'
import { type MarginModel, type MarginReport, questionOf } from './model.ts'
import type { MarginLoadOptions, MarginOptions, MarginSettings, OwnDistanceOption } from './options.ts'
import { withoutBound } from './proof.ts'
import { type LabelMargin, labelMargins } from './scores.ts'
import { type MarginTuningOptions, tuneMargin } from './tuner.ts'

const loadOptions = optionTable<MarginLoadOptions>({ ownDistance: checkOwnMetric, signal: checkSignal })
const contentsOptions = optionTable<OwnDistanceOption & { readonly name?: string }>({
  ...{ ownDistance: checkOwnMetric, name: checkText },
})

/** The caller's own distance may take milliseconds, and one item needs many of them. */
const chunkItems = 1

/** Labels items by their nearest neighbor under any distance, with a margin and an error bound. */
export class MarginClassifier extends Saveable implements Classifier {
  readonly #fitted: MarginModel
  readonly #underWay = new WorkUnderWay()

  private constructor(model: MarginModel) {
    super(new Holding('MarginClassifier'))
    this.#fitted = model
  }

  /** Learns from `[{ text, labels }]`, from `[{ vector, labels }]`, or from a data set. */
  static async fit(
    items: LabeledItems,
    options: MarginOptions & OwnDistanceOption & FitOptions = {},
  ): Promise<MarginClassifier> {
    return new MarginClassifier(await fitMargin(items, options))
  }

  /** Finds the options that score best on one measure, and fits with them. Options you set are kept. */
  static async tune(
    items: LabeledItems,
    options: MarginTuningOptions,
  ): Promise<Tuned<MarginOptions, MarginClassifier>> {
    const dataset = await labeledInTurns(items, options)
    return fitTuned(dataset, await tuneMargin(dataset, options, MarginClassifier.fit), options, MarginClassifier.fit)
  }

  /** Reads a model that `save` wrote. Pass `ownDistance` again if the model was fitted with one. */
  static async load(path: string, options: MarginLoadOptions = {}): Promise<MarginClassifier> {
    checkOptions(options, loadOptions)
    const { signal, ...own } = options
    return MarginClassifier.fromContents(await readInTurns(path, { signal }), { ...own, name: path })
  }

  /** Like `load`, from the bytes that `toBytes` returned. */
  static async fromBytes(bytes: ModelBytes, options: MarginLoadOptions = {}): Promise<MarginClassifier> {
    checkOptions(options, loadOptions)
    const { signal, ...own } = options
    return MarginClassifier.fromContents(await readInTurns(bytes, { signal }), own)
  }

  /** Restores the contents of a model file; errors refer to it by `name`. */
  static fromContents(
    contents: ModelContents,
    options: OwnDistanceOption & { readonly name?: string } = {},
  ): MarginClassifier {
    checkOptions(options, contentsOptions)
    checkContents(contents)
    const { name = 'the model', ownDistance } = options
    return new MarginClassifier(unpackMargin(contents, name, ownDistance))
  }

  get method(): 'margin' {
    return storedMargin
  }

  get options(): MarginSettings {
    return { ...this.#model.settings }
  }

  /** How the model was fitted, and bounds on its error. */
  get report(): MarginReport {
    return this.#model.report
  }

  /** Number of training rows, including dropped ones. */
  get rows(): number {
    return this.#model.ids.live
  }

  get labelNames(): readonly string[] {
    return this.#model.labelNames.all
  }

  get vocabulary(): Vocabulary | undefined {
    return this.#model.labelNames.vocabulary
  }

  get takesTexts(): boolean {
    return takesTexts(this.#model.reader)
  }

  labelCounts(): Float64Array {
    const { ids, rowLabels, labelNames } = this.#model
    const counts = new Float64Array(labelNames.count)
    rowLabels.forEach((labels, row) => {
      if (ids.idOf(row) !== undefined) for (const label of labels) counts[label]++
    })
    return counts
  }

  /** Squared distances of labels, given by their numbers, from those of some of their rows. NaN for labels whose rows were all dropped. */
  labelDistances(labels: readonly number[]): Float64Array {
    return labelDistances(this.#model, labels)
  }

  /** The labels of one item, best first; ties in the order of `labelNames`. Leaves out labels that the margin rules out. */
  predict(item: Item, options: PredictOptions & { readonly explain: true }): ExplainedSuggestion[]
  predict(item: Item, options?: PredictOptions): Suggestion[]
  predict(item: Item, options: PredictOptions = {}): Suggestion[] {
    return predictItem(this.#ranking(), item, options, given => this.#explainer(given))
  }

  /** The best labels of many items. */
  async predictBatch(items: Items, options: BatchOptions = {}): Promise<LabelBatch> {
    return predictItems(this.#ranking(), items, options)
  }

  /**
   * Labels with a positive margin, or the best label if there are none; ties go to the label with the most rows. With `minMargin`, labels
   * whose margin is at least that; the set may then be empty.
   */
  async predictSets(items: Items, options: BatchOptions = {}): Promise<LabelMatrix> {
    return predictItemSets(this.#ranking(), items, options)
  }

  /** Calls labels by the names of another vocabulary, or language: `model.nameLabels(model.vocabulary.in('fi'))`. */
  nameLabels(vocabulary: Vocabulary): void {
    checkVocabulary('vocabulary', vocabulary)
    this.#model.labelNames.rename(vocabulary)
  }

  /** The nearest rows with the label, its margin, and the nearest row without it. */
  explain(item: Item, label?: string): Explanation {
    return this.#explainer(item)(labelToExplain(this.#ranking(), item, label))
  }

  /** Distances are computed once for all labels to explain. */
  #explainer(item: Item): Explain {
    const margins = this.#margins(item)
    return label => this.#explain(margins, label)
  }

  #explain(margins: readonly LabelMargin[], label: string): Explanation {
    const { labelNames } = this.#model
    const number = labelNames.numberOf(label)
    const named = labelNames.named(number)
    const found = margins.find(one => one.label === number)
    if (!found) return { ...named, score: 0, neighbors: [], features: [] }
    const { score, margin, rival, rows, distance } = found
    const share = score / rows.length
    const neighbors = rows.map(row => ({ ...this.#reason(row), similarity: 1 / (1 + distance), distance, share }))
    const other = rival && { ...this.#reason(rival.row), distance: rival.distance }
    return { ...named, score, neighbors, features: [], margin, ...(other && { rival: other }) }
  }

  /** Adds rows, used from the next prediction on. Conflicts with other rows are only resolved by fitting again. */
  partialFit(given: LabeledItems): void {
    const dataset = labeledItems(given)
    if (dataset.rows === 0) return
    this.#underWay.finish()
    noteChange(this)
    const { reader, net, ids, rowLabels, labelNames, texts } = this.#model
    const labels = checkMoreTraining(dataset)
    const items = readMarginRows(reader, itemsOf(dataset, this))
    refuseBlank(items)
    checkIds(dataset.ids, id => ids.rowOf(id))
    const names = labelNames.idsOf(namesOf(dataset, labels), dataset.vocabulary)
    this.#model.report = withoutBound(this.#model.report)
    items.forEach((item, i) => {
      const row = ids.rows
      ids.add(ids.nextId(dataset.ids?.[i]))
      rowLabels.push(labelNames.numbersOf(Array.from(labels.row(i), label => names[label])))
      texts?.push(wellFormed(dataset.texts?.[i] ?? ''))
      this.#model.mostLabels = Math.max(this.#model.mostLabels, rowLabels[row].length)
      net.items[row] = rowLabels[row].length > 0 ? item : undefined
      if (rowLabels[row].length > 0) net.insert(row)
    })
    labelNames.nameMore(dataset.vocabulary)
  }

  /** Removes rows. Labels stay known even if no row has them any more. Throws if rows were moved together by `perturb`. */
  remove(given: Iterable<string | number>): number {
    const { net, ids, rowLabels, texts, report } = this.#model
    checkIterable('ids', given)
    if (report.perturbation) throw cannotRemove()
    this.#underWay.finish()
    noteChange(this)
    let removed = 0
    for (const id of given) {
      const row = ids.remove(id)
      if (row === undefined) continue
      if (net.items[row] !== undefined) net.remove(row)
      rowLabels[row] = new Uint32Array(0)
      if (texts) texts[row] = ''
      removed++
    }
    if (removed > 0) this.#model.report = withoutBound(report)
    return removed
  }

  /** Everything a model file stores. */
  contents(): ModelContents {
    return packMargin(this.#model)
  }

  get #model(): MarginModel {
    this.checkLive()
    return this.#fitted
  }

  /** A running batch continues after `free`. */
  #margins(item: Item, top = Number.POSITIVE_INFINITY): LabelMargin[] {
    const read = readMarginItem(this.#fitted.reader, item)
    return read === undefined ? [] : labelMargins(questionOf(this.#fitted, top), read).slice(0, top)
  }

  #reason(row: number): { id: string | number; text?: string } {
    const { ids, texts, net } = this.#model
    const item = net.items[row]
    const text = texts?.[row] ?? (typeof item === 'string' ? item : undefined)
    return { id: ids.idOf(row) ?? row, ...(text !== undefined && { text }) }
  }

  #ranking(): LocalRanking {
    const { labelNames, settings } = this.#model
    const { minMargin } = settings
    return {
      ...{ labelNames, labels: labelNames.count, allowEmpty: minMargin > 0 },
      thresholds: { single: Math.fround((1 + minMargin) / 2) },
      ...{ chunkItems, underWay: this.#underWay },
      rankItem: (item, top) => scoredLabels(this.#margins(item, top)),
      rankItems: (items, top) => this.#rankItems(items, top),
    }
  }

  #rankItems(items: ItemList, top: number): RankedLabels {
    const ranked = emptyRanking(countItems(items), top)
    for (let i = 0; i < ranked.rows; i++) {
      const { labels, scores } = scoredLabels(this.#margins(itemAt(items, i), top))
      ranked.labels.set(labels, i * top)
      ranked.scores.set(scores, i * top)
      ranked.counts[i] = labels.length
    }
    return ranked
  }
}

function refuseBlank(items: readonly MetricItem[]): void {
  const blank = items.findIndex(isBlank)
  if (blank < 0) return
  throw new EngineError('BAD_DATA', `item ${blank} has an empty text: there is nothing to learn from it`, {
    hint: 'Leave out the item.',
  })
}

function cannotRemove(): EngineError {
  const message = 'these rows cannot be removed: perturb merged them with other rows'
  return new EngineError('UNSUPPORTED', message, { hint: 'Fit again without these rows, or without perturb.' })
}

function scoredLabels(margins: readonly LabelMargin[]): ScoredLabels {
  return {
    labels: Uint32Array.from(margins, ({ label }) => label),
    scores: Float32Array.from(margins, ({ score }) => score),
  }
}
