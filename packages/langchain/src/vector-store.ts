// A LangChain vector store over a collection. Texts, vectors and metadata are stored together, so filters on metadata and searches by words
// work too.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Document, type DocumentInterface } from '@langchain/core/documents'
import type { EmbeddingsInterface } from '@langchain/core/embeddings'
import { maximalMarginalRelevance } from '@langchain/core/utils/math'
import { type MaxMarginalRelevanceSearchOptions, SaveableVectorStore } from '@langchain/core/vectorstores'
import { EngineError, type Id, type JsonObject } from '@vicinal/core'
import { Collection, type CollectionHit, type CollectionOptions, type MetadataFilter } from '@vicinal/core/collection'
import { checkedLater, checkOptions, optionTable } from '@vicinal/core/internals'

/** Options of a new store: those of its collection, or a collection that exists. */
export interface VicinalVectorStoreOptions extends Omit<CollectionOptions, 'embed'> {
  /** An existing collection, with its documents. */
  readonly collection?: Collection
}

/** An existing collection has its options already. */
const withCollection = optionTable<Pick<VicinalVectorStoreOptions, 'collection'>>({ collection: checkedLater })
const addOptions = optionTable<{ ids?: string[] }>({ ids: checkedLater })
const deleteOptions = optionTable<{ ids?: readonly Id[]; filter?: unknown }>({
  ids: checkedLater,
  filter: checkedLater,
})
const relevanceOptions = optionTable<MaxMarginalRelevanceSearchOptions<unknown>>({
  ...{ k: checkedLater, fetchK: checkedLater, lambda: checkedLater, filter: checkedLater },
})

const file = 'documents.collection'

export class VicinalVectorStore extends SaveableVectorStore {
  declare FilterType: MetadataFilter<JsonObject>
  /** The documents themselves: search them by words, list them, count them. */
  readonly collection: Collection

  constructor(embeddings: EmbeddingsInterface, options: VicinalVectorStoreOptions = {}) {
    super(embeddings, {})
    const { collection, ...others } = options
    if (collection) checkOptions(options, withCollection)
    this.collection = collection ?? Collection.create(others)
  }

  _vectorstoreType(): string {
    return 'vicinal'
  }

  /** Embeds and stores documents. A document with an existing id replaces the stored one. Returns the ids. */
  async addDocuments(documents: DocumentInterface[], options: { ids?: string[] } = {}): Promise<string[]> {
    checkOptions(options, addOptions)
    const vectors = await this.embeddings.embedDocuments(documents.map(({ pageContent }) => pageContent))
    return this.addVectors(vectors, documents, options)
  }

  async addVectors(
    vectors: number[][],
    documents: DocumentInterface[],
    options: { ids?: string[] } = {},
  ): Promise<string[]> {
    checkOptions(options, addOptions)
    const { ids } = options
    checkSameLength('vectors', vectors.length, documents.length)
    if (ids) checkSameLength('ids', ids.length, documents.length)
    const named = documents.map(({ id }, i) => ids?.[i] ?? id ?? crypto.randomUUID())
    await this.collection.upsertMany(
      documents.map(({ pageContent, metadata }, i) => ({
        ...{ id: named[i] as string, text: pageContent, vector: vectors[i] as number[] },
        metadata: metadata as JsonObject, // the collection refuses what JSON cannot hold
      })),
    )
    return named
  }

  /** Removes documents by their ids, or all that pass a filter. */
  override async delete(options: { ids?: readonly Id[]; filter?: MetadataFilter<JsonObject> } = {}): Promise<void> {
    checkOptions(options, deleteOptions)
    const { ids, filter } = options
    if (ids === undefined && filter === undefined) {
      throw new EngineError('INVALID_OPTION', 'delete() needs ids or a filter', {
        hint: 'To remove everything, make a new store.',
      })
    }
    const found = filter === undefined ? [] : this.collection.list({ filter }).map(({ id }) => id)
    for (const id of [...(ids ?? []), ...found]) this.collection.remove(id)
  }

  /** The nearest documents, with their similarity: larger is better. */
  async similaritySearchVectorWithScore(
    vector: number[],
    k: number,
    filter?: MetadataFilter<JsonObject>,
  ): Promise<[Document, number][]> {
    if (this.collection.count() === 0) return []
    const hits = await this.collection.search({ vector, k, ...(filter && { filter }) })
    return hits.map(hit => [documentOf(hit), hit.score])
  }

  /** Documents that are near the query but unlike each other: `lambda` 1 asks for nearness alone, 0 for difference alone. Default 0.5. */
  override async maxMarginalRelevanceSearch(
    query: string,
    options: MaxMarginalRelevanceSearchOptions<MetadataFilter<JsonObject>>,
  ): Promise<Document[]> {
    checkOptions(options, relevanceOptions)
    const { k, fetchK = 20, lambda = 0.5, filter } = options
    if (this.collection.count() === 0) return []
    const vector = await this.embeddings.embedQuery(query)
    const hits = await this.collection.search({ vector, k: Math.max(k, fetchK), ...(filter && { filter }) })
    const vectors = hits.map(({ id }) => Array.from(this.collection.get(id)?.vector ?? []))
    return maximalMarginalRelevance(vector, vectors, lambda, k).map(i => documentOf(hits[i] as (typeof hits)[number]))
  }

  /** The best documents by words and vectors together. */
  async hybridSearch(query: string, k = 4, filter?: MetadataFilter<JsonObject>): Promise<Document[]> {
    if (this.collection.count() === 0) return []
    const vector = await this.embeddings.embedQuery(query)
    const hits = await this.collection.search({ text: query, vector, k, ...(filter && { filter }) })
    return hits.map(documentOf)
  }

  /** Writes everything into a folder. Replaces what an earlier `save` wrote there. */
  async save(directory: string): Promise<void> {
    await mkdir(directory, { recursive: true })
    await this.collection.save(join(directory, file), { overwrite: true })
  }

  static override async load(directory: string, embeddings: EmbeddingsInterface): Promise<VicinalVectorStore> {
    return new VicinalVectorStore(embeddings, { collection: await Collection.load(join(directory, file)) })
  }

  static override async fromTexts(
    texts: string[],
    metadatas: object[] | object,
    embeddings: EmbeddingsInterface,
    options: VicinalVectorStoreOptions = {},
  ): Promise<VicinalVectorStore> {
    const metadataOf = (i: number) => (Array.isArray(metadatas) ? (metadatas[i] ?? {}) : metadatas)
    const documents = texts.map((pageContent, i) => new Document({ pageContent, metadata: metadataOf(i) }))
    return VicinalVectorStore.fromDocuments(documents, embeddings, options)
  }

  static override async fromDocuments(
    documents: DocumentInterface[],
    embeddings: EmbeddingsInterface,
    options: VicinalVectorStoreOptions = {},
  ): Promise<VicinalVectorStore> {
    const store = new VicinalVectorStore(embeddings, options)
    await store.addDocuments(documents)
    return store
  }
}

function documentOf({ id, document }: CollectionHit<JsonObject>): Document {
  return new Document({ id: String(id), pageContent: document.text ?? '', metadata: { ...document.metadata } })
}

function checkSameLength(what: string, given: number, documents: number): void {
  if (given === documents) return
  throw new EngineError('BAD_DATA', `there are ${documents} documents, but ${given} ${what}`)
}
