// What classifiers do with their ranking of labels, whatever the method: predict, explain, name labels. The methods themselves only rank
// and explain.

import { checkVocabulary } from '../data/vocabulary/check-vocabulary.ts'
import type { Vocabulary } from '../data/vocabulary/vocabulary.ts'
import type { Holding } from '../kernels/owned.ts'
import type { Readers } from '../kernels/readers.ts'
import type { LabelMatrix } from '../matrix/label-matrix.ts'
import { Saveable } from '../store/saveable.ts'
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
import type { LabelNames } from './label-names.ts'
import {
  type BatchRanking,
  type Explain,
  labelToExplain,
  predictItem,
  predictItemSets,
  predictItems,
} from './predict.ts'

/** How a method ranks labels, and why. */
export interface Ranker {
  readonly labelNames: LabelNames
  /** Memory that batches read is freed after them. */
  readonly readers: Readers
  /** With the model as it is now. */
  ranking(): BatchRanking
  /** For all labels of one item. */
  explainer(item: Item): Explain
}

export abstract class RankingClassifier extends Saveable {
  readonly #ranker: Ranker

  constructor(holding: Holding, ranker: Ranker) {
    super(holding)
    this.#ranker = ranker
  }

  get labelNames(): readonly string[] {
    return this.#live.labelNames.all
  }

  get vocabulary(): Vocabulary | undefined {
    return this.#live.labelNames.vocabulary
  }

  /** The labels of one item, best first; ties in the order of `labelNames`. Empty if no feature of the item is known. */
  predict(item: Item, options: PredictOptions & { readonly explain: true }): ExplainedSuggestion[]
  predict(item: Item, options?: PredictOptions): Suggestion[]
  predict(item: Item, options: PredictOptions = {}): Suggestion[] {
    return predictItem(this.#live.ranking(), item, options, this.#live.explainer)
  }

  /** The best labels of many items. */
  async predictBatch(items: Items, options: BatchOptions = {}): Promise<LabelBatch> {
    const ranking = this.#live.ranking()
    return this.#ranker.readers.read(() => predictItems(ranking, items, options))
  }

  /** All labels that pass their threshold, at most `top` of them if given. */
  async predictSets(items: Items, options: BatchOptions = {}): Promise<LabelMatrix> {
    const ranking = this.#live.ranking()
    return this.#ranker.readers.read(() => predictItemSets(ranking, items, options))
  }

  /** Calls labels by the names of another vocabulary, or language: `model.nameLabels(model.vocabulary.in('fi'))`. */
  nameLabels(vocabulary: Vocabulary): void {
    checkVocabulary('vocabulary', vocabulary)
    this.#live.labelNames.rename(vocabulary)
  }

  /** Why an item gets a label. Default: its best label. */
  explain(item: Item, label?: string): Explanation {
    const wanted = labelToExplain(this.#live.ranking(), item, label)
    return this.#live.explainer(item)(wanted)
  }

  get #live(): Ranker {
    this.checkLive()
    return this.#ranker
  }
}
