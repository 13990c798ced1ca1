// Columns with names: a token table gives each feature it knows a column, in the order of their code units, so that the
// same texts in any order give the same columns.

import { EngineError } from '../../errors.ts'
import { type FeatureSpace, noColumn } from './key-stream.ts'
import type { TextOptions } from './text-options.ts'

export class TokenTable implements FeatureSpace {
  readonly features: readonly string[]
  readonly #columns = new Map<string, number>()

  /** `features` are different and ascending. */
  constructor(features: readonly string[]) {
    this.features = features
    for (let column = 0; column < features.length; column++) this.#columns.set(features[column], column)
  }

  get columns(): number {
    return this.features.length
  }

  keyOf(feature: string): number {
    const column = this.#columns.get(feature)
    return column === undefined ? -1 : column * 2
  }
}

// What one Map can hold in V8.
const maxTokens = 2 ** 24 - 1

/** A token table that takes in every feature it is asked for, in the order of asking. */
export class GrowingTokenTable implements FeatureSpace {
  readonly features: string[] = []
  readonly #columns = new Map<string, number>()

  get columns(): number {
    return this.features.length
  }

  keyOf(feature: string): number {
    const column = this.#columns.get(feature)
    return (column ?? this.#add(feature)) * 2
  }

  #add(feature: string): number {
    const column = this.features.length
    if (column === maxTokens) {
      throw new EngineError('OUT_OF_MEMORY', `the texts have more than ${maxTokens} different features`, {
        hint: 'Set hashBits, for example to 22, or use shorter wordGrams or charGrams.',
      })
    }
    // A feature cut from a text would keep the whole text in memory; this copy keeps itself only.
    const copy = ` ${feature}`.slice(1)
    this.#columns.set(copy, column)
    this.features.push(copy)
    return column
  }
}

export interface Selection {
  readonly features: readonly string[]
  /** In how many texts each of them is. */
  readonly frequencies: Uint32Array
  /** From a column of the growing token table to the one here, or `noColumn`. */
  readonly columnOf: Uint32Array
}

/** Chooses the features that become columns, by the number of texts they are in, and orders them. */
export function selectFeatures(
  features: readonly string[],
  frequencies: Uint32Array,
  documents: number,
  options: Required<Pick<TextOptions, 'minDocuments' | 'maxDocumentShare' | 'maxFeatures'>>,
): Selection {
  const { minDocuments, maxDocumentShare, maxFeatures } = options
  const frequent = (column: number): boolean =>
    frequencies[column] >= minDocuments && frequencies[column] / documents <= maxDocumentShare
  const byName = (a: number, b: number): number => (features[a] < features[b] ? -1 : 1)
  let picked = Array.from(features.keys()).filter(frequent).sort(byName)
  if (maxFeatures > 0 && picked.length > maxFeatures) {
    // Sorting is stable: of features in equally many texts, those first by name stay.
    picked.sort((a, b) => frequencies[b] - frequencies[a])
    picked = picked.slice(0, maxFeatures).sort(byName)
  }
  const columnOf = new Uint32Array(features.length).fill(noColumn)
  picked.forEach((old, column) => {
    columnOf[old] = column
  })
  return {
    features: picked.map(old => features[old]),
    frequencies: Uint32Array.from(picked, old => frequencies[old]),
    columnOf,
  }
}
