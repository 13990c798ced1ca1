// Writes to all parts of a memory: the table, every tree, the index and, if those options are set, the eviction queue and the duplicates. A
// change is made in all of them or in none.

import { assert } from '../errors.ts'
import type { Id } from '../ids/id.ts'
import type { SparseRow } from '../matrix/sparse-matrix.ts'
import type { MemoryState } from './memory-state.ts'
import { DuplicateIndex } from './table/duplicate-index.ts'
import { EvictionQueue } from './table/eviction-queue.ts'
import { ExpiryQueue } from './table/expiry-queue.ts'
import type { StoredMemory } from './table/memory-table.ts'
import type { RoutingTree } from './tree/routing-tree.ts'

/** What a new memory brings. */
export type NewMemory = Pick<
  StoredMemory,
  'id' | 'value' | 'text' | 'namespace' | 'metadata' | 'createdAt' | 'expiresAt'
>

/** Changes to what is no part of the key. */
export type Changes = Partial<
  Pick<StoredMemory, 'value' | 'metadata' | 'createdAt' | 'expiresAt' | 'reward' | 'rewards'>
>

/** What rewards have said of a memory. */
export type RewardRecord = Pick<StoredMemory, 'reward' | 'rewards'> & Partial<Pick<StoredMemory, 'learnedAs'>>

const unrewarded: RewardRecord = { reward: 0, rewards: 0 }

export class MemoryWriter {
  readonly #state: MemoryState
  readonly #evictions: EvictionQueue | undefined
  readonly #duplicates: DuplicateIndex | undefined
  readonly #expiries: ExpiryQueue

  constructor(state: MemoryState) {
    const { table, settings } = state
    this.#state = state
    this.#evictions = settings.capacity > 0 ? new EvictionQueue(table, settings.capacity) : undefined
    this.#expiries = new ExpiryQueue(table)
    this.#duplicates = settings.duplicates === 'merge' ? new DuplicateIndex(table) : undefined
  }

  /** The slot of a memory with this key and value, where such are merged. */
  twinOf(key: SparseRow, value: string, namespace: string | undefined): number | undefined {
    return this.#duplicates?.find(key, value, namespace)
  }

  /** Adds a memory; when full, evicts the lowest-ranked one. */
  add(given: NewMemory, key: SparseRow, { learnedAs, reward, rewards }: RewardRecord = unrewarded): void {
    const { table, settings } = this.#state
    const least = table.count >= settings.capacity ? this.#evictions?.least : undefined
    const evicted = least === undefined ? undefined : table.at(least).id
    const born = ++this.#state.time
    const { id, value, text, namespace, metadata, createdAt, expiresAt } = given
    const touched = born
    // All fields, in the order of writtenOut.
    const own = {
      id,
      value,
      learnedAs,
      text,
      namespace,
      metadata,
      createdAt,
      expiresAt,
      born,
      touched,
      reward,
      rewards,
    }
    this.#put(own, key)
    if (evicted !== undefined) this.#drop(evicted)
  }

  /** Forgets what has expired. */
  purge(now: number): void {
    for (let id = this.#expiries.expired(now); id !== undefined; id = this.#expiries.expired(now)) this.forget(id)
  }

  /** Changes what is no part of the key; what was learned stays. */
  change(slot: number, changes: Changes): void {
    this.#state.time++
    this.#duplicates?.remove(slot)
    const { value, learnedAs } = this.#state.table.at(slot)
    const isOther = changes.value !== undefined && changes.value !== value
    this.#state.table.replace(slot, { ...changes, ...(isOther && { learnedAs: learnedAs ?? value }) })
    this.#duplicates?.add(slot)
    this.#expiries.changed(slot)
    if (changes.rewards !== undefined) this.#evictions?.changed(slot)
  }

  /** The memory is as fresh as a new one. */
  renew(slot: number, changes: Changes): void {
    this.#state.table.replace(slot, { ...changes, touched: ++this.#state.time })
    this.#expiries.changed(slot)
    this.#evictions?.changed(slot)
  }

  credit(slot: number, reward: number): void {
    const { table } = this.#state
    const before = table.at(slot)
    table.replace(slot, {
      // A reward of 1 makes it as fresh as new; a reward of 0 does not.
      touched: before.touched + reward * (++this.#state.time - before.touched),
      reward: before.reward + reward,
      rewards: before.rewards + 1,
    })
    this.#evictions?.changed(slot)
  }

  forget(id: Id): void {
    this.#state.time++
    this.#drop(id)
  }

  /** REROUTE of some random memories of each tree. */
  reroute(times: number = this.#state.settings.reroutes): void {
    const { trees, random, table } = this.#state
    if (table.count < 2 || trees.length === 0) return
    for (let i = 0; i < times; i++) for (const tree of trees) tree.reroute(random.below(table.count))
  }

  /** INSERT in every tree. If one runs out of memory, it is in none. */
  #put(memory: StoredMemory, key: SparseRow): void {
    const { table, trees, index, reader } = this.#state
    const slot = table.count
    table.add(memory, key)
    const holding: RoutingTree[] = []
    let indexed = false
    try {
      assert(reader.shape !== undefined, 'a memory was added before its kind of keys was known')
      index?.add(slot, reader.shape)
      indexed = true
      for (const tree of trees) {
        tree.insert(slot)
        holding.push(tree)
      }
      this.reroute()
    } catch (error) {
      if (indexed) index?.remove(slot)
      for (const tree of holding) tree.remove(slot)
      table.remove(slot)
      throw error
    }
    this.#evictions?.add(slot)
    this.#duplicates?.add(slot)
    this.#expiries.changed(slot)
  }

  #drop(id: Id): void {
    const { table, trees, index } = this.#state
    const slot = table.slotOf(id)
    if (slot === undefined) return
    const last = table.count - 1
    this.#evictions?.remove(slot)
    this.#duplicates?.remove(slot)
    this.#expiries.remove(slot)
    index?.remove(slot)
    for (const tree of trees) tree.remove(slot)
    table.remove(slot)
    if (slot === last) return
    this.#evictions?.rename(last, slot)
    this.#expiries.rename(last, slot)
    index?.rename(last, slot)
    for (const tree of trees) tree.rename(last, slot)
  }
}
