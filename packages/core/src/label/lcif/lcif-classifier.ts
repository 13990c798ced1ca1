// Labels by neighbors (LCIF, paper 003): adds up the labels of the nearest training rows and the labels associated with the item's features.
// Exact, explainable, and takes new rows and labels at any time. The parts are in separate files: fitting in
// fit.ts, answering in predict.ts, reasons in explain.ts, changes in update.ts, files in contents.ts.

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
import { meanRows } from '../label-vectors.ts'
import type { FitOptions } from '../options.ts'
import { RankingClassifier } from '../ranking-classifier.ts'
import { fitTuned, type Tuned } from '../tuning/result.ts'
import { packLcif, unpackLcif } from './contents.ts'
import { lcifExplainer } from './explain.ts'
import { fitLcif } from './fit.ts'
import { assembleModel, countLabels, type LcifModel, type LcifParts } from './model.ts'
import type { LcifMethod, LcifOptions, LcifSettings } from './options.ts'
import { lcifRanking } from './predict.ts'
import { type LcifTuningOptions, tuneLcif } from './tuning.ts'
import { addRows, removeRows } from './update.ts'

/** Labels items by their nearest neighbors and their features, with learned feature weights. Explains its answers. */
export class LcifClassifier extends RankingClassifier implements Classifier {
  readonly #fitted: LcifModel

  private constructor(holding: Holding, engine: Engine, parts: LcifParts) {
    const model = assembleModel(parts)
    super(holding, {
      ...{ labelNames: model.labelNames, readers: engine.readers },
      ranking: () => lcifRanking(model),
      explainer: item => lcifExplainer(model, item),
    })
    this.#fitted = model
  }

  /** Learns from `[{ text, labels }]`, from `[{ vector, labels }]`, or from a data set. */
  static async fit(items: LabeledItems, options: LcifOptions & FitOptions = {}): Promise<LcifClassifier> {
    return lendFor(engineOf(options), 'LcifClassifier', async (lease, holding) => {
      return new LcifClassifier(holding, lease, await fitLcif(items, { ...options, engine: lease }))
    })
  }

  /** Finds the options that score best on one measure, and fits with them. Options you set are kept. */
  static async tune(items: LabeledItems, options: LcifTuningOptions): Promise<Tuned<LcifOptions, LcifClassifier>> {
    const dataset = await labeledInTurns(items, options)
    return fitTuned(dataset, await tuneLcif(dataset, options), options, LcifClassifier.fit)
  }

  /** Reads a model that `save` wrote. */
  static load(path: string, options: LoadOptions = {}): Promise<LcifClassifier> {
    return loadFile(path, options, LcifClassifier.fromContents)
  }

  /** Like `load`, from the bytes that `toBytes` returned. */
  static fromBytes(bytes: ModelBytes, options: LoadOptions = {}): Promise<LcifClassifier> {
    return loadBytes(bytes, options, LcifClassifier.fromContents)
  }

  /** Restores the contents of a model file; errors refer to it by `name`. */
  static fromContents(contents: ModelContents, options: ModelPlace & { readonly name?: string } = {}): LcifClassifier {
    checkOptions(options, contentsOptions)
    checkContents(contents)
    const { engine = defaultEngine(), name = 'the model' } = options
    return lend(engine, 'LcifClassifier', (lease, holding) => {
      return new LcifClassifier(holding, lease, unpackLcif(contents, lease, name))
    })
  }

  get method(): LcifMethod {
    return this.#model.settings.method
  }

  get options(): LcifSettings {
    return { ...this.#model.settings }
  }

  get rows(): number {
    return this.#model.index.rows
  }

  get takesTexts(): boolean {
    return this.#model.pipeline !== undefined
  }

  labelCounts(): Float64Array {
    return countLabels(this.#model)
  }

  /** What the rows of each label, given by its number, have in common: their mean features, scaled to length 1. */
  labelVectors(labels: readonly number[]): SparseMatrix {
    const { index, rowLabels } = this.#model
    return meanRows({ labels: rowLabels.matrix(), columns: index.columns, row: row => index.row(row) }, labels)
  }

  /** Adds rows. Tokens, weights and thresholds do not change; new labels use the overall threshold. */
  partialFit(items: LabeledItems): void {
    addRows(this.#model, items)
    noteChange(this)
  }

  /** Removes rows. Labels stay known even if no row has them any more. */
  remove(ids: Iterable<string | number>): number {
    checkIterable('ids', ids)
    noteChange(this)
    return removeRows(this.#model, ids)
  }

  /** Everything a model file stores. */
  contents(): ModelContents {
    return packLcif(this.#model)
  }

  get #model(): LcifModel {
    this.checkLive()
    return this.#fitted
  }
}
