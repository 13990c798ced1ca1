// A durable memory: a MemoryTree whose every change is in a log on disk before it is acknowledged. After a crash, the last snapshot and the
// log restore the same memory, bit for bit. Changes apply at once, so queries also see changes that are not on disk yet. Await `flushed()`
// first if an answer must not be undone by a crash. See docs/memory-store.md.

import { rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { AtomicWriteOptions, Id, Json } from '@vicinal/core'
import { contentsInTurns } from '@vicinal/core/internals'
import {
  type Hit,
  type HitExplanation,
  type InsertOptions,
  type LearnOptions,
  type Memory,
  type MemoryChanges,
  type MemoryCountOptions,
  type MemoryKey,
  type MemoryListOptions,
  type MemoryQueryOptions,
  type MemorySettings,
  type MemoryStats,
  MemoryTree,
  type MemoryUpsertOptions,
  type NamespaceCount,
  type Rewarded,
} from '@vicinal/core/memory'
import { Log } from '../log/log.ts'
import { unusable } from '../log/log-error.ts'
import { type GivenMemories, type InsertManyOptions, insertMany } from './insert-many.ts'
import {
  CallerError,
  type Change,
  changing,
  inserting,
  learning,
  removing,
  rewarding,
  upserting,
} from './memory-changes.ts'
import { operationToJson } from './operation-json.ts'
import { loadTree } from './replay.ts'
import { removeLeftovers, snapshotFile } from './snapshot.ts'
import { checkStore, type StoreParts } from './store-check.ts'
import { checkStoreFolder, makeStoreFolder } from './store-folder.ts'
import {
  type CreateStoreOptions,
  checkCreateOptions,
  checkOpenOptions,
  checkPath,
  type OpenStoreOptions,
  resolveSnapshots,
} from './store-options.ts'
import { readState } from './store-state.ts'
import { StoreWriter } from './store-writer.ts'
import { checkUsable, usableWriter } from './usable.ts'

/** The size of a store. */
export interface StoreStats extends MemoryStats {
  /** Changes since the store was made. */
  readonly operations: number
  /** Changes that opening the store would replay. */
  readonly logged: number
  readonly logBytes: number
  readonly snapshotBytes: number
  /** Why the last snapshot failed, if it did. The log keeps growing until one succeeds. */
  readonly snapshotFailure?: string
}

/** A `MemoryTree` in a folder on disk: changes are flushed before they are acknowledged, and survive a crash. */
export class MemoryStore<Value = Json> {
  readonly #parts: StoreParts
  #closing: Promise<void> | undefined
  /** Running checks, which `close` must wait for. */
  #checking: Promise<unknown> = Promise.resolve()

  private constructor(parts: StoreParts) {
    this.#parts = parts
  }

  /** Creates a store in a new folder. */
  static async create<Value = Json>(path: string, options: CreateStoreOptions = {}): Promise<MemoryStore<Value>> {
    checkCreateOptions(options)
    checkPath('path', path)
    const { snapshotOperations, snapshotBytes, ...memory } = options
    const { engine, learner, clock } = options
    const limits = resolveSnapshots(options)
    const tree = MemoryTree.create(memory)
    try {
      await makeStoreFolder(resolve(path), tree.contents())
    } finally {
      tree.free()
    }
    return MemoryStore.open<Value>(path, {
      ...limits,
      ...(engine && { engine }),
      ...(clock && { clock }),
      ...(typeof learner === 'object' && { learner }),
    })
  }

  /** Opens a store for writing (one process at a time) or for reading only. */
  static async open<Value = Json>(path: string, options: OpenStoreOptions = {}): Promise<MemoryStore<Value>> {
    checkOpenOptions(options)
    checkPath('path', path)
    const { readOnly = false, engine, learner, clock, signal } = options
    const limits = resolveSnapshots(options)
    const folder = resolve(path)
    await checkStoreFolder(folder)
    const log = await Log.open(folder, { readOnly })
    try {
      const place = { ...(engine && { engine }), ...(learner && { learner }), ...(clock && { clock }) }
      const loaded = await loadTree(folder, log, place, { signal })
      if (readOnly) return new MemoryStore<Value>({ folder, log, place, loaded })
      // Files that a killed process left behind.
      await log.truncateBefore(loaded.from + 1)
      await removeLeftovers(folder, loaded.from)
      return new MemoryStore<Value>({
        folder,
        log,
        place,
        loaded,
        writer: new StoreWriter(folder, log, { ...loaded, stored: loaded.tree }, limits),
      })
    } catch (error) {
      await log.close()
      throw error
    }
  }

  /** Creates a store from a file that `backup` wrote: the same memories, and everything that was learned. */
  static async restore<Value = Json>(
    file: string,
    path: string,
    options: OpenStoreOptions = {},
  ): Promise<MemoryStore<Value>> {
    checkOpenOptions(options)
    checkPath('file', file)
    checkPath('path', path)
    const { engine, learner, signal } = options
    const tree = await MemoryTree.load(file, { ...(engine && { engine }), ...(learner && { learner }), signal })
    try {
      await makeStoreFolder(resolve(path), await contentsInTurns(tree, { signal }), { signal })
    } finally {
      tree.free()
    }
    return MemoryStore.open<Value>(path, options).catch(async error => {
      // Nobody asked for the folder any more. After other errors it stays: another process may have opened it.
      if (signal?.aborted) await rm(resolve(path), { recursive: true, force: true })
      throw error
    })
  }

  get path(): string {
    return this.#parts.folder
  }

  /** Number of memories. */
  get size(): number {
    return this.#tree.size
  }

  /** Every option of the memory, defaults filled in. */
  get options(): MemorySettings {
    return this.#tree.options
  }

  /** INSERT: stores a memory; resolves to its id when it is on disk. */
  insert(key: MemoryKey, value: Value, options: InsertOptions = {}): Promise<Id> {
    return this.#change(inserting(key, value, options))
  }

  /**
   * Stores many memories from a list or any iterable: `{ key, value, ...options }` each. Resolves to their ids, when all are on disk. If one
   * is refused, those before it are kept.
   */
  insertMany(memories: GivenMemories<Value>, options: InsertManyOptions = {}): Promise<Id[]> {
    return insertMany(memories, options, ({ key, value, ...others }) => {
      const { result, written } = this.#apply(inserting(key, value, others))
      return { id: result, written }
    })
  }

  /** Stores a memory under this id, or replaces the one that has it; resolves when it is on disk. See `MemoryTree.upsert`. */
  upsert(key: MemoryKey, value: Value, options: MemoryUpsertOptions): Promise<Id> {
    return this.#change(upserting(key, value, options))
  }

  /** QUERY: the best memories for a key. Sees every change at once, before it is on disk; see `flushed`. */
  query(key: MemoryKey, options: MemoryQueryOptions<Value> = {}): Hit<Value>[] {
    return this.#tree.query(key, options)
  }

  /** UPDATE: a reward from 0 to 1 for a hit; resolves when it is on disk. */
  update(hit: Rewarded, reward: number): Promise<void>
  /** Changes the value, the metadata or the expiry of a memory; resolves when it is on disk. Its key and what was learned are kept. */
  update(id: Id, changes: MemoryChanges<Value>): Promise<void>
  update(which: Rewarded | Id, what: number | MemoryChanges<Value>): Promise<void> {
    const isId = typeof which === 'string' || typeof which === 'number'
    if (isId && typeof what !== 'number') return this.#change(changing(which, what))
    return this.#change(rewarding(which as Rewarded, what as number)) // the memory checks both
  }

  /** A supervised step, like `MemoryTree.learn`. Resolves when it is on disk. */
  learn(key: MemoryKey, rewardOf: (value: Value, id: Id) => number, options: LearnOptions = {}): Promise<void> {
    return this.#change(learning(key, rewardOf, options))
  }

  /** REMOVE: forgets a memory. Resolves when that is on disk, to false if the id is unknown. */
  remove(id: Id): Promise<boolean> {
    return this.#change(removing(id))
  }

  /** The memory with this id, or undefined. */
  get(id: Id): Memory<Value> | undefined {
    return this.#tree.get(id)
  }

  /** All memories, in insertion order. Do not change the memory while you loop. */
  memories(): Generator<Memory<Value>> {
    return this.#tree.memories()
  }

  /** Memories as they are stored, in an order, page by page. */
  list(options: MemoryListOptions<Value> = {}): Memory<Value>[] {
    return this.#tree.list(options)
  }

  /** Number of memories that have not expired and pass the filter, in one namespace or in all. */
  count(options: MemoryCountOptions<Value> = {}): number {
    return this.#tree.count(options)
  }

  /** The namespaces that have memories, and how many each has that have not expired; largest first. */
  namespaces(): NamespaceCount[] {
    return this.#tree.namespaces()
  }

  /** Why a memory was a hit: what query and key share, what was learned, and its rewards. */
  explain(hit: Rewarded): HitExplanation {
    return this.#tree.explain(hit)
  }

  /** Resolves when every change that queries have seen is on disk. Rejects if one could not be written. */
  async flushed(): Promise<void> {
    this.#checkUsable()
    await this.#parts.writer?.flushed()
  }

  /**
   * Writes the memory as it is now to one file, with everything that was learned; `restore` creates a store from it. Changes can continue meanwhile.
   * Refuses to replace a file, unless `overwrite` is true.
   */
  async backup(file: string, options: AtomicWriteOptions = {}): Promise<void> {
    checkPath('file', file)
    await this.#tree.save(file, options)
  }

  /** Writes a snapshot of the whole memory now and drops the log before it. Also happens automatically: see `SnapshotOptions`. */
  async snapshot(): Promise<void> {
    await this.#writer().snapshot()
  }

  async stats(): Promise<StoreStats> {
    const { folder, writer, loaded } = this.#parts
    const facts = this.#tree.stats()
    // A reader reports the memory as it was when read.
    const {
      number: operations,
      from,
      logBytes,
    } = writer ?? { number: loaded.to, from: loaded.from, logBytes: loaded.bytes }
    const failure = writer?.snapshotFailure
    return {
      ...facts,
      ...{ operations, logged: operations - from, logBytes },
      snapshotBytes: await snapshotBytes(folder, from),
      ...(failure !== undefined && { snapshotFailure: String(failure) }),
    }
  }

  /** Checks that the memory is consistent and that loading it from disk would give the same memory. Returns the problems found. */
  async check(): Promise<string[]> {
    this.#checkUsable()
    const { writer } = this.#parts
    const faults = writer ? writer.alone(() => checkStore(this.#parts)) : checkStore(this.#parts)
    this.#checking = Promise.allSettled([this.#checking, faults])
    return faults
  }

  /** Waits for pending changes and closes the store. Do not use it afterwards. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  get #tree(): MemoryTree<Value> {
    this.#checkUsable()
    const { clock, tree } = this.#parts.loaded
    clock.tick()
    return tree as MemoryTree<unknown> as MemoryTree<Value> // a store returns what it was given
  }

  #writer(): StoreWriter {
    return usableWriter(this.#parts, this.#closing !== undefined)
  }

  #checkUsable(): void {
    checkUsable(this.#parts, this.#closing !== undefined)
  }

  /** Applies a change and logs it in the same turn, so that the log has changes in the order they were applied. */
  async #change<T>(apply: Change<Value, T>): Promise<T> {
    const { result, written } = this.#apply(apply)
    await written
    return result
  }

  /** `written` resolves when the change is on disk. */
  #apply<T>(apply: Change<Value, T>): { readonly result: T; readonly written: Promise<unknown> } {
    const writer = this.#writer()
    const tree = this.#tree
    return this.#guarded(writer, tree, () => {
      const { result, operation } = apply(tree, {
        explorations: tree.explorations,
        at: this.#parts.loaded.clock.read(),
      })
      // If nothing changed, the answer may still depend on a change that is not on disk yet.
      return { result, written: operation ? writer.write(operationToJson(operation)) : writer.flushed() }
    })
  }

  /** A change that failed halfway leaves a memory that differs from the log. */
  #guarded<T>(writer: StoreWriter, tree: MemoryTree<Value>, work: () => T): T {
    const before = tree.changes
    try {
      return work()
    } catch (error) {
      if (tree.changes === before) throw error instanceof CallerError ? error.cause : error
      const failure = unusable(this.#parts.folder, `a change failed halfway: ${error}`, 'Open the store again.', error)
      writer.fail(failure)
      throw failure
    }
  }

  async #close(): Promise<void> {
    const { log, loaded, writer } = this.#parts
    try {
      await this.#checking
      await writer?.close()
    } finally {
      await log.close()
      loaded.tree.free()
    }
  }
}

/** A reader's may have been replaced in the meantime: then the current one is used. */
async function snapshotBytes(folder: string, from: number): Promise<number> {
  const size = async (operations: number) => (await stat(join(folder, snapshotFile(operations)))).size
  return size(from).catch(async () => size((await readState(folder)).from))
}
