// A durable collection: every change is in a log on disk before it is acknowledged. After a crash, the last snapshot and the log give
// the same documents again. A change is applied at once: searches see it before it is on disk. `flushed()` waits until it is.

import { resolve } from 'node:path'
import type { Id, JsonObject, LongWork } from '@vicinal/core'
import {
  Collection,
  type CollectionChange,
  type CollectionDocument,
  type CollectionHit,
  type CollectionQuery,
  type CollectionSettings,
  type CollectionStats,
  type GivenDocuments,
  type ListOptions,
  type MetadataFilter,
  type StoredDocument,
  type UpsertManyOptions,
  type UpsertOptions,
} from '@vicinal/core/collection'
import { Log } from '../log/log.ts'
import { type LoadedStored, loadStored, type StoredKind } from '../store/replay.ts'
import { removeLeftovers } from '../store/snapshot.ts'
import { checkStoreFolder, makeStoreFolder } from '../store/store-folder.ts'
import { checkPath, resolveSnapshots } from '../store/store-options.ts'
import { StoreWriter } from '../store/store-writer.ts'
import { checkUsable, usableWriter } from '../store/usable.ts'
import { changeToJson, replayChange } from './collection-operation.ts'
import {
  type CreateCollectionOptions,
  checkCreateOptions,
  checkOpenOptions,
  type OpenCollectionOptions,
} from './collection-store-options.ts'

/** The size of a store. */
export interface CollectionStoreStats extends CollectionStats {
  /** Changes since the store was made. */
  readonly operations: number
  /** Changes that opening the store would replay. */
  readonly logged: number
  readonly logBytes: number
  /** Why the last snapshot failed, if it did. The log keeps growing until one succeeds. */
  readonly snapshotFailure?: string
}

interface Parts<Metadata extends object> {
  readonly folder: string
  readonly log: Log
  readonly loaded: LoadedStored<Collection<Metadata>>
  /** For copies to compare with, whose changes are already in the log. */
  readonly kind: StoredKind<Collection<Metadata>>
  /** Undefined if it was opened read-only. */
  readonly writer: StoreWriter | undefined
}

/** A `Collection` in a folder on disk: changes are flushed before they are acknowledged, and survive a crash. */
export class CollectionStore<Metadata extends object = JsonObject> {
  readonly #parts: Parts<Metadata>
  #closing: Promise<void> | undefined

  private constructor(parts: Parts<Metadata>) {
    this.#parts = parts
  }

  /** Creates a store in a new folder. */
  static async create<Metadata extends object = JsonObject>(
    path: string,
    options: CreateCollectionOptions = {},
  ): Promise<CollectionStore<Metadata>> {
    checkCreateOptions(options)
    checkPath('path', path)
    const { snapshotOperations, snapshotBytes, ...shape } = options
    const limits = resolveSnapshots(options)
    const collection = Collection.create(shape)
    try {
      await makeStoreFolder(resolve(path), collection.contents(), { kind: 'collection' })
    } finally {
      collection.free()
    }
    const { engine, embed } = options
    return CollectionStore.open<Metadata>(path, { ...limits, ...(engine && { engine }), ...(embed && { embed }) })
  }

  /** Opens a store for writing (one process at a time) or for reading only. */
  static async open<Metadata extends object = JsonObject>(
    path: string,
    options: OpenCollectionOptions = {},
  ): Promise<CollectionStore<Metadata>> {
    checkOpenOptions(options)
    checkPath('path', path)
    const { readOnly = false, engine, embed } = options
    const limits = resolveSnapshots(options)
    const folder = resolve(path)
    await checkStoreFolder(folder)
    const log = await Log.open(folder, { readOnly })
    try {
      let writer: StoreWriter | undefined
      // Silent while the log is replayed.
      const onChange = (change: CollectionChange) => {
        writer?.write(changeToJson(change)).catch(() => {}) // callers wait for `flushed`, which gives them the error
      }
      const place = { ...(engine && { engine }), ...(embed && { embed }) }
      const loaded = await loadStored(folder, log, kindOf<Metadata>({ ...place, onChange }))
      if (!readOnly) {
        // Files that a killed process left behind.
        await log.truncateBefore(loaded.from + 1)
        await removeLeftovers(folder, loaded.from, 'collection')
        writer = new StoreWriter(folder, log, loaded, limits, 'collection')
      }
      return new CollectionStore<Metadata>({ folder, log, loaded, kind: kindOf<Metadata>(place), writer })
    } catch (error) {
      await log.close()
      throw error
    }
  }

  get path(): string {
    return this.#parts.folder
  }

  /** The options the collection was created with. */
  get settings(): CollectionSettings {
    return this.#collection.settings
  }

  /** Stores a document, replacing the one with the same id. Resolves when it is on disk. */
  async upsert(document: CollectionDocument<Metadata>, options: UpsertOptions = {}): Promise<void> {
    const writer = this.#writer()
    await this.#collection.upsert(document, options)
    await writer.flushed()
  }

  /** Stores many documents from a list or any iterable. Resolves to how many, when all are on disk. */
  async upsertMany(
    documents: GivenDocuments<CollectionDocument<Metadata>>,
    options: UpsertManyOptions = {},
  ): Promise<number> {
    const writer = this.#writer()
    const count = await this.#collection.upsertMany(documents, options)
    await writer.flushed()
    return count
  }

  /** Throws if `upsertMany` would refuse one of these documents. Stores nothing. */
  checkDocuments(documents: readonly CollectionDocument<Metadata>[]): void {
    this.#collection.checkDocuments(documents)
  }

  /** Removes a document. Resolves when that is on disk, to false if the id is unknown. */
  async remove(id: Id): Promise<boolean> {
    const writer = this.#writer()
    const isRemoved = this.#collection.remove(id)
    // If the id is unknown, another removal of it may still be on its way to the disk.
    await writer.flushed()
    return isRemoved
  }

  /** The document with this id, with its vector. */
  get(id: Id): StoredDocument<Metadata> | undefined {
    return this.#collection.get(id)
  }

  has(id: Id): boolean {
    return this.#collection.has(id)
  }

  /** Number of documents, or of those that pass a filter. */
  count(filter?: MetadataFilter<Metadata>): number {
    return this.#collection.count(filter)
  }

  /** Documents in insertion order, without their vectors. */
  list(options: ListOptions<Metadata> = {}): StoredDocument<Metadata>[] {
    return this.#collection.list(options)
  }

  /** The best documents, best first. Sees every change as soon as it is applied; see `flushed`. */
  async search(query: CollectionQuery<Metadata>): Promise<CollectionHit<Metadata>[]> {
    return this.#collection.search(query)
  }

  stats(): CollectionStoreStats {
    const { writer, loaded } = this.#parts
    const facts = this.#collection.stats()
    // A reader reports the collection as it was when read.
    const { number, from, logBytes } = writer ?? { number: loaded.to, from: loaded.from, logBytes: loaded.bytes }
    const failure = writer?.snapshotFailure
    return {
      ...facts,
      ...{ operations: number, logged: number - from, logBytes },
      ...(failure !== undefined && { snapshotFailure: String(failure) }),
    }
  }

  /** Does background work now: frees the space of removed documents, and builds a forest if it pays off. */
  async optimize(options: LongWork = {}): Promise<void> {
    await this.#collection.optimize(options)
  }

  /** Waits for background work to finish. */
  async settled(): Promise<void> {
    await this.#collection.settled()
  }

  /** Resolves when every change that searches have seen is on disk. Rejects if one could not be written. */
  async flushed(): Promise<void> {
    this.#checkUsable()
    await this.#parts.writer?.flushed()
  }

  /** Writes a snapshot of the whole collection now and drops the log before it. Also happens automatically: see `SnapshotOptions`. */
  async snapshot(): Promise<void> {
    await this.#writer().snapshot()
  }

  /** Compares the collection with the one on disk. Returns the differences. */
  async check(): Promise<string[]> {
    this.#checkUsable()
    const { folder, log, kind, loaded, writer } = this.#parts
    const compare = async () => {
      await writer?.flushed()
      const [to, own] = [writer?.number ?? loaded.to, facts(loaded.stored)]
      const again = await loadStored(folder, log, kind, { to })
      try {
        return again.from <= to ? differences(own, facts(again.stored)) : []
      } finally {
        again.stored.free()
      }
    }
    return writer ? writer.alone(compare) : compare()
  }

  /** Waits for pending changes and closes the store. Do not use it afterwards. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  get #collection(): Collection<Metadata> {
    this.#checkUsable()
    return this.#parts.loaded.stored
  }

  #writer(): StoreWriter {
    return usableWriter(this.#parts, this.#closing !== undefined)
  }

  #checkUsable(): void {
    checkUsable(this.#parts, this.#closing !== undefined)
  }

  async #close(): Promise<void> {
    const { log, loaded, writer } = this.#parts
    try {
      await writer?.close()
    } finally {
      await log.close()
      loaded.stored.free()
    }
  }
}

function kindOf<Metadata extends object>(
  place: Parameters<typeof Collection.load>[1],
): StoredKind<Collection<Metadata>> {
  return {
    kind: 'collection',
    load: path => Collection.load<Metadata>(path, place),
    // Documents are JSON, with any type of metadata.
    replay: (collection, record) => replayChange(collection as unknown as Collection<JsonObject>, record),
  }
}

/** Every document with its vector, by id. */
function facts<Metadata extends object>(collection: Collection<Metadata>): Map<Id, string> {
  return new Map(
    collection.list().map(({ id }) => {
      const { vector, ...document } = collection.get(id) ?? {}
      return [id, JSON.stringify([document, vector && Array.from(vector)])]
    }),
  )
}

function differences(own: Map<Id, string>, disk: Map<Id, string>): string[] {
  const ids = new Set([...own.keys(), ...disk.keys()])
  return [...ids]
    .filter(id => own.get(id) !== disk.get(id))
    .map(id => `the disk would give another document ${JSON.stringify(id)}`)
}
