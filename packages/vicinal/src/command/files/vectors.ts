// Reads vectors from a data file, and loads an index for one command. Shared by index, search and curve.

import { type Dataset, EngineError, loadIndex, type OpenedIndex } from '@vicinal/core'
import { requireVectors, TextRows, type VectorLayout, type Vectors } from '@vicinal/core/internals'

/** The vectors that a data set must have, or its texts, where these are taken. No layouts: no kind of index is chosen yet. */
export function vectorsOf({ name, features, texts }: Dataset, layouts: readonly VectorLayout[]): Vectors {
  if (features && features.columns > 0) return features
  if (texts && layouts.includes('text')) return new TextRows(texts)
  throw new EngineError('BAD_DATA', `${name} has no vectors`, {
    hint:
      texts && layouts.length === 0
        ? 'It has texts: --kind net indexes them by edit distance.'
        : 'Give a file of vectors: .npy, .fvecs, IDX, HDF5, svmlight, or JSON lines with a field "vector".',
  })
}

/** The vectors of a data set as an index takes them for queries. */
export function queriesOf(dataset: Dataset, { kind, index }: OpenedIndex): Vectors {
  const layout = kind.layouts.find(known => known === index.layout) ?? kind.data
  const texts = layout === 'text' && dataset.texts
  const rows = texts ? new TextRows(texts) : vectorsOf(dataset, [layout])
  return requireVectors(rows, layout, 'the index', `the vectors of ${dataset.name}`)
}

/** Loads an index, and frees it after `use`. */
export async function withIndex<T>(path: string, use: (opened: OpenedIndex) => Promise<T>): Promise<T> {
  const opened = await loadIndex(path)
  try {
    return await use(opened)
  } finally {
    opened.index.free()
  }
}
