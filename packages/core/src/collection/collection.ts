// Collection, the public class: checks input, embeds texts, and searches. Everything synchronous happens in CollectionState.

import { EngineError, throwIfAborted } from '../errors.ts'
import type { Id } from '../ids/id.ts'
import { defaultEngine, type Engine } from '../kernels/engine.ts'
import { type Holding, lend, lendWhile } from '../kernels/owned.ts'
import { finish, inTurns, type LongWork, Pauses, type Steps } from '../long-work.ts'
import {
  checkBoolean,
  checkHolder,
  checkOptions,
  checkSignal,
  checkWhole,
  optionTable,
  refuse,
  workChecks,
  workOptions,
} from '../options.ts'
import { openFile } from '../store/files/model-file.ts'
import { checkContents, type ModelContents } from '../store/header.ts'
import type { JsonObject } from '../store/json.ts'
import { type ModelBytes, openBytes } from '../store/open-model.ts'
import { Saveable } from '../store/saveable.ts'
import type { WebSignal } from '../web-types.ts'
import { answer } from './answer.ts'
import { packCollection, unpackCollection } from './collection-contents.ts'
import {
  type CollectionLoadOptions,
  type CollectionOptions,
  type CollectionPlace,
  type CollectionSettings,
  collectionLoadOptions,
  collectionPlaceOptions,
  resolveCollectionOptions,
} from './collection-options.ts'
import { CollectionState } from './collection-state.ts'
import { type CollectionStats, statsOf } from './collection-stats.ts'
import { type CollectionDocument, checkDocumentId, type StoredDocument, storedCopy, textsOf } from './document.ts'
import { type GivenDocuments, inBatches } from './document-batches.ts'
import { Embedder, type NamedText } from './embedder.ts'
import { checkMetadataFilter, type MetadataFilter } from './filters/metadata-filter.ts'
import { type CollectionHit, type CollectionQuery, checkQuery } from './search-request.ts'
import { preparedVector } from './vectors/prepared-vector.ts'

/** Which documents `list` returns, oldest first. */
export interface ListOptions<Metadata extends object> {
  readonly filter?: MetadataFilter<Metadata> | undefined
  /** How many of them to skip. Default 0. */
  readonly offset?: number | undefined
  /** How many at most. Default: all. */
  readonly limit?: number | undefined
}

/** Options of `upsert`. */
export interface UpsertOptions {
  /** Stops `embed`; then nothing is stored. */
  readonly signal?: WebSignal | undefined
  /** Whether a document without a vector gets one from `embed`. Default true. */
  readonly embed?: boolean | undefined
}

/** Options of `upsertMany`. */
export interface UpsertManyOptions extends LongWork, UpsertOptions {}

const upsertOptions = optionTable<UpsertOptions>({ signal: checkSignal, embed: checkBoolean })
const upsertManyOptions = optionTable<UpsertManyOptions>({ ...workChecks, embed: checkBoolean })

const mostListed = 2 ** 32 - 1
const listOptions = optionTable<ListOptions<object>>({
  filter: checkMetadataFilter,
  offset: (name, value) => checkWhole(name, value, 0, mostListed),
  limit: (name, value) => checkWhole(name, value, 0, mostListed),
})

/** A document that was checked, to be stored. */
interface Ready<Metadata extends object> {
  readonly document: StoredDocument<Metadata>
  /** Undefined if it has none, or if `embed` will make it. */
  readonly vector: Float32Array | undefined
}

/** Stores documents and searches them by words, vectors or both, filtered by metadata. You can add and remove documents at any time. */
export class Collection<Metadata extends object = JsonObject> extends Saveable {
  readonly #state: CollectionState<Metadata>
  readonly #embedder: Embedder | undefined
  readonly #onChange: CollectionPlace['onChange']
  /** For documents being embedded: the number of the latest write of each id. */
  readonly #pending = new Map<Id, number>()
  #writes = 0

  private constructor(holding: Holding, state: CollectionState<Metadata>, { embed, onChange }: CollectionPlace) {
    super(holding)
    this.#state = state
    state.owner = this
    this.#embedder = embed && new Embedder(embed, state.settings)
    if (embed) state.embeds = true
    this.#onChange = onChange
  }

  /** An empty collection. */
  static create<Metadata extends object = JsonObject>(options: CollectionOptions = {}): Collection<Metadata> {
    const settings = resolveCollectionOptions(options)
    const { engine = defaultEngine() } = options
    return lend(engine, 'Collection', (lease, holding) => {
      return new Collection<Metadata>(holding, new CollectionState(lease, engine, settings), options)
    })
  }

  /** The options it was created with. */
  get settings(): CollectionSettings {
    return this.#state.settings
  }

  /** Stores a document, replacing the one with the same id if there is one. Searches find it once the promise resolves. */
  async upsert(document: CollectionDocument<Metadata>, options: UpsertOptions = {}): Promise<void> {
    this.checkLive()
    checkOptions(options, upsertOptions)
    const ready = this.#check(document, 'your document')
    if (options.embed === false || !this.#needsVector(ready)) return this.#store(ready)
    await this.#embedAndStore([ready], options)
  }

  /**
   * Stores many documents from a list or any iterable, sync or async. Returns how many. If one is invalid or the signal fires, the
   * documents before it stay stored.
   */
  async upsertMany(
    documents: GivenDocuments<CollectionDocument<Metadata>>,
    options: UpsertManyOptions = {},
  ): Promise<number> {
    this.checkLive()
    checkOptions(options, upsertManyOptions)
    const pauses = new Pauses(options)
    const size = this.#embedder?.batch ?? 1
    const total = Array.isArray(documents) ? { total: documents.length } : {}
    let done = 0
    for await (const batch of inBatches(documents, size)) {
      this.checkLive()
      const ready = batch.map((document, i) => this.#check(document, `document ${done + i}`))
      if (options.embed !== false && ready.some(one => this.#needsVector(one)))
        await this.#embedAndStore(ready, options)
      else for (const one of ready) this.#store(one)
      done += batch.length
      if (!pauses.due) continue
      options.onProgress?.({ what: 'indexing', done, ...total })
      await pauses.take()
    }
    options.onProgress?.({ what: 'indexing', done, total: done })
    return done
  }

  /** Throws if `upsertMany` would refuse one of these documents. Stores nothing. */
  checkDocuments(documents: readonly CollectionDocument<Metadata>[]): void {
    this.checkLive()
    if (!Array.isArray(documents)) refuse('documents', documents, 'a list of documents')
    let first: Ready<Metadata> | undefined
    documents.forEach((document, i) => {
      const ready = this.#check(document, `document ${i}`, first?.vector?.length)
      if (ready.vector) first ??= ready
      if (!this.#embedder && this.#needsVector(ready)) throw withoutEmbed(document.id)
    })
  }

  /** The document with this id, with its vector; undefined if there is none. */
  get(id: Id): StoredDocument<Metadata> | undefined {
    this.checkLive()
    checkDocumentId(id, 'the id')
    const entry = this.#state.table.get(id)
    if (!entry) return undefined
    const { document, vectorKey } = entry
    return vectorKey === undefined
      ? document
      : Object.freeze({ ...document, vector: this.#state.vectors.get(vectorKey) })
  }

  has(id: Id): boolean {
    this.checkLive()
    checkDocumentId(id, 'the id')
    return this.#state.table.get(id) !== undefined
  }

  /** Removes a document. Returns false if the id is unknown. */
  remove(id: Id): boolean {
    this.checkLive()
    checkDocumentId(id, 'the id')
    this.#pending.delete(id)
    const isRemoved = this.#state.remove(id)
    if (isRemoved) this.#onChange?.({ do: 'remove', id })
    return isRemoved
  }

  /** Number of documents, or of those that pass a filter. */
  count(filter?: MetadataFilter<Metadata>): number {
    this.checkLive()
    if (filter === undefined) return this.#state.table.live
    checkMetadataFilter('filter', filter)
    return this.#state.filters.open(filter).rows.length
  }

  /** Documents in insertion order, without their vectors. */
  list(options: ListOptions<Metadata> = {}): StoredDocument<Metadata>[] {
    this.checkLive()
    checkOptions(options, listOptions)
    const { filter, offset = 0, limit = mostListed } = options
    const { table, filters } = this.#state
    const entries = filter ? Array.from(filters.open(filter).rows, row => table.at(row)) : [...table.entries()]
    return entries.slice(offset, offset + limit).flatMap(entry => (entry ? [entry.document] : []))
  }

  /** The best documents, best first: by words, by vectors, or by both. See `CollectionQuery`. */
  async search(query: CollectionQuery<Metadata>): Promise<CollectionHit<Metadata>[]> {
    this.checkLive()
    checkQuery(query)
    const { text, vector, signal } = query
    if (text === undefined || vector !== undefined || !this.#embedder) return answer(this.#state, query)
    const embedded = await this.#embedder.one(text, 'the text of your search', signal)
    this.checkLive()
    return answer(this.#state, { ...query, vector: embedded })
  }

  /** Its size, and how it currently searches. */
  stats(): CollectionStats {
    this.checkLive()
    return statsOf(this.#state)
  }

  /** Does background work now: frees the space of removed documents, and builds a forest if it pays off. */
  async optimize(options: LongWork = {}): Promise<void> {
    this.checkLive()
    checkOptions(options, workOptions)
    throwIfAborted(options.signal)
    await this.#state.holes.close(options)
    this.checkLive()
    await this.#state.vectors.optimize(options)
  }

  /** Waits for background work to finish. */
  async settled(): Promise<void> {
    this.checkLive()
    await this.#state.holes.settled()
    await this.#state.vectors.settled()
  }

  /** Everything a model file stores; not `embed`. */
  contents(): ModelContents {
    return finish(this.contentSteps())
  }

  protected override contentSteps(): Steps<ModelContents> {
    this.checkLive()
    return packCollection(this.#state)
  }

  /** Restores what `contents()` returned. `name` is what messages call the source. */
  static fromContents<Metadata extends object = JsonObject>(
    contents: ModelContents,
    options: CollectionPlace & { readonly name?: string } = {},
  ): Collection<Metadata> {
    checkHolder(options)
    const { name = 'the collection', ...place } = options
    checkOptions(place, collectionPlaceOptions)
    checkContents(contents)
    const { engine = defaultEngine() } = place
    return lend(engine, 'Collection', (lease, holding) => {
      return new Collection<Metadata>(holding, finish(unpackCollection(contents, lease, engine, name)), place)
    })
  }

  /** The same, while other code runs. */
  static #open<Metadata extends object>(
    contents: ModelContents,
    { engine, name = 'the collection', signal, ...place }: CollectionLoadOptions & { engine: Engine; name?: string },
  ): Promise<Collection<Metadata>> {
    return lendWhile(engine, 'Collection', async (lease, holding) => {
      const state = await inTurns(unpackCollection<Metadata>(contents, lease, engine, name), { signal })
      return new Collection<Metadata>(holding, state, place)
    })
  }

  /** Reads a collection that `save` wrote. Give `embed` again if it had one: without it, documents need vectors of their own. */
  static load<Metadata extends object = JsonObject>(
    path: string,
    options: CollectionLoadOptions = {},
  ): Promise<Collection<Metadata>> {
    return openFile(path, options, Collection.#open<Metadata>, collectionLoadOptions)
  }

  /** Like `load`, from the bytes that `toBytes` returned. */
  static fromBytes<Metadata extends object = JsonObject>(
    bytes: ModelBytes,
    options: CollectionLoadOptions = {},
  ): Promise<Collection<Metadata>> {
    return openBytes(bytes, options, Collection.#open<Metadata>, collectionLoadOptions)
  }

  override free(): void {
    this.#state.free()
    super.free()
  }

  /** `expected`: the length of vectors, if the collection has none yet. */
  #check(given: CollectionDocument<Metadata>, name: string, expected?: number): Ready<Metadata> {
    const document = storedCopy<Metadata>(given, name)
    if (given.vector === undefined) return { document, vector: undefined }
    const { metric, dims = expected } = this.#state.vectors
    return { document, vector: preparedVector(given.vector, metric, dims, vectorName(document)) }
  }

  #needsVector({ document, vector }: Ready<Metadata>): boolean {
    return vector === undefined && this.#state.embeds && textToEmbed(document) !== ''
  }

  /** Checked again, because it may have waited. */
  #store({ document, vector }: Ready<Metadata>): void {
    const { metric, dims } = this.#state.vectors
    const prepared = vector && preparedVector(vector, metric, dims, vectorName(document))
    this.#pending.delete(document.id)
    this.#state.upsert(document, prepared)
    // Its metadata is JSON of any type.
    const stored = document as unknown as StoredDocument
    this.#onChange?.({ do: 'upsert', document: stored, ...(prepared && { vector: prepared }) })
  }

  /** If a document was written or removed again while it was being embedded, the later call wins. */
  async #embedAndStore(ready: readonly Ready<Metadata>[], { signal }: UpsertOptions): Promise<void> {
    const embedder = this.#embedder
    if (!embedder) throw withoutEmbed(ready[0].document.id)
    const writes = ready.map(({ document }) => {
      this.#pending.set(document.id, ++this.#writes)
      return this.#writes
    })
    const texts = ready.filter(one => this.#needsVector(one)).map(({ document }) => namedText(document))
    const vectors = await embedder.many(texts, signal)
    this.checkLive()
    let next = 0
    ready.forEach((one, i) => {
      const vector = this.#needsVector(one) ? vectors[next++] : one.vector
      if (this.#pending.get(one.document.id) !== writes[i]) return
      this.#store({ document: one.document, vector: vector as Float32Array | undefined }) // any vector: it is prepared next
    })
  }
}

/** Stored without a vector, it would be missing from searches by vector, without a word. */
function withoutEmbed(id: Id): EngineError {
  return new EngineError(
    'INVALID_OPTION',
    `document ${JSON.stringify(id)} has text but no vector, and you opened this collection without the embed that made its vectors`,
    { hint: 'Open it with embed, give the document a vector, or store it without one: { embed: false }.' },
  )
}

/** All texts of a document, one per line. */
function textToEmbed(document: StoredDocument<object>): string {
  return Object.values(textsOf(document)).join('\n').trim()
}

function namedText(document: StoredDocument<object>): NamedText {
  return { text: textToEmbed(document), name: `document ${JSON.stringify(document.id)}` }
}

function vectorName({ id }: StoredDocument<object>): string {
  return `the vector of document ${JSON.stringify(id)}`
}
