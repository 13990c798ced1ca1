// A memory that survives: a MemoryTree whose every change is in a log on disk before it is acknowledged. After a crash, the last
// snapshot and the log give the same memory again, to the last bit.
// A change is applied at once, and what queries see is the memory as applied: also changes that are not yet on disk. Who must not
// answer with what a crash could take back awaits `flushed()` first. See docs/memory-store.md.

import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { EngineError, type Id, type Json } from '@vicinal/core'
import {
  type Hit,
  type InsertOptions,
  type LearnOptions,
  type Memory,
  type MemoryFacts,
  type MemoryKey,
  type MemoryQueryOptions,
  type MemorySettings,
  MemoryTree,
  type Rewarded,
} from '@vicinal/core/memory'
import { sealLog } from './log-seal.ts'
import type { Operation } from './operation.ts'
import { OperationLog } from './operation-log.ts'
import { loadTree } from './replay.ts'
import { removeOtherSnapshots } from './snapshot.ts'
import { checkStore, type StoreParts } from './store-check.ts'
import { commitFailure, unusable } from './store-error.ts'
import { checkStoreFolder, makeStoreFolder } from './store-folder.ts'
import {
  type CreateStoreOptions,
  checkCreateOptions,
  checkOpenOptions,
  type OpenStoreOptions,
  resolveSnapshots,
} from './store-options.ts'
import { StoreWriter } from './store-writer.ts'
import { WriterLock } from './writer-lock.ts'

/** What a store holds, in numbers. */
export interface StoreFacts extends MemoryFacts {
  /** Changes since the store was made. */
  readonly operations: number
  /** Those of them that opening would make again. */
  readonly logged: number
  readonly logBytes: number
  readonly snapshotBytes: number
  /** Why the last snapshot was not made, where it was not: the log goes on growing. */
  readonly snapshotFailure?: string
}

/** A `MemoryTree` in a folder on disk: changes are flushed before they are acknowledged, and survive a crash. */
export class MemoryStore {
  readonly #parts: StoreParts
  #closing: Promise<void> | undefined
  /** Checks that read what closing would take away. */
  #checking: Promise<unknown> = Promise.resolve()

  private constructor(parts: StoreParts) {
    this.#parts = parts
  }

  /** A new store in a folder that is not there yet. */
  static async create(path: string, options: CreateStoreOptions = {}): Promise<MemoryStore> {
    checkCreateOptions(options)
    const { snapshotOperations, snapshotBytes, ...memory } = options
    const { engine, learner } = options
    const limits = resolveSnapshots(options)
    const tree = MemoryTree.create(memory)
    try {
      await makeStoreFolder(resolve(path), tree.contents())
    } finally {
      tree.free()
    }
    return MemoryStore.open(path, {
      ...limits,
      ...(engine && { engine }),
      ...(typeof learner === 'object' && { learner }),
    })
  }

  /** Opens a store to write it, which one process can at a time, or only to read it. */
  static async open(path: string, options: OpenStoreOptions = {}): Promise<MemoryStore> {
    checkOpenOptions(options)
    const { readOnly = false, engine, learner } = options
    const limits = resolveSnapshots(options)
    const folder = resolve(path)
    await checkStoreFolder(folder)
    const log = await OperationLog.open(folder, readOnly)
    let lock: WriterLock | undefined
    try {
      if (!readOnly) lock = await takeLock(log, folder)
      const place = { ...(engine && { engine }), ...(learner && { learner }) }
      const { tree, state } = await loadTree(folder, log, place)
      const parts = { folder, log, tree, place, state }
      if (!lock) return new MemoryStore(parts)
      await removeOtherSnapshots(folder, state.snapshot)
      return new MemoryStore({ ...parts, writing: { lock, writer: new StoreWriter(folder, log, tree, state, limits) } })
    } catch (error) {
      await log.close()
      await lock?.free()
      throw error
    }
  }

  get path(): string {
    return this.#parts.folder
  }

  /** How many memories there are. */
  get size(): number {
    return this.#tree.size
  }

  /** Every option of the memory, defaults filled in. */
  get options(): MemorySettings {
    return this.#tree.options
  }

  /** INSERT: stores a memory; resolves to its id when it is on disk. */
  insert(key: MemoryKey, value: Json, options: InsertOptions = {}): Promise<Id> {
    return this.#change((tree, explorations) => {
      const result = tree.insert(key, value, options)
      // The value as it was stored: what JSON makes of it is asked for once only.
      const stored = tree.get(result)?.value ?? null
      const id = options.id === undefined ? {} : { id: options.id }
      return { result, operation: { do: 'insert', explorations, key, value: stored, ...id } }
    })
  }

  /** QUERY: the best memories for a key. Sees every change as soon as it was called for; see `flushed`. */
  query(key: MemoryKey, options: MemoryQueryOptions = {}): Hit[] {
    return this.#tree.query(key, options)
  }

  /** UPDATE: a reward from 0 to 1 for a hit; resolves when it is on disk. */
  update(hit: Rewarded, reward: number): Promise<void> {
    return this.#change((tree, explorations) => {
      tree.update(hit, reward)
      const { key, explored } = hit.query
      const side = explored && { explored: { tree: explored.tree, node: explored.node, side: explored.side } }
      return { result: undefined, operation: { do: 'update', explorations, key, id: hit.id, reward, ...side } }
    })
  }

  /** A supervised step, as MemoryTree's; resolves when it is on disk. */
  learn(key: MemoryKey, rewardOf: (value: Json, id: Id) => number, options: LearnOptions = {}): Promise<void> {
    return this.#change((tree, explorations) => {
      const rewards: number[] = []
      const recorded = (value: Json, id: Id) => {
        rewards.push(askReward(rewardOf, value, id))
        return rewards.at(-1) ?? Number.NaN
      }
      tree.learn(key, recorded, options)
      const except = options.except === undefined ? {} : { except: options.except }
      return { result: undefined, operation: { do: 'learn', explorations, key, rewards, ...except } }
    })
  }

  /** REMOVE: forgets a memory; resolves when that is on disk, to false where there is none with this id. */
  remove(id: Id): Promise<boolean> {
    return this.#change((tree, explorations) => {
      const result = tree.remove(id)
      return { result, ...(result && { operation: { do: 'remove', explorations, id } }) }
    })
  }

  get(id: Id): Memory | undefined {
    return this.#tree.get(id)
  }

  /** All memories, in no order that means anything; change none meanwhile. */
  memories(): Generator<Memory> {
    return this.#tree.memories()
  }

  /** Resolves when every change that a query could have seen so far is on disk; rejects where one will never be. */
  async flushed(): Promise<void> {
    this.#checkUsable()
    await this.#parts.writing?.writer.flushed()
  }

  /** Writes the whole memory now and drops the log before it; happens by itself now and then. */
  async snapshot(): Promise<void> {
    await this.#writer().snapshot()
  }

  async facts(): Promise<StoreFacts> {
    const { log, folder, writing, state } = this.#parts
    const facts = this.#tree.facts()
    // A reader tells of the memory as it read it, whatever has happened since.
    const { snapshot, from, bytes } = writing ? log.state() : state
    const operations = writing?.writer.number ?? state.to
    const failure = writing?.writer.snapshotFailure
    return {
      ...facts,
      ...{ operations, logged: operations - from, logBytes: bytes },
      // A reader's may have been replaced meanwhile.
      snapshotBytes: (await stat(join(folder, snapshot)).catch(() => stat(join(folder, log.state().snapshot)))).size,
      ...(failure !== undefined && { snapshotFailure: String(failure) }),
    }
  }

  /** Looks whether all parts of the memory agree, and whether the disk would give the same memory again: the faults. */
  async check(): Promise<string[]> {
    this.#checkUsable()
    const { writing } = this.#parts
    const faults = writing ? writing.writer.alone(() => checkStore(this.#parts)) : checkStore(this.#parts)
    this.#checking = Promise.allSettled([this.#checking, faults])
    return faults
  }

  /** Waits for all changes and gives the store back; it must not be used afterwards. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  get #tree(): MemoryTree {
    this.#checkUsable()
    return this.#parts.tree
  }

  #writer(): StoreWriter {
    this.#checkUsable()
    const { folder, writing } = this.#parts
    if (writing) return writing.writer
    throw unusable(folder, 'the store was opened to be read only', 'Open it without readOnly to change it.')
  }

  #checkUsable(): void {
    const { folder, writing } = this.#parts
    if (this.#closing) throw unusable(folder, 'the store was closed', 'Open it again.')
    const failure = writing?.writer.failure
    if (failure) throw unusable(folder, `the store has failed before: ${failure.message}`, 'Open it again.', failure)
  }

  /** Applies a change and logs it, in one turn: the log has the order in which changes were applied. */
  async #change<T>(
    apply: (tree: MemoryTree, explorations: number) => { readonly result: T; readonly operation?: Operation },
  ): Promise<T> {
    const writer = this.#writer()
    const { tree } = this.#parts
    const { result, written } = this.#guarded(writer, tree, () => {
      const { result, operation } = apply(tree, tree.explorations)
      // Where nothing changed, the answer may rest on a change that is still on its way.
      return { result, written: operation ? writer.write(operation) : writer.flushed() }
    })
    await written
    return result
  }

  /** A change that was not refused before it began, but broke off, leaves a memory that the log does not tell of. */
  #guarded<T>(writer: StoreWriter, tree: MemoryTree, work: () => T): T {
    const before = tree.changes
    try {
      return work()
    } catch (error) {
      if (tree.changes === before) throw error instanceof CallerError ? error.cause : error
      const failure = unusable(this.#parts.folder, `a change broke off: ${error}`, 'Open the store again.', error)
      writer.fail(failure)
      throw failure
    }
  }

  async #close(): Promise<void> {
    const { folder, log, tree, writing } = this.#parts
    try {
      await this.#checking
      await writing?.writer.close()
    } finally {
      await log.close()
      // A log without a seal is as good, only less well guarded: a full disk is no reason to fail.
      if (writing && !writing.writer.failure) await sealLog(folder).catch(() => {})
      await writing?.lock.free()
      tree.free()
    }
  }
}

/** What the caller's own function threw. */
class CallerError extends Error {}

function askReward(rewardOf: (value: Json, id: Id) => number, value: Json, id: Id): number {
  try {
    return rewardOf(value, id)
  } catch (cause) {
    throw new CallerError('the reward was not told', { cause })
  }
}

async function takeLock(log: OperationLog, folder: string): Promise<WriterLock> {
  try {
    return await WriterLock.take(log, folder)
  } catch (error) {
    throw error instanceof EngineError ? error : await commitFailure(folder, error)
  }
}
