// What every classifier can do. The conformance suite (classifier.cases.ts) holds them to it.

import type { Item, Items } from '../data/given/items.ts'
import type { LabeledItems } from '../data/given/labeled.ts'
import type { Vocabulary } from '../data/vocabulary/vocabulary.ts'
import type { RankedLabels } from '../evaluate/predictions.ts'
import type { LongWork } from '../long-work.ts'
import type { LabelMatrix } from '../matrix/label-matrix.ts'
import type { SparseMatrix } from '../matrix/sparse-matrix.ts'
import type { AtomicWriteOptions } from '../store/files/write-options.ts'
import type { NamedLabel } from './label-names.ts'

export type { Item, Items, NamedLabel }

/** Options of `predict`. */
export interface PredictOptions {
  /** How many labels at most. Default 5. */
  readonly top?: number
  /** Only labels that pass the model's threshold; the best label is always kept. Default false: the `top` best labels. */
  readonly thresholded?: boolean
  /** Adds the reasons to every suggestion, in `because`: what `explain` would return. Default false. */
  readonly explain?: boolean
}

/** Options of `predictBatch` and `predictSets`. */
export interface BatchOptions extends Omit<PredictOptions, 'explain'>, LongWork {
  /** Worker threads. Default: one per core. The answer does not depend on it. */
  readonly threads?: number
}

/** One suggested label. Predictions are sorted by descending score. */
export interface Suggestion extends NamedLabel {
  readonly score: number
  /** Why, if `predict` was called with `explain: true`. */
  readonly because?: Explanation
}

/** What `predict` returns with `explain: true`. */
export interface ExplainedSuggestion extends Suggestion {
  readonly because: Explanation
}

/** Labels of many items. For names, loop over it or call `suggestions(i)`; the typed arrays are for metrics and for speed. */
export interface LabelBatch extends RankedLabels, Iterable<Suggestion[]> {
  /** The best labels of item `i`, best first, as `predict` gives them. */
  suggestions(i: number): Suggestion[]
}

/** Why a label was suggested. The shares of all reasons of both kinds add up to `score`. */
export interface Explanation extends NamedLabel {
  readonly score: number
  /** Training items with the label, largest share first. */
  readonly neighbors: readonly NeighborReason[]
  /** Features that support the label, largest share first. */
  readonly features: readonly FeatureReason[]
  /** Forests only: the path through each tree. */
  readonly paths?: readonly TreePath[]
  /** Margin classifiers only: the margin, from −1 to 1. Below 0, another label is nearer. */
  readonly margin?: number
  /** Margin classifiers only: the nearest training item without the label, if it is near enough to matter. */
  readonly rival?: Pick<NeighborReason, 'id' | 'text' | 'distance'>
}

/** The path of an item through one tree. */
export interface TreePath {
  readonly tree: number
  readonly leaf: number
  /** Training items in the leaf. */
  readonly rows: number
  /** How much the leaf adds to the label's score. */
  readonly share: number
  readonly steps: readonly PathStep[]
}

/** One decision on an item's path through a tree. */
export interface PathStep {
  readonly side: 'left' | 'right'
  /** How clear the decision was. */
  readonly margin: number
  /** The three features with the most influence: products of weight and value, negative for those that pull to the left. */
  readonly features: readonly { readonly feature: string; readonly product: number }[]
}

/** A training item that supports a label. */
export interface NeighborReason {
  /** The caller's key of the training item. */
  readonly id: string | number
  /** Its text, if the model was fitted on texts. */
  readonly text?: string
  readonly similarity: number
  /** Only from classifiers that compare distances. */
  readonly distance?: number
  readonly share: number
}

/** A feature that supports a label. */
export interface FeatureReason {
  /** The feature's name: with texts, the word. */
  readonly feature: string
  readonly share: number
}

/** What every classifier can do. */
export interface Classifier {
  /** 'lcif', 'instance' … */
  readonly method: string
  /** Every option, defaults filled in. */
  readonly options: Readonly<Record<string, unknown>>
  readonly rows: number
  /** What the training data calls each label: its id, such as a URI, or its name. */
  readonly labelNames: readonly string[]
  /** What these ids are called, in all languages of the vocabulary that the training data had; undefined if it had none. */
  readonly vocabulary: Vocabulary | undefined
  /** True if it was fitted on texts and so labels texts; otherwise it labels vectors. */
  readonly takesTexts: boolean
  /** How many training rows have each label. Used for propensities. */
  labelCounts(): Float64Array
  /** What the rows of each label, given by its number, have in common: their mean features, scaled to length 1. Not all methods have it. */
  labelVectors?(labels: readonly number[]): SparseMatrix
  /** Squared distances of labels, given by their numbers, row by row; NaN if nothing is kept of a label. For methods that know no features. */
  labelDistances?(labels: readonly number[]): Float64Array
  /** The best labels of one item, best first; with `explain: true`, each with the reasons for it. */
  predict(item: Item, options: PredictOptions & { readonly explain: true }): ExplainedSuggestion[]
  predict(item: Item, options?: PredictOptions): Suggestion[]
  /** The best labels of many items, on all worker threads. */
  predictBatch(items: Items, options?: BatchOptions): Promise<LabelBatch>
  /** The sets of labels that pass the threshold. */
  predictSets(items: Items, options?: BatchOptions): Promise<LabelMatrix>
  /** Sets the names of labels, from another vocabulary or in another language: `model.nameLabels(model.vocabulary.in('fi'))`. */
  nameLabels(vocabulary: Vocabulary): void
  /** Why an item gets a label. Name the label by its id or its name; default: the item's best label. */
  explain(item: Item, label?: string): Explanation
  /**
   * Adds labeled items, in any form that `fit` takes. The next prediction uses them. New labels are allowed; an item with only unknown words is
   * refused. With `labels: []` an item says that no label fits: the labels of items like it get lower scores (a margin classifier ignores it).
   */
  partialFit(items: LabeledItems): void
  /** Removes training rows by id. Returns how many were found. */
  remove(ids: Iterable<string | number>): number
  /** Writes the model to a file. */
  save(path: string, options?: AtomicWriteOptions): Promise<void>
  /** The bytes that `save` would write, to store in IndexedDB or to send. Read them with `fromBytes`. */
  toBytes(): Uint8Array<ArrayBuffer>
  /** Frees the memory, after any running batches. Every later call throws. */
  free(): void
}
