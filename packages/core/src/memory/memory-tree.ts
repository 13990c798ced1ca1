// The contextual memory (paper 002): memories are stored, found, rewarded and forgotten online, each in time that grows with the
// logarithm of their number. INSERT, QUERY, UPDATE and REMOVE are the methods of these names. One scorer serves all leaves; with
// more than one tree, all hold the same memories, and a query looks into a leaf of each.
// Everything that changes the memory, and all that is drawn at random, follows from the seed and the calls alone.

import { EngineError } from '../errors.ts'
import { defaultEngine } from '../kernels/engine.ts'
import type { SparseRow } from '../matrix/sparse-matrix.ts'
import { checkNames, checkWhole, checkWord } from '../options.ts'
import { Random } from '../random.ts'
import type { Id } from '../search/neighbor.ts'
import type { AtomicWriteOptions } from '../store/atomic-file.ts'
import type { ModelContents } from '../store/header.ts'
import type { Json } from '../store/json.ts'
import { readModel } from '../store/read-model.ts'
import { writeModel } from '../store/write-model.ts'
import { Claims } from './claims.ts'
import type { Learner } from './learner.ts'
import { checkMemory, type MemoryFacts, memoryFacts } from './memory-check.ts'
import { packMemory, unpackMemory } from './memory-contents.ts'
import { type MemoryKey, plainKey } from './memory-key.ts'
import { type MemoryOptions, type MemoryPlace, type MemorySettings, resolveMemoryOptions } from './memory-options.ts'
import {
  type Exploration,
  type Hit,
  type MemoryQueryOptions,
  type QuerySettings,
  type Rewarded,
  resolveQuery,
} from './memory-query.ts'
import { freeState, type MemoryState, newState } from './memory-state.ts'
import type { StoredMemory } from './memory-table.ts'
import { explore, Retrieval } from './retrieval.ts'
import type { RoutingTree } from './routing-tree.ts'
import { isLeaf } from './tree-node.ts'
import { Twins } from './twins.ts'
import { valueJson } from './value-json.ts'

export interface InsertOptions {
  /** The caller's key of the memory. Default: the next number. */
  readonly id?: Id
}

export interface LearnOptions {
  /** A memory that is not looked at: the one that the key itself belongs to. */
  readonly except?: Id
}

/** A memory as it is stored. */
export interface Memory {
  readonly id: Id
  /** The text as it was given, or the key scaled to length 1. */
  readonly key: string | SparseRow
  readonly value: Json
  /** The mean of its rewards; null where there was none. */
  readonly reward: number | null
  readonly rewards: number
}

/** Where a stored memory goes, and what its file cannot hold. */
interface StoredPlace extends MemoryPlace {
  /** The learner, where it is one of your own. */
  readonly learner?: Learner
}

/** How many of the best memories a supervised step teaches the scorer with. */
const taught = 5

export class MemoryTree {
  readonly #state: MemoryState
  readonly #retrieval: Retrieval
  readonly #claims: Claims | undefined
  readonly #twins: Twins | undefined
  /** Whether callers' functions may be running, and may ask, or nobody may. */
  #busy: 'asking' | 'changing' | undefined
  #changes = 0

  private constructor(state: MemoryState) {
    const { capacity, duplicates } = state.settings
    this.#state = state
    this.#retrieval = new Retrieval(state)
    this.#claims = capacity > 0 ? new Claims(state.table, capacity) : undefined
    this.#twins = duplicates === 'merge' ? new Twins(state.table) : undefined
  }

  /** A memory with nothing in it. */
  static create(options: MemoryOptions & MemoryPlace = {}): MemoryTree {
    return new MemoryTree(newState(options.engine ?? defaultEngine(), resolveMemoryOptions(options)))
  }

  /** The memory whose `contents()` these were; a learner of one's own has to be given again. */
  static fromContents(
    contents: ModelContents,
    { engine = defaultEngine(), name = 'the memory', learner }: StoredPlace & { readonly name?: string } = {},
  ): MemoryTree {
    return new MemoryTree(unpackMemory(contents, engine, name, learner))
  }

  static async load(path: string, place: StoredPlace = {}): Promise<MemoryTree> {
    return MemoryTree.fromContents(await readModel(path), { ...place, name: path })
  }

  /** How many memories there are. */
  get size(): number {
    return this.#state.table.count
  }

  /** Every option, defaults filled in. */
  get options(): MemorySettings {
    return this.#state.settings
  }

  /** Changes begun so far: tells who logs calls whether one that failed has left its traces. */
  get changes(): number {
    return this.#changes
  }

  /** Queries and supervised steps so far that might explore. To be set by who replays recorded calls: all that is drawn follows. */
  get explorations(): number {
    return this.#state.explorations
  }

  set explorations(count: number) {
    checkWhole('explorations', count, 0, Number.MAX_SAFE_INTEGER)
    this.#state.explorations = count
  }

  /** INSERT: stores a memory and returns its id. `value` is anything that JSON can hold. */
  insert(key: MemoryKey, value: Json, options: InsertOptions = {}): Id {
    const { reader, table, settings } = this.#state
    checkNames(options, ['id'])
    const row = reader.read(key)
    const json = valueJson(value)
    const twin = this.#twins?.find(row, json)
    if (twin !== undefined) return this.#renew(twin, options)
    const id = table.checkId(options.id)
    const text = typeof key === 'string' ? key : undefined
    return this.#change(() => {
      reader.settle(key)
      const least = this.#claims && this.size >= settings.capacity ? table.at(this.#claims.least).id : undefined
      const born = ++this.#state.time
      this.#add({ id, value: json, text, born, touched: born, reward: 0, rewards: 0 }, row)
      if (least !== undefined) this.#forget(least)
      return id
    })
  }

  /** QUERY: the best memories for a key, best first, ties in the order they came. */
  query(key: MemoryKey, options: MemoryQueryOptions = {}): Hit[] {
    const settings = resolveQuery(options)
    const row = this.#state.reader.read(key)
    if (this.size === 0) return []
    return this.#ask(() => {
      const random = settings.explore > 0 ? this.#explorer() : undefined
      if (random) this.#state.explorations++
      if (random && random.float() < settings.explore) return this.#explore(key, row, settings, random)
      const ranked = this.#retrieval.ranked(row, this.#retrieval.near(row, settings.probes), settings)
      return this.#retrieval.hits({ key: plainKey(key) }, row, ranked, settings)
    })
  }

  /**
   * UPDATE: a reward from 0 to 1 for a hit. Where its query had explored a side, the router there learns; else, or where that
   * node is gone by now, the scorer does.
   */
  update(hit: Rewarded, reward: number): void {
    const slot = this.#slotOf(hit)
    checkReward(reward)
    const row = this.#state.reader.read(hit.query.key)
    const { explored } = hit.query
    if (explored) checkExploration(explored)
    const tree = explored && this.#state.trees[explored.tree]
    const node = explored && tree?.nodeOf(explored.node)
    this.#change(() => {
      if (tree && node && !isLeaf(node) && explored.side !== 'leaf') {
        tree.rewardSide(node, this.#retrieval.lay(row), explored.side, reward)
      } else {
        this.#retrieval.teach(row, slot, reward)
      }
      this.#credit(slot, reward)
      this.#reroute()
    })
  }

  /**
   * A supervised step, where the reward of any memory is known: in each tree QUERY explores with certainty and UPDATE teaches the
   * router, then the scorer learns from the best memories that were found.
   */
  learn(key: MemoryKey, rewardOf: (value: Json, id: Id) => number, options: LearnOptions = {}): void {
    const { table, trees, reader } = this.#state
    checkNames(options, ['except'])
    const row = reader.read(key)
    if (this.size === 0) return
    const except = options.except === undefined ? undefined : table.slotOf(options.except)
    const random = this.#explorer()
    const bestOf = (slots: readonly number[], count: number) =>
      this.#retrieval
        .ranked(
          row,
          slots.filter(slot => slot !== except),
          { k: count },
        )
        .map(({ slot }) => ({ slot, reward: checkReward(rewardOf(this.#retrieval.valueOf(slot), table.at(slot).id)) }))
    // Every reward is asked for before anything is learned: one that is refused changes nothing.
    const { drawn, sides, best } = this.#ask(() => {
      const drawn = trees.map(tree => explore(tree, this.#retrieval.lay(row), random))
      const sides = drawn.map(({ explored, leaf }) =>
        explored.side === 'leaf' ? 0 : (bestOf(leaf.memories, 1)[0]?.reward ?? 0),
      )
      return { drawn, sides, best: bestOf(this.#retrieval.near(row, 0), taught) }
    })
    this.#change(() => {
      this.#state.explorations++
      const asked = this.#retrieval.lay(row)
      drawn.forEach(({ explored: { node: number, side } }, i) => {
        const node = trees[i].nodeOf(number)
        if (side !== 'leaf' && node && !isLeaf(node)) trees[i].rewardSide(node, asked, side, sides[i])
      })
      for (const { slot, reward } of best) {
        this.#retrieval.teach(row, slot, reward)
        this.#credit(slot, reward)
      }
      this.#reroute()
    })
  }

  /** REMOVE: forgets a memory, at once; false where there is none with this id. */
  remove(id: Id): boolean {
    if (this.#state.table.slotOf(id) === undefined) return false
    this.#change(() => {
      this.#state.time++
      this.#forget(id)
    })
    return true
  }

  /** REROUTE, so many times in each tree: more stored keys are found again. Default: the option's `reroutes`. */
  reroute(times: number = this.#state.settings.reroutes): void {
    checkWhole('times', times, 0, 2 ** 32)
    this.#change(() => this.#reroute(times))
  }

  get(id: Id): Memory | undefined {
    const slot = this.#state.table.slotOf(id)
    return slot === undefined ? undefined : this.#memory(slot)
  }

  /** All memories, in no order that means anything. */
  *memories(): Generator<Memory> {
    for (let slot = 0; slot < this.size; slot++) yield this.#memory(slot)
  }

  /** What the trees look like: depth, leaves, bytes. */
  facts(): MemoryFacts {
    return memoryFacts(this.#state)
  }

  /** Looks whether all parts agree: the faults, none where all is well. */
  check(): string[] {
    return checkMemory(this.#state)
  }

  /** Everything a model file needs. */
  contents(): ModelContents {
    return packMemory(this.#state)
  }

  async save(path: string, options: AtomicWriteOptions = {}): Promise<void> {
    await writeModel(path, this.contents(), options)
  }

  /** Gives the arena memory back; the memory must not be used afterwards. */
  free(): void {
    this.#retrieval.free()
    freeState(this.#state)
  }

  /** Callers' functions run meanwhile, which may ask themselves. */
  #ask<T>(work: () => T): T {
    const before = this.#busy
    if (before === 'changing') throw calledWithin()
    this.#busy = 'asking'
    try {
      return work()
    } finally {
      this.#busy = before
    }
  }

  /** What was found a moment ago must still be there, and a log has changes one after the other. */
  #change<T>(work: () => T): T {
    if (this.#busy) throw calledWithin()
    this.#busy = 'changing'
    this.#changes++
    try {
      return work()
    } finally {
      this.#busy = undefined
    }
  }

  #reroute(times: number = this.#state.settings.reroutes): void {
    const { trees, random } = this.#state
    if (this.size < 2) return
    for (let i = 0; i < times; i++) for (const tree of trees) tree.reroute(random.below(this.size))
  }

  /** A generator for the next query: what it draws depends on the seed and on how many there were before, and on nothing else. */
  #explorer(): Random {
    return new Random(this.#state.settings.seed, this.#state.explorations + 1)
  }

  /** Lines 6 to 13 of QUERY, in a tree that is drawn too. */
  #explore(key: MemoryKey, row: SparseRow, settings: QuerySettings, random: Random): Hit[] {
    const { trees } = this.#state
    const tree = random.below(trees.length)
    const { explored, leaf } = explore(trees[tree], this.#retrieval.lay(row), random)
    // Of a leaf memories are drawn, of all of them.
    const isLeafDraw = explored.side === 'leaf'
    const ranked = this.#retrieval.ranked(row, leaf.memories, isLeafDraw ? { ...settings, k: 'all' } : settings)
    if (isLeafDraw) random.shuffle(ranked)
    return this.#retrieval.hits({ key: plainKey(key), explored: { tree, ...explored } }, row, ranked, settings)
  }

  /** Where a tree has no room for the memory, it is in none. */
  #add(memory: StoredMemory, row: SparseRow): void {
    const { table, trees } = this.#state
    const slot = table.count
    table.add(memory, row)
    const holding: RoutingTree[] = []
    try {
      for (const tree of trees) {
        tree.insert(slot)
        holding.push(tree)
      }
      this.#reroute()
    } catch (error) {
      for (const tree of holding) tree.remove(slot)
      table.remove(slot)
      throw error
    }
    this.#claims?.add(slot)
    this.#twins?.add(slot)
  }

  #renew(slot: number, { id }: InsertOptions): Id {
    const memory = this.#state.table.at(slot)
    if (id !== undefined && id !== memory.id) {
      throw new EngineError('BAD_DATA', `the memory ${JSON.stringify(memory.id)} has this key and value already`, {
        hint: 'Leave the id out to renew it, or create the memory with duplicates: keep.',
      })
    }
    this.#change(() => {
      memory.touched = ++this.#state.time
      this.#claims?.changed(slot)
    })
    return memory.id
  }

  #forget(id: Id): void {
    const { table, trees } = this.#state
    const slot = table.slotOf(id)
    if (slot === undefined) return
    const last = table.count - 1
    this.#claims?.remove(slot)
    this.#twins?.remove(slot)
    for (const tree of trees) tree.remove(slot)
    table.remove(slot)
    if (slot === last) return
    this.#claims?.rename(last, slot)
    for (const tree of trees) tree.rename(last, slot)
  }

  #credit(slot: number, reward: number): void {
    const memory = this.#state.table.at(slot)
    // As fresh as new by a reward of 1; what did not help does not stay for it.
    memory.touched += reward * (++this.#state.time - memory.touched)
    memory.reward += reward
    memory.rewards++
    this.#claims?.changed(slot)
  }

  #slotOf(hit: Rewarded): number {
    if (hit?.query?.key === undefined) {
      throw new EngineError('INVALID_OPTION', 'the reward is for no hit of a query', {
        hint: 'Give one of the hits that query() returned, or { id, query: { key } }.',
      })
    }
    const slot = this.#state.table.slotOf(hit.id)
    if (slot !== undefined) return slot
    throw new EngineError('UNKNOWN_NAME', `there is no memory with the id ${JSON.stringify(hit.id)}`, {
      hint: 'It was removed, or forgotten where there is a capacity.',
    })
  }

  #memory(slot: number): Memory {
    const { table } = this.#state
    const { id, text, reward, rewards } = table.at(slot)
    const value = this.#retrieval.valueOf(slot)
    return { id, key: text ?? table.keys.row(slot), value, reward: rewards === 0 ? null : reward / rewards, rewards }
  }
}

function calledWithin(): EngineError {
  return new EngineError('INVALID_OPTION', 'the memory was to change within one of its own calls', {
    hint: 'Filters, rewards and learners leave it as it is: note what to change, and change it afterwards.',
  })
}

/** Hits may have travelled as JSON. */
function checkExploration({ tree, node, side }: Exploration): void {
  checkWhole('the explored tree', tree, 0, Number.MAX_SAFE_INTEGER)
  checkWhole('the explored node', node, 0, Number.MAX_SAFE_INTEGER)
  checkWord('the explored side', side, ['left', 'right', 'leaf'])
}

function checkReward(reward: number): number {
  if (typeof reward === 'number' && reward >= 0 && reward <= 1) return reward
  throw new EngineError('INVALID_OPTION', `reward is ${reward}, expected a number from 0 to 1`)
}
