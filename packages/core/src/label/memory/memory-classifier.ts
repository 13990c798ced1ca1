// The memory as a classifier (paper 002, sections 4.1 to 4.3): rows are stored with their labels as values, and the reward of
// a memory is how similar its labels are to those of the item. It learns online: partialFit continues where fit stopped.

import { type LabeledItems, labeledInTurns } from '../../data/given/labeled.ts'
import { readAhead } from '../../ids/load-ahead.ts'
import {
  contentsOptions,
  defaultEngine,
  type Engine,
  engineOf,
  type LoadOptions,
  loadOptions,
  type ModelPlace,
} from '../../kernels/engine.ts'
import { type Holding, lend, lendFor, lendWhile } from '../../kernels/owned.ts'
import { finish, inTurns } from '../../long-work.ts'
import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import type { MemoryStats } from '../../memory/memory-check.ts'
import { checkIterable, checkOptions } from '../../options.ts'
import { openFile } from '../../store/files/model-file.ts'
import { checkContents, type ModelContents } from '../../store/header.ts'
import { type ModelBytes, openBytes } from '../../store/open-model.ts'
import { wellFormed } from '../../store/packed-strings.ts'
import { noteChange } from '../changes.ts'
import type { Classifier } from '../classifier.ts'
import { readNewRows } from '../new-rows.ts'
import type { FitOptions } from '../options.ts'
import { RankingClassifier } from '../ranking-classifier.ts'
import { fitTuned, type Tuned } from '../tuning/result.ts'
import { packMemoryModel, unpackMemoryModel } from './contents.ts'
import { memoryExplainer } from './explain.ts'
import { fitMemoryModel } from './fit.ts'
import { learnRow, storeRow } from './learn.ts'
import { countMemoryLabels, type MemoryLabelModel, memoryLabelVectors, memoryRanking } from './model.ts'
import type { MemoryClassifierOptions, MemoryClassifierSettings } from './options.ts'
import { type MemoryTuningOptions, tuneMemory } from './tuner.ts'

/**
 * Labels items with a memory tree. Learns online, one item at a time. `explain` returns the memories that support the label, and its features
 * if labels have their own models.
 */
export class MemoryClassifier extends RankingClassifier implements Classifier {
  readonly method = 'memory'
  readonly #fitted: MemoryLabelModel

  private constructor(holding: Holding, engine: Engine, model: MemoryLabelModel) {
    super(holding, {
      ...{ labelNames: model.labelNames, readers: engine.readers },
      ranking: () => memoryRanking(model),
      explainer: item => memoryExplainer(model, item),
    })
    this.#fitted = model
  }

  /** Learns from `[{ text, labels }]`, from `[{ vector, labels }]`, or from a data set. */
  static async fit(items: LabeledItems, options: MemoryClassifierOptions & FitOptions = {}): Promise<MemoryClassifier> {
    return lendFor(engineOf(options), 'MemoryClassifier', async (lease, holding) => {
      return new MemoryClassifier(holding, lease, await fitMemoryModel(items, { ...options, engine: lease }))
    })
  }

  /** Finds the options that score best on one measure, and fits with them. Options you set are kept. */
  static async tune(
    items: LabeledItems,
    options: MemoryTuningOptions,
  ): Promise<Tuned<MemoryClassifierOptions, MemoryClassifier>> {
    const dataset = await labeledInTurns(items, options)
    return fitTuned(dataset, await tuneMemory(dataset, options, MemoryClassifier.fit), options, MemoryClassifier.fit)
  }

  /** Reads a model that `save` wrote. */
  static load(path: string, options: LoadOptions = {}): Promise<MemoryClassifier> {
    return openFile(path, options, MemoryClassifier.open, loadOptions)
  }

  /** Like `load`, from the bytes that `toBytes` returned. */
  static fromBytes(bytes: ModelBytes, options: LoadOptions = {}): Promise<MemoryClassifier> {
    return openBytes(bytes, options, MemoryClassifier.open, loadOptions)
  }

  /** Restores the contents of a model file; errors refer to it by `name`. */
  static fromContents(
    contents: ModelContents,
    options: ModelPlace & { readonly name?: string } = {},
  ): MemoryClassifier {
    checkOptions(options, contentsOptions)
    checkContents(contents)
    const { engine = defaultEngine(), name = 'the model' } = options
    return lend(engine, 'MemoryClassifier', (lease, holding) => {
      return new MemoryClassifier(holding, lease, finish(unpackMemoryModel(contents, lease, name)))
    })
  }

  /** Internal: the same, while other code runs. */
  static open(
    contents: ModelContents,
    { engine = defaultEngine(), name = 'the model', signal }: LoadOptions & { readonly name?: string },
  ): Promise<MemoryClassifier> {
    return lendWhile(engine, 'MemoryClassifier', async (lease, holding) => {
      await readAhead(contents, { signal })
      return new MemoryClassifier(holding, lease, await inTurns(unpackMemoryModel(contents, lease, name), { signal }))
    })
  }

  get options(): MemoryClassifierSettings {
    return { ...this.#model.settings }
  }

  get rows(): number {
    return this.#model.memory.size + this.#model.bare.size
  }

  get takesTexts(): boolean {
    return this.#model.pipeline !== undefined
  }

  labelCounts(): Float64Array {
    return countMemoryLabels(this.#model)
  }

  /** What the rows of each label, given by its number, have in common: their mean features, scaled to length 1. */
  labelVectors(labels: readonly number[]): SparseMatrix {
    return memoryLabelVectors(this.#model, labels)
  }

  /** Depth, leaves and bytes of its trees. */
  stats(): MemoryStats {
    return this.#model.memory.stats()
  }

  /** Learns from each row, then stores it as a memory. Tokens, weights and thresholds do not change. */
  partialFit(items: LabeledItems): void {
    const { memory, bare, texts, underWay } = this.#model
    underWay.finish()
    noteChange(this)
    const taken = (id: string | number) => (memory.get(id) !== undefined || bare.has(id) ? 0 : undefined)
    for (const { row, labels, id = this.#freeId(), text } of readNewRows(this.#model, items, taken, true)) {
      const labeled = { id, row, labels: Array.from(labels) }
      learnRow(this.#model, labeled)
      storeRow(this.#model, labeled)
      texts?.set(id, wellFormed(text))
    }
  }

  /** Forgets rows. Routers and models keep what they learned from them. */
  remove(ids: Iterable<string | number>): number {
    checkIterable('ids', ids)
    const { memory, bare, texts, underWay } = this.#model
    underWay.finish()
    noteChange(this)
    let count = 0
    for (const id of ids) {
      if (!memory.remove(id) && !bare.delete(id)) continue
      texts?.delete(id)
      count++
    }
    return count
  }

  /** Everything a model file stores. */
  contents(): ModelContents {
    return packMemoryModel(this.#model)
  }

  get #model(): MemoryLabelModel {
    this.checkLive()
    return this.#fitted
  }

  #freeId(): number {
    const { memory, bare } = this.#model
    while (memory.get(this.#model.nextId) || bare.has(this.#model.nextId)) this.#model.nextId++
    return this.#model.nextId++
  }
}
