// The contextual memory (paper 002): memories are stored, found, rewarded and forgotten online, each in time that grows with the
// logarithm of their number. INSERT, QUERY, UPDATE and REMOVE are the methods of these names. One scorer serves all leaves; with
// more than one tree, all hold the same memories, and a query looks into a leaf of each.
// Everything that changes the memory, and all that is drawn at random, follows from the seed and the calls alone.

import { EngineError, quoted } from '../errors.ts'
import type { Id } from '../ids/id.ts'
import { checkEngine, defaultEngine, engineOf } from '../kernels/engine.ts'
import { type Holding, lend } from '../kernels/owned.ts'
import type { SparseRow } from '../matrix/sparse-matrix.ts'
import { checkedLater, checkFunction, checkOptions, checkText, checkWhole, optionTable, refuse } from '../options.ts'
import { Random } from '../random.ts'
import { checkContents, type ModelContents } from '../store/header.ts'
import type { Json } from '../store/json.ts'
import { type ModelBytes, openBytes, openFile, Saveable } from '../store/saveable.ts'
import type { Learner } from './learning/learner.ts'
import { drawLesson, teachLesson } from './learning/supervised-step.ts'
import { checkMemory, type MemoryStats, memoryFacts } from './memory-check.ts'
import { packMemory, unpackMemory } from './memory-contents.ts'
import { type MemoryKey, plainKey } from './memory-key.ts'
import { type MemoryOptions, type MemoryPlace, type MemorySettings, resolveMemoryOptions } from './memory-options.ts'
import {
  checkNamespace,
  checkReward,
  checkRewarded,
  type Hit,
  type MemoryQueryOptions,
  type QuerySettings,
  type Rewarded,
  resolveQuery,
} from './memory-query.ts'
import { type MemoryState, newState } from './memory-state.ts'
import { MemoryWriter } from './memory-writer.ts'
import { ReentrancyGuard } from './reentrancy-guard.ts'
import { exploreMemories } from './retrieval/explore-memories.ts'
import { Retrieval } from './retrieval/retrieval.ts'
import { searchMemories } from './retrieval/search-memories.ts'
import { valueJson } from './table/value-json.ts'
import { isLeaf } from './tree/tree-node.ts'

/** Options of `MemoryTree.insert`. */
export interface InsertOptions {
  /** The caller's key of the memory. Default: the next number. */
  readonly id?: Id
  /** Whose memory it is: a user, an agent, a project. Only queries with the same namespace find it. Default: none. */
  readonly namespace?: string
}

/** Options of `MemoryTree.learn`. */
export interface LearnOptions {
  /** A memory that is not looked at: the one that the key itself belongs to. */
  readonly except?: Id
  /** Learn from the memories of this namespace only. Default: from those without one. */
  readonly namespace?: string
}

/** A memory as it is stored. */
export interface Memory {
  readonly id: Id
  /** The text as it was given, or the key scaled to length 1. */
  readonly key: string | SparseRow
  readonly value: Json
  /** Absent where it was inserted without one. */
  readonly namespace?: string
  /** The mean of its rewards; null where there was none. */
  readonly reward: number | null
  readonly rewards: number
}

/** Where a stored memory goes, and what its file cannot hold. */
interface StoredPlace extends MemoryPlace {
  /** The learner, where it is one of your own. */
  readonly learner?: Learner
}

const insertOptions = optionTable<InsertOptions>({ id: checkIdOption, namespace: checkNamespace })
const learnOptions = optionTable<LearnOptions>({ except: checkIdOption, namespace: checkNamespace })
const storedOptions = optionTable<StoredPlace>({ engine: checkEngine, learner: checkedLater })
const contentsOptions = optionTable<StoredPlace & { readonly name?: string }>({
  ...{ engine: checkEngine, learner: checkedLater, name: checkText },
})

function checkIdOption(name: string, value: unknown): void {
  if (typeof value !== 'string' && !Number.isFinite(value)) refuse(name, value, 'a string or a finite number')
}

/** A memory that learns from reward which of its items help: contextual memory trees. */
export class MemoryTree extends Saveable {
  readonly #kept: MemoryState
  readonly #retrieval: Retrieval
  readonly #writer: MemoryWriter
  readonly #calls = new ReentrancyGuard()

  private constructor(holding: Holding, state: MemoryState) {
    super(holding)
    this.#kept = state
    this.#retrieval = new Retrieval(state)
    this.#writer = new MemoryWriter(state)
  }

  /** A memory with nothing in it. */
  static create(options: MemoryOptions & MemoryPlace = {}): MemoryTree {
    const settings = resolveMemoryOptions(options)
    return lend(engineOf(options), 'MemoryTree', (lease, holding) => {
      return new MemoryTree(holding, newState(lease, settings))
    })
  }

  /** The memory whose `contents()` these were; a learner of one's own has to be given again. */
  static fromContents(contents: ModelContents, options: StoredPlace & { readonly name?: string } = {}): MemoryTree {
    checkOptions(options, contentsOptions)
    checkContents(contents)
    const { engine = defaultEngine(), name = 'the memory', learner } = options
    return lend(engine, 'MemoryTree', (lease, holding) => {
      return new MemoryTree(holding, unpackMemory(contents, lease, name, learner))
    })
  }

  /** Reads a memory that `save` wrote. */
  static load(path: string, place: StoredPlace = {}): Promise<MemoryTree> {
    return openFile(path, place, MemoryTree.fromContents, storedOptions)
  }

  /** The same from the bytes that `toBytes` gave. */
  static fromBytes(bytes: ModelBytes, place: StoredPlace = {}): Promise<MemoryTree> {
    return openBytes(bytes, place, MemoryTree.fromContents, storedOptions)
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
    this.checkLive()
    return this.#calls.changes
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
    const { reader, table } = this.#state
    checkOptions(options, insertOptions)
    const row = reader.read(key)
    const json = valueJson(value)
    const { namespace } = options
    const twin = this.#writer.twinOf(row, json, namespace)
    if (twin !== undefined) return this.#renew(twin, options)
    const id = table.checkId(options.id)
    const text = typeof key === 'string' ? key : undefined
    this.#calls.change(() => {
      reader.settle(key)
      this.#writer.add({ id, value: json, text, namespace }, row)
    })
    return id
  }

  /** QUERY: the best memories for a key, best first, ties in the order they came. */
  query(key: MemoryKey, options: MemoryQueryOptions = {}): Hit[] {
    const settings = resolveQuery(options)
    const row = this.#state.reader.read(key)
    if (this.size === 0) return []
    return this.#calls.ask(() => {
      const random = settings.explore > 0 ? this.#explorer() : undefined
      if (random) this.#state.explorations++
      if (random && random.float() < settings.explore) return this.#explore(key, row, settings, random)
      const ranked = searchMemories(this.#state, this.#retrieval, row, settings)
      return this.#retrieval.hits({ key: plainKey(key) }, row, ranked, settings)
    })
  }

  /**
   * UPDATE: a reward from 0 to 1 for a hit. Where its query had explored a side, the router there learns; else, or where that
   * node is gone by now, the scorer does.
   */
  update(hit: Rewarded, reward: number): void {
    checkRewarded(hit)
    checkReward(reward)
    const slot = this.#slotOf(hit.id)
    const row = this.#state.reader.read(hit.query.key)
    const { explored } = hit.query
    const tree = explored && this.#state.trees[explored.tree]
    const node = explored && tree?.nodeOf(explored.node)
    this.#calls.change(() => {
      if (tree && node && !isLeaf(node) && explored.side !== 'leaf') {
        tree.rewardSide(node, this.#retrieval.lay(row), explored.side, reward)
      } else {
        this.#retrieval.teach(row, slot, reward)
      }
      this.#writer.credit(slot, reward)
      this.#writer.reroute()
    })
  }

  /**
   * A supervised step, where the reward of any memory is known: in each tree QUERY explores with certainty and UPDATE teaches the
   * router, then the scorer learns from the best memories that were found.
   */
  learn(key: MemoryKey, rewardOf: (value: Json, id: Id) => number, options: LearnOptions = {}): void {
    const { table, reader } = this.#state
    checkOptions(options, learnOptions)
    checkFunction('rewardOf', rewardOf)
    const row = reader.read(key)
    if (this.size === 0) return
    const except = options.except === undefined ? undefined : table.slotOf(options.except)
    const asked = (slot: number) => checkReward(rewardOf(this.#retrieval.valueOf(slot), table.at(slot).id))
    const { namespace } = options
    const scope = { except, ...(namespace !== undefined && { namespace }) }
    const how = { random: this.#explorer(), rewardOf: asked, scope }
    // Every reward is asked for before anything is learned: one that is refused changes nothing.
    const lesson = this.#calls.ask(() => drawLesson(this.#state, this.#retrieval, row, how))
    this.#calls.change(() => {
      this.#state.explorations++
      teachLesson(this.#state, this.#retrieval, row, lesson)
      for (const { slot, reward } of lesson.best) this.#writer.credit(slot, reward)
      this.#writer.reroute()
    })
  }

  /** REMOVE: forgets a memory, at once; false where there is none with this id. */
  remove(id: Id): boolean {
    if (this.#state.table.slotOf(id) === undefined) return false
    this.#calls.change(() => this.#writer.forget(id))
    return true
  }

  /** REROUTE, so many times in each tree: more stored keys are found again. Default: the option's `reroutes`. */
  reroute(times: number = this.#state.settings.reroutes): void {
    this.checkLive()
    checkWhole('times', times, 0, 2 ** 32)
    this.#calls.change(() => this.#writer.reroute(times))
  }

  /** The memory with this id, or undefined. */
  get(id: Id): Memory | undefined {
    const slot = this.#state.table.slotOf(id)
    return slot === undefined ? undefined : this.#memory(slot)
  }

  /** All memories, in no order that means anything. */
  *memories(): Generator<Memory> {
    for (let slot = 0; slot < this.size; slot++) yield this.#memory(slot)
  }

  /** What the trees look like: depth, leaves, bytes. */
  stats(): MemoryStats {
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

  /** Not within one of its own calls: callbacks must not free the memory. */
  override free(): void {
    this.#calls.change(() => super.free())
  }

  get #state(): MemoryState {
    this.checkLive()
    return this.#kept
  }

  /** A generator for the next query: what it draws depends on the seed and on how many there were before, and on nothing else. */
  #explorer(): Random {
    return new Random(this.#state.settings.seed, this.#state.explorations + 1)
  }

  /** Lines 6 to 13 of QUERY, in a tree that is drawn too. */
  #explore(key: MemoryKey, row: SparseRow, settings: QuerySettings, random: Random): Hit[] {
    const { ranked, explored } = exploreMemories(this.#state, this.#retrieval, row, settings, random)
    return this.#retrieval.hits({ key: plainKey(key), ...(explored && { explored }) }, row, ranked, settings)
  }

  #renew(slot: number, { id }: InsertOptions): Id {
    const memory = this.#state.table.at(slot)
    if (id !== undefined && id !== memory.id) {
      throw new EngineError('BAD_DATA', `the memory ${JSON.stringify(memory.id)} has this key and value already`, {
        hint: 'Leave out the id to refresh that memory, or create the memory with duplicates: keep.',
      })
    }
    this.#calls.change(() => this.#writer.renew(slot))
    return memory.id
  }

  #slotOf(id: Id): number {
    const slot = this.#state.table.slotOf(id)
    if (slot !== undefined) return slot
    throw new EngineError('UNKNOWN_NAME', `there is no memory with the id ${quoted(id)}`, {
      hint: 'It was removed, or evicted because the memory was full.',
    })
  }

  #memory(slot: number): Memory {
    const { table } = this.#state
    const { id, text, namespace, reward, rewards } = table.at(slot)
    const value = this.#retrieval.valueOf(slot)
    const whose = namespace === undefined ? {} : { namespace }
    return {
      id,
      key: text ?? table.keys.row(slot),
      value,
      ...whose,
      reward: rewards === 0 ? null : reward / rewards,
      rewards,
    }
  }
}
