// A forest as a classifier: any grower's trees, with the training rows' own labels in the leaves. With the graph grower it is GPT
// (Tagami 2017, paper 001), by the rule of paper 000: a label's score is the mean, over the trees, of its share of the rows in the
// leaf that the item falls into.

import { type LabeledItems, labeledItems } from '../../data/given/labeled.ts'
import { contentsOptions, defaultEngine, type Engine, engineOf, type ModelPlace } from '../../kernels/engine.ts'
import { type Holding, lend, lendFor } from '../../kernels/owned.ts'
import type { LabelMatrix } from '../../matrix/label-matrix.ts'
import { checkIterable, checkOptions } from '../../options.ts'
import { checkContents, type ModelContents } from '../../store/header.ts'
import { type ModelBytes, openBytes, openFile, Saveable } from '../../store/saveable.ts'
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
import type { FitOptions } from '../options.ts'
import { labelToExplain, predictItem, predictItemSets, predictItems } from '../predict.ts'
import { fitTuned, type Tuned } from '../tuning/result.ts'
import { packForestModel, unpackForestModel } from './contents.ts'
import { describeTree } from './describe-tree.ts'
import type { DescribedNode } from './described-tree.ts'
import { forestExplainer } from './explain.ts'
import { fitForest } from './fit.ts'
import {
  assembleForest,
  countLabels,
  type ForestClassifierParts,
  type ForestModel,
  forestRanking,
  methodOf,
} from './model.ts'
import type { ForestClassifierOptions, ForestClassifierSettings } from './options.ts'
import { type ForestTuningOptions, tuneForest } from './tuner.ts'
import { addForestRows, removeForestRows } from './update.ts'

/** Labels by a forest (GPT): trees that keep rows with like labels together, over sparse or dense rows or texts. */
export class ForestClassifier extends Saveable implements Classifier {
  readonly #engine: Engine
  readonly #fitted: ForestModel

  private constructor(holding: Holding, engine: Engine, parts: ForestClassifierParts) {
    super(holding)
    this.#engine = engine
    this.#fitted = assembleForest(parts)
  }

  /** Learns from `[{ text, labels }]`, from `[{ vector, labels }]`, or from a data set. */
  static async fit(items: LabeledItems, options: ForestClassifierOptions & FitOptions = {}): Promise<ForestClassifier> {
    return lendFor(engineOf(options), 'ForestClassifier', async (lease, holding) => {
      return new ForestClassifier(holding, lease, await fitForest(items, { ...options, engine: lease }))
    })
  }

  /** Finds the options that suit the data best by one measure, and fits with them. Options that are given stay. */
  static async tune(
    items: LabeledItems,
    options: ForestTuningOptions,
  ): Promise<Tuned<ForestClassifierOptions, ForestClassifier>> {
    const dataset = labeledItems(items)
    return fitTuned(dataset, await tuneForest(dataset, options), options, ForestClassifier.fit)
  }

  /** Reads a model that `save` wrote. */
  static load(path: string, options: ModelPlace = {}): Promise<ForestClassifier> {
    return openFile(path, options, ForestClassifier.fromContents)
  }

  /** The same from the bytes that `toBytes` gave. */
  static fromBytes(bytes: ModelBytes, options: ModelPlace = {}): Promise<ForestClassifier> {
    return openBytes(bytes, options, ForestClassifier.fromContents)
  }

  /** From the contents of a model file; `name` is what messages call it. */
  static fromContents(
    contents: ModelContents,
    options: ModelPlace & { readonly name?: string } = {},
  ): ForestClassifier {
    checkOptions(options, contentsOptions)
    checkContents(contents)
    const { engine = defaultEngine(), name = 'the model' } = options
    return lend(engine, 'ForestClassifier', (lease, holding) => {
      return new ForestClassifier(holding, lease, unpackForestModel(contents, lease, name))
    })
  }

  get method(): 'gpt' | 'forest' {
    return methodOf(this.#model.settings)
  }

  get options(): ForestClassifierSettings {
    return { ...this.#model.settings }
  }

  get rows(): number {
    return this.#model.ids.live
  }

  get labelNames(): readonly string[] {
    return this.#model.labelNames.all
  }

  get takesTexts(): boolean {
    return this.#model.pipeline !== undefined
  }

  get trees(): number {
    return this.#model.forest.trees
  }

  labelCounts(): Float64Array {
    return countLabels(this.#model)
  }

  /** Best first, ties in the order of `labelNames`. Empty where no feature of the item is known. */
  predict(item: Item, options: PredictOptions & { readonly explain: true }): ExplainedSuggestion[]
  predict(item: Item, options?: PredictOptions): Suggestion[]
  predict(item: Item, options: PredictOptions = {}): Suggestion[] {
    return predictItem(forestRanking(this.#model), item, options, given => forestExplainer(this.#model, given))
  }

  /** The best labels of many items, on all threads. */
  async predictBatch(items: Items, options: BatchOptions = {}): Promise<LabelBatch> {
    const ranking = forestRanking(this.#model)
    return this.#engine.readers.read(() => predictItems(ranking, items, options))
  }

  /** All labels that pass, unless `top` says how many at most. */
  async predictSets(items: Items, options: BatchOptions = {}): Promise<LabelMatrix> {
    const ranking = forestRanking(this.#model)
    return this.#engine.readers.read(() => predictItemSets(ranking, items, options))
  }

  /** The rows of the leaves reached that carry the label, and the way through each tree. */
  explain(item: Item, label?: string): Explanation {
    const wanted = labelToExplain(forestRanking(this.#model), item, label)
    return forestExplainer(this.#model, item)(wanted)
  }

  /** One tree, as nodes with names. */
  describeTree(tree: number): DescribedNode {
    return describeTree(this.#model, tree)
  }

  /** Rows count in the leaves they fall into; trees, vocabulary, weights and thresholds stay as they were fitted. */
  partialFit(items: LabeledItems): void {
    addForestRows(this.#model, items)
  }

  /** Labels stay known, also where nothing carries them any more. */
  remove(ids: Iterable<string | number>): number {
    checkIterable('ids', ids)
    return removeForestRows(this.#model, ids)
  }

  /** What a model file holds. */
  contents(): ModelContents {
    return packForestModel(this.#model)
  }

  get #model(): ForestModel {
    this.checkLive()
    return this.#fitted
  }
}
