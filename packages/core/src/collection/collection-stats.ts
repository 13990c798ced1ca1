// What is in a collection, in numbers.

import type { CollectionState } from './collection-state.ts'
import type { VectorStats } from './vectors/vector-index.ts'

/** One text field of a collection. */
export interface FieldStats {
  /** Documents that have it. */
  readonly documents: number
  /** Distinct words. */
  readonly words: number
  /** Words per document, on average. */
  readonly meanLength: number
}

/** The size of a collection, and how it currently searches. */
export interface CollectionStats extends VectorStats {
  readonly documents: number
  /** Rows of removed documents that still take up space. */
  readonly holes: number
  readonly fields: Readonly<Record<string, FieldStats>>
}

export function statsOf<Metadata extends object>({ table, text, vectors }: CollectionState<Metadata>): CollectionStats {
  const fields = Array.from(text.fields, ([name, field]): [string, FieldStats] => {
    return [name, { documents: field.documents, words: field.words.size, meanLength: field.meanLength }]
  })
  return {
    ...{ documents: table.live, holes: table.rows - table.live, fields: Object.fromEntries(fields) },
    ...vectors.stats,
  }
}
