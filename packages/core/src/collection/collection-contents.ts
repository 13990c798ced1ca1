// Converts a collection to the contents of a model file, and back: documents as JSON, the posting lists of every field, and the vector
// index. Files have no holes.

import { removedRow } from '../ids/id-table.ts'
import type { Engine } from '../kernels/engine.ts'
import { begun, type Steps } from '../long-work.ts'
import { requireMethod } from '../model-kinds.ts'
import type { ModelContents } from '../store/header.ts'
import { isJsonObject, type JsonObject, parseJson } from '../store/json.ts'
import { packNamesInSteps, StoredParts } from '../store/stored-parts.ts'
import { type Tensor, tensor1d } from '../store/tensor.ts'
import { type CollectionOptions, resolveCollectionOptions } from './collection-options.ts'
import { CollectionState } from './collection-state.ts'
import { type StoredDocument, storedCopy, textsOf } from './document.ts'
import type { Entry } from './document-table.ts'
import { copyField, copyPool, packField, unpackField } from './text/text-contents.ts'
import type { VectorIndex } from './vectors/vector-index.ts'

/** The method name in files. */
export const storedCollection = 'collection'
const noVector = -1
const vectorPrefix = 'vectors.'
/** Documents between two steps, unless one is long. */
const stepDocuments = 128
const longDocument = 2 ** 14
/** Rows that are only looked at. */
const stepRows = 4096

/** What changes is copied in the first step, so that it fits together; all of it is packed in the others. */
export function* packCollection<Metadata extends object>(state: CollectionState<Metadata>): Steps<ModelContents> {
  const { settings, table, text, vectors } = state
  const rows = table.copyRows()
  const pool = copyPool(text.pool)
  const fields = Array.from(text.fields, ([name, field], i) => ({
    name,
    copy: copyField(`field${i}`, field, table.rows),
  }))
  const { nextKey } = vectors
  const { embeds } = state
  const steps = vectors.contentSteps()
  const packing = steps && begun(steps)
  try {
    yield
    const { entries, newRows, vectorKeys } = yield* withoutHoles(rows)
    const documents = yield* packNamesInSteps('documents', entries, ({ document }) => JSON.stringify(document))
    const index = packing && (yield* packing)
    const tensors: Record<string, Tensor> = {
      ...{ ...documents, vectorKeys: tensor1d(vectorKeys) },
      ...prefixed(index?.tensors ?? {}),
    }
    for (const { copy } of fields) Object.assign(tensors, yield* packField(copy, pool, newRows, entries.length))
    return {
      method: storedCollection,
      // Settings hold only what JSON can hold, though their types do not say so.
      options: { ...settings } as unknown as JsonObject,
      meta: {
        ...{ documents: entries.length, nextKey, fields: fields.map(({ name }) => name) },
        ...(embeds && { embeds: true }),
        ...(index && { vectors: { method: index.method, options: index.options, meta: index.meta } }),
      },
      tensors,
    }
  } finally {
    packing?.return(undefined as never) // abandoned work gives back what it holds
  }
}

/** The documents in the order of their rows, the number of each row among them, and the keys of their vectors. */
function* withoutHoles<Metadata extends object>(rows: readonly (Entry<Metadata> | undefined)[]) {
  const entries: Entry<Metadata>[] = []
  const newRows = new Uint32Array(rows.length).fill(removedRow)
  const vectorKeys = new Float64Array(rows.length)
  for (let row = 0; row < rows.length; row++) {
    const entry = rows[row]
    if (entry) {
      newRows[row] = entries.length
      vectorKeys[entries.length] = entry.vectorKey ?? noVector
      entries.push(entry)
    }
    if (row % stepRows === 0) yield
  }
  return { entries, newRows, vectorKeys: vectorKeys.slice(0, entries.length) }
}

/** `lease` is freed with the collection; `name` is what messages call the file. If it is abandoned, it frees what it made. */
export function* unpackCollection<Metadata extends object>(
  contents: ModelContents,
  lease: Engine,
  engine: Engine,
  name: string,
): Steps<CollectionState<Metadata>> {
  requireMethod(contents, name, storedCollection)
  const stored = new StoredParts(contents, name)
  const settings = stored.checked(() => resolveCollectionOptions(contents.options as CollectionOptions))
  const state = new CollectionState<Metadata>(lease, engine, settings)
  let isWhole = false
  try {
    yield* restore(state, stored, name)
    state.embeds = contents.meta.embeds === true
    isWhole = true
    return state
  } finally {
    if (!isWhole) state.vectors.free()
  }
}

function* restore<Metadata extends object>(
  state: CollectionState<Metadata>,
  stored: StoredParts,
  name: string,
): Steps<void> {
  const count = stored.whole('documents')
  const texts = (yield* stored.namesInSteps('documents', count)) ?? []
  const keys = stored.array('vectorKeys', Float64Array, count)
  const nextKey = stored.whole('nextKey')
  if (keys.some(key => key >= nextKey))
    stored.refuse(`"nextKey" is ${nextKey}, but a vector has that key or a larger one`)
  const documents = yield* readDocuments<Metadata>(stored, texts)
  restoreVectors(state.vectors, stored, name)
  for (const [row, document] of documents.entries()) {
    if (row % stepDocuments === 0) yield row
    const key = keys[row] === noVector ? undefined : keys[row]
    const isFree = !state.table.get(document.id) && (key === undefined || !state.table.withVector(key))
    if (!isFree) stored.refuse(`document ${JSON.stringify(document.id)} is in it twice, or its vector`)
    if (key !== undefined && !state.vectors.has(key)) stored.refuse(`document ${row} has a vector that is not in it`)
    state.table.add(document, key)
  }
  const withVectors = keys.filter(key => key !== noVector).length
  if (state.vectors.stats.vectors !== withVectors) stored.refuse('it has vectors that belong to no document')
  yield* restoreTexts(state, stored, documents)
}

function* readDocuments<Metadata extends object>(
  stored: StoredParts,
  texts: readonly string[],
): Steps<StoredDocument<Metadata>[]> {
  const documents: StoredDocument<Metadata>[] = []
  for (const text of texts) {
    documents.push(stored.checked(() => storedCopy<Metadata>(parseJson('a document', text))))
    if (documents.length % stepDocuments === 0 || text.length > longDocument) yield documents.length
  }
  return documents
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

function* restoreTexts<Metadata extends object>(
  { text }: CollectionState<Metadata>,
  stored: StoredParts,
  documents: readonly StoredDocument<Metadata>[],
): Steps<void> {
  const names = stored.contents.meta.fields
  if (!Array.isArray(names) || !names.every(name => typeof name === 'string')) {
    stored.refuse('"fields" is not a list of names')
    return
  }
  const having = new Map<string, number>(names.map(name => [name, 0]))
  for (const [row, document] of documents.entries()) {
    if (row % stepDocuments === 0) yield row
    for (const name of Object.keys(textsOf(document))) {
      const count = having.get(name)
      if (count === undefined) stored.refuse(`a document has the field "${name}", which is not among its fields`)
      having.set(name, (count ?? 0) + 1)
    }
  }
  for (const [i, name] of names.entries()) {
    const kept = unpackField(`field${i}`, stored, documents.length, having.get(name) ?? 0)
    yield
    yield* text.field(name).restore(text.pool, kept)
  }
  text.restored(documents.length)
}

function prefixed(tensors: ModelContents['tensors']): Record<string, Tensor> {
  return Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [`${vectorPrefix}${name}`, tensor]))
}
