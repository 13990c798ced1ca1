// Converts a collection to the contents of a model file, and back: documents as JSON, the posting lists of every field, and the vector
// index. Holes are closed first.

import type { Engine } from '../kernels/engine.ts'
import type { Steps } from '../long-work.ts'
import { requireMethod } from '../model-kinds.ts'
import type { ModelContents } from '../store/header.ts'
import { isJsonObject, type JsonObject, parseJson } from '../store/json.ts'
import { packNamesInSteps, StoredParts } from '../store/stored-parts.ts'
import { type Tensor, tensor1d } from '../store/tensor.ts'
import { type CollectionOptions, resolveCollectionOptions } from './collection-options.ts'
import { CollectionState } from './collection-state.ts'
import { type StoredDocument, storedCopy, textsOf } from './document.ts'
import { packField, unpackField } from './text/text-contents.ts'
import type { VectorIndex } from './vectors/vector-index.ts'

/** What files call it. */
export const storedCollection = 'collection'
const noVector = -1
const vectorPrefix = 'vectors.'

/** Documents are collected in steps; everything else in the first one. */
export function* packCollection<Metadata extends object>(state: CollectionState<Metadata>): Steps<ModelContents> {
  const { settings, table, text, vectors } = state
  const entries = [...table.entries()]
  const fields = [...text.fields]
  const index = vectors.contents()
  const parts = {
    vectorKeys: tensor1d(Float64Array.from(entries, ({ vectorKey }) => vectorKey ?? noVector)),
    ...Object.assign({}, ...fields.map(([, field], i) => packField(`field${i}`, field, text.pool, entries.length))),
    ...prefixed(index?.tensors ?? {}),
  }
  const described = {
    method: storedCollection,
    // Settings hold only what JSON can hold, though their types do not say so.
    options: { ...settings } as unknown as JsonObject,
    meta: {
      documents: entries.length,
      nextKey: vectors.nextKey,
      fields: fields.map(([name]) => name),
      ...(index && { vectors: { method: index.method, options: index.options, meta: index.meta } }),
    },
  }
  const documents = entries.map(({ document }) => document) // a changed one is another
  const texts = yield* packNamesInSteps('documents', documents, document => JSON.stringify(document))
  return { ...described, tensors: { ...texts, ...parts } }
}

/** `lease` is freed with the collection; `name` is what messages call the file. */
export function unpackCollection<Metadata extends object>(
  contents: ModelContents,
  lease: Engine,
  engine: Engine,
  name: string,
): CollectionState<Metadata> {
  requireMethod(contents, name, storedCollection)
  const stored = new StoredParts(contents, name)
  const settings = stored.checked(() => resolveCollectionOptions(contents.options as CollectionOptions))
  const state = new CollectionState<Metadata>(lease, engine, settings)
  try {
    restore(state, stored, name)
  } catch (error) {
    state.vectors.free()
    throw error
  }
  return state
}

function restore<Metadata extends object>(state: CollectionState<Metadata>, stored: StoredParts, name: string): void {
  const count = stored.whole('documents')
  const texts = stored.names('documents', count) ?? []
  const keys = stored.array('vectorKeys', Float64Array, count)
  const nextKey = stored.whole('nextKey')
  if (keys.some(key => key >= nextKey))
    stored.refuse(`"nextKey" is ${nextKey}, but a vector has that key, or a larger one`)
  const documents = texts.map(text => readDocument<Metadata>(stored, text))
  restoreVectors(state.vectors, stored, name)
  documents.forEach((document, row) => {
    const key = keys[row] === noVector ? undefined : keys[row]
    const isFree = !state.table.get(document.id) && (key === undefined || !state.table.withVector(key))
    if (!isFree) stored.refuse(`document ${JSON.stringify(document.id)} is in it twice, or its vector`)
    if (key !== undefined && !state.vectors.has(key)) stored.refuse(`document ${row} has a vector that is not in it`)
    state.table.add(document, key)
  })
  const withVectors = keys.filter(key => key !== noVector).length
  if (state.vectors.stats.vectors !== withVectors) stored.refuse('it has vectors of no document')
  restoreTexts(state, stored, documents)
}

function readDocument<Metadata extends object>(stored: StoredParts, text: string): StoredDocument<Metadata> {
  return stored.checked(() => storedCopy<Metadata>(parseJson('a document', text)))
}

function restoreVectors(vectors: VectorIndex, stored: StoredParts, name: string): void {
  const index = stored.contents.meta.vectors
  if (index === undefined) return
  const { method, options, meta } = isJsonObject(index) ? index : {}
  if (typeof method !== 'string' || !isJsonObject(options) || !isJsonObject(meta)) {
    stored.refuse('the description of its vectors is not valid')
    return
  }
  const own = Object.entries(stored.contents.tensors).filter(([key]) => key.startsWith(vectorPrefix))
  const tensors = Object.fromEntries(own.map(([key, tensor]) => [key.slice(vectorPrefix.length), tensor]))
  vectors.restore({ method, options, meta, tensors }, stored.whole('nextKey'), name)
}

function restoreTexts<Metadata extends object>(
  { text }: CollectionState<Metadata>,
  stored: StoredParts,
  documents: readonly StoredDocument<Metadata>[],
): void {
  const names = stored.contents.meta.fields
  if (!Array.isArray(names) || !names.every(name => typeof name === 'string')) {
    stored.refuse('"fields" is not a list of names')
    return
  }
  const having = new Map<string, number>(names.map(name => [name, 0]))
  for (const document of documents) {
    for (const name of Object.keys(textsOf(document))) {
      const count = having.get(name)
      if (count === undefined) stored.refuse(`a document has the field "${name}", which is not among its fields`)
      having.set(name, (count ?? 0) + 1)
    }
  }
  names.forEach((name, i) => {
    const kept = unpackField(`field${i}`, stored, documents.length, having.get(name) ?? 0)
    text.field(name).restore(text.pool, kept)
  })
  text.restored(documents.length)
}

function prefixed(tensors: ModelContents['tensors']): Record<string, Tensor> {
  return Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [`${vectorPrefix}${name}`, tensor]))
}
