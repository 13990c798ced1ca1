// A forest as a classifier: any grower's trees, with the training rows' own labels in the leaves. With the graph grower it is GPT
// (Tagami 2017, paper 001), by the rule of paper 000: a label's score is the mean, over the trees, of its share of the rows in the
// leaf that the item falls into.

import { type LabeledItems, labeledInTurns } from '../../data/given/labeled.ts'
import { loadBytes, loadFile } from '../../ids/load-ahead.ts'
import {
  contentsOptions,
  defaultEngine,
  type Engine,
  engineOf,
  type LoadOptions,
  type ModelPlace,
} from '../../kernels/engine.ts'
import { type Holding, lend, lendFor } from '../../kernels/owned.ts'
import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { checkIterable, checkOptions } from '../../options.ts'
import { checkContents, type ModelContents } from '../../store/header.ts'
import type { ModelBytes } from '../../store/open-model.ts'
import { noteChange } from '../changes.ts'
import type { Classifier } from '../classifier.ts'
import type { DescribedNode } from '../described-node.ts'
import { meanRows } from '../label-vectors.ts'
import type { FitOptions } from '../options.ts'
import { RankingClassifier } from '../ranking-classifier.ts'
import { fitTuned, type Tuned } from '../tuning/result.ts'
import { packForestModel, unpackForestModel } from './contents.ts'
import { describeTree } from './describe-tree.ts'
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

/**
 * Labels items with a forest (GPT) whose trees keep rows with similar labels together. For texts, sparse and dense vectors. `explain` returns the
 * rows with the label in the leaves that the item reaches, and the path through each tree.
 */
export class ForestClassifier extends RankingClassifier implements Classifier {
  readonly #fitted: ForestModel

  private constructor(holding: Holding, engine: Engine, parts: ForestClassifierParts) {
    const model = assembleForest(parts)
    super(holding, {
      ...{ labelNames: model.labelNames, readers: engine.readers },
      ranking: () => forestRanking(model),
      explainer: item => forestExplainer(model, item),
    })
    this.#fitted = model
  }

  /** Learns from `[{ text, labels }]`, from `[{ vector, labels }]`, or from a data set. */
  static async fit(items: LabeledItems, options: ForestClassifierOptions & FitOptions = {}): Promise<ForestClassifier> {
    return lendFor(engineOf(options), 'ForestClassifier', async (lease, holding) => {
      return new ForestClassifier(holding, lease, await fitForest(items, { ...options, engine: lease }))
    })
  }

  /** Finds the options that score best on one measure, and fits with them. Options you set are kept. */
  static async tune(
    items: LabeledItems,
    options: ForestTuningOptions,
  ): Promise<Tuned<ForestClassifierOptions, ForestClassifier>> {
    const dataset = await labeledInTurns(items, options)
    return fitTuned(dataset, await tuneForest(dataset, options), options, ForestClassifier.fit)
  }

  /** Reads a model that `save` wrote. */
  static load(path: string, options: LoadOptions = {}): Promise<ForestClassifier> {
    return loadFile(path, options, ForestClassifier.fromContents)
  }

  /** Like `load`, from the bytes that `toBytes` returned. */
  static fromBytes(bytes: ModelBytes, options: LoadOptions = {}): Promise<ForestClassifier> {
    return loadBytes(bytes, options, ForestClassifier.fromContents)
  }

  /** Restores the contents of a model file; errors refer to it by `name`. */
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

  get takesTexts(): boolean {
    return this.#model.pipeline !== undefined
  }

  get trees(): number {
    return this.#model.forest.trees
  }

  labelCounts(): Float64Array {
    return countLabels(this.#model)
  }

  /** What the rows of each label, given by its number, have in common: their mean features, scaled to length 1. */
  labelVectors(labels: readonly number[]): SparseMatrix {
    const { rows } = this.#model
    const row = (row: number) => (rows.isAlive(row) ? rows.row(row) : undefined)
    return meanRows({ labels: rows.labels.matrix(), columns: rows.columns, row }, labels)
  }

  /** One tree, as nodes with the names of their features and labels. */
  describeTree(tree: number): DescribedNode {
    return describeTree(this.#model, tree)
  }

  /** Adds rows to the leaves they fall into. Trees, tokens, weights and thresholds do not change. */
  partialFit(items: LabeledItems): void {
    addForestRows(this.#model, items)
    noteChange(this)
  }

  /** Removes rows. Labels stay known even if no row has them any more. */
  remove(ids: Iterable<string | number>): number {
    checkIterable('ids', ids)
    noteChange(this)
    return removeForestRows(this.#model, ids)
  }

  /** Everything a model file stores. */
  contents(): ModelContents {
    return packForestModel(this.#model)
  }

  get #model(): ForestModel {
    this.checkLive()
    return this.#fitted
  }
}
