// The contextual memory (paper 002): memories are stored, found, rewarded and forgotten online, each in time that grows with the
// logarithm of their number. INSERT, QUERY, UPDATE and REMOVE are the methods of these names. One scorer serves all leaves; with
// more than one tree, all hold the same memories, and a query looks into a leaf of each.
// Everything that changes the memory, and all that is drawn at random, follows from the seed and the calls alone.

import type { Id } from '../ids/id.ts'
import { defaultEngine, type Engine, engineOf } from '../kernels/engine.ts'
import { type Holding, lend, lendInSteps, lendWhile } from '../kernels/owned.ts'
import { finish, inTurns, type Steps } from '../long-work.ts'
import { type SparseRow, sameRow } from '../matrix/sparse-matrix.ts'
import { checkFunction, checkOptions, checkWhole } from '../options.ts'
import { Random } from '../random.ts'
import { openFile } from '../store/files/model-file.ts'
import { checkContents, type ModelContents } from '../store/header.ts'
import type { Json } from '../store/json.ts'
import { type ModelBytes, openBytes } from '../store/open-model.ts'
import { Saveable } from '../store/saveable.ts'
import {
  type LearnOptions,
  learnOptions,
  type MemoryLoadOptions,
  memoryContentsOptions,
  memoryLoadOptions,
  type StoredPlace,
} from './call-options.ts'
import { explainHit, type HitExplanation } from './explain-hit.ts'
import { changesJson, givenMemory, newMemory, replacement } from './given-memory.ts'
import { askRewards, learnFromRewards } from './learning/supervised-step.ts'
import {
  countMemories,
  countNamespaces,
  listSlots,
  type MemoryCountOptions,
  type MemoryListOptions,
  type NamespaceCount,
} from './list-memories.ts'
import { freeId, isExpired, liveSlot, memoryAt, renewedId } from './live-memories.ts'
import { checkMemory, type MemoryStats, memoryFacts } from './memory-check.ts'
import { unpackMemory } from './memory-contents.ts'
import { type MemoryKey, plainKey } from './memory-key.ts'
import { type MemoryOptions, type MemoryPlace, type MemorySettings, resolveMemoryOptions } from './memory-options.ts'
import {
  checkReward,
  checkRewarded,
  type Hit,
  type MemoryQueryOptions,
  type QuerySettings,
  type Rewarded,
  resolveQuery,
} from './memory-query.ts'
import {
  checkChanges,
  checkIdOption,
  checkInsertOptions,
  checkNotPassed,
  checkSameNamespace,
  type InsertOptions,
  type Memory,
  type MemoryChanges,
  type MemoryUpsertOptions,
  rewardsOf,
} from './memory-record.ts'
import { type MemoryState, newState } from './memory-state.ts'
import { MemoryWriter } from './memory-writer.ts'
import { packMemory, packMemoryInSteps } from './pack-memory.ts'
import { ReentrancyGuard } from './reentrancy-guard.ts'
import { exploreMemories } from './retrieval/explore-memories.ts'
import { Retrieval } from './retrieval/retrieval.ts'
import { searchMemories, supportOf } from './retrieval/search-memories.ts'
import { slotsByAge } from './table/memory-table.ts'
import { isLeaf } from './tree/tree-node.ts'

/** A memory that learns from rewards which of its items help (contextual memory trees). */
export class MemoryTree<Value = Json> extends Saveable {
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

  /** Creates an empty memory. */
  static create<Value = Json>(options: MemoryOptions & MemoryPlace = {}): MemoryTree<Value> {
    const settings = resolveMemoryOptions(options)
    return lend(engineOf(options), 'MemoryTree', (lease, holding) => {
      return new MemoryTree<Value>(holding, newState(lease, settings, options.clock))
    })
  }

  /** Restores what `contents()` returned. Pass your own learner again if it had one. */
  static fromContents<Value = Json>(
    contents: ModelContents,
    options: StoredPlace & { readonly name?: string } = {},
  ): MemoryTree<Value> {
    checkOptions(options, memoryContentsOptions)
    checkContents(contents)
    const { engine = defaultEngine(), name = 'the memory', learner, clock } = options
    return lend(engine, 'MemoryTree', (lease, holding) => {
      return new MemoryTree<Value>(holding, finish(unpackMemory(contents, lease, name, { learner, clock })))
    })
  }

  /** Internal: the same in steps. If it is abandoned, it frees what it made. */
  static restoring<Value = Json>(
    contents: ModelContents,
    { engine, name, clock }: StoredPlace & { readonly engine: Engine; readonly name: string },
  ): Steps<MemoryTree<Value>> {
    return lendInSteps(engine, 'MemoryTree', function* (lease, holding) {
      return new MemoryTree<Value>(holding, yield* unpackMemory(contents, lease, name, { clock }))
    })
  }

  /** The same, while other code runs. */
  static #open<Value>(
    contents: ModelContents,
    { engine, name = 'the memory', signal, ...given }: MemoryLoadOptions & { engine: Engine; name?: string },
  ): Promise<MemoryTree<Value>> {
    return lendWhile(engine, 'MemoryTree', async (lease, holding) => {
      return new MemoryTree<Value>(holding, await inTurns(unpackMemory(contents, lease, name, given), { signal }))
    })
  }

  /** Reads a memory that `save` wrote. */
  static load<Value = Json>(path: string, options: MemoryLoadOptions = {}): Promise<MemoryTree<Value>> {
    return openFile(path, options, MemoryTree.#open<Value>, memoryLoadOptions)
  }

  /** Like `load`, from the bytes that `toBytes` returned. */
  static fromBytes<Value = Json>(bytes: ModelBytes, options: MemoryLoadOptions = {}): Promise<MemoryTree<Value>> {
    return openBytes(bytes, options, MemoryTree.#open<Value>, memoryLoadOptions)
  }

  /** Number of memories. */
  get size(): number {
    return this.#state.table.count
  }

  /** Every option, defaults filled in. */
  get options(): MemorySettings {
    return this.#state.settings
  }

  /** Number of changes started. Code that logs calls can tell whether a failed one changed anything. */
  get changes(): number {
    this.checkLive()
    return this.#calls.changes
  }

  /**
   * Number of queries and supervised steps so far that could explore. Set it when you replay recorded calls: all random draws follow from
   * it.
   */
  get explorations(): number {
    return this.#state.explorations
  }

  set explorations(count: number) {
    checkWhole('explorations', count, 0, Number.MAX_SAFE_INTEGER)
    this.#state.explorations = count
  }

  /** INSERT: stores a memory and returns its id. `value` is anything that JSON can hold. */
  insert(key: MemoryKey, value: Value, options: InsertOptions = {}): Id {
    const { reader, now } = this.#state
    checkInsertOptions(options)
    const given = givenMemory(key, value, options)
    const at = now()
    checkNotPassed(options.expiresAt, at)
    const row = reader.read(key)
    const twin = this.#writer.twinOf(row, given.value, options.namespace)
    if (twin !== undefined && !isExpired(this.#state, twin, at)) {
      const own = renewedId(this.#state, twin, options.id)
      const { changes } = replacement(this.#state.table.at(twin), given, options)
      this.#calls.change(() => this.#writer.renew(twin, changes))
      return own
    }
    const id = freeId(this.#state, options.id, at)
    this.#calls.change(() => {
      this.#writer.purge(at)
      reader.settle(key)
      this.#writer.add(newMemory(given, id, options.createdAt ?? at), row, rewardsOf(options))
    })
    return id
  }

  /**
   * Stores a memory under this id, or replaces the one that has it: its value, and metadata and `expiresAt` if they are given. Its
   * namespace, its rewards and when it was created stay.
   */
  upsert(key: MemoryKey, value: Value, options: MemoryUpsertOptions): Id {
    checkIdOption('id', options?.id)
    checkInsertOptions(options)
    const { table, reader, now } = this.#state
    const slot = table.slotOf(options.id)
    if (slot === undefined || isExpired(this.#state, slot, now())) return this.insert(key, value, options)
    checkNotPassed(options.expiresAt, now())
    const given = givenMemory(key, value, options)
    const old = { ...table.at(slot) }
    checkSameNamespace(options, old.namespace)
    const row = reader.read(key)
    const isSameKey = old.text === given.text && sameRow(table.keys.row(slot), row)
    const { changes, memory, learned } = replacement(old, given, options)
    this.#calls.change(() => {
      if (isSameKey) return this.#writer.change(slot, changes)
      this.#writer.forget(options.id)
      this.#writer.add(memory, row, learned)
    })
    return options.id
  }

  /** QUERY: the best memories for a key, best first; ties in insertion order. None for a key without features, such as "?". */
  query(key: MemoryKey, options: MemoryQueryOptions<Value> = {}): Hit<Value>[] {
    const settings = resolveQuery(options as MemoryQueryOptions) // values are what JSON made of a Value
    const row = this.#state.reader.readQuery(key)
    if (!row || this.size === 0) return []
    return this.#calls.ask(() => {
      const random = settings.explore > 0 ? this.#explorer() : undefined
      if (random) this.#state.explorations++
      if (random && random.float() < settings.explore) return this.#explore(key, row, settings, random)
      const ranked = searchMemories(this.#state, this.#retrieval, row, { ...settings, now: this.#state.now() })
      return this.#retrieval.hits({ key: plainKey(key) }, row, ranked, settings) as Hit<Value>[] // as above
    })
  }

  /**
   * UPDATE: a reward from 0 to 1 for a hit. Where its query had explored a side, the router there learns; else, or where that
   * node is gone by now, the scorer does.
   */
  update(hit: Rewarded, reward: number): void
  /** Changes the value, the metadata or the end of a memory. Its key, its rewards and what was learned stay. */
  update(id: Id, changes: MemoryChanges<Value>): void
  update(which: Rewarded | Id, what: number | MemoryChanges<Value>): void {
    const isId = typeof which === 'string' || typeof which === 'number'
    if (isId && typeof what !== 'number') this.#change(which, what)
    else this.#reward(which as Rewarded, what as number) // both are checked there
  }

  /**
   * A supervised step, for when you know the reward of any memory. In each tree, QUERY always explores and UPDATE teaches the router; then
   * the scorer learns from the best memories found.
   */
  learn(key: MemoryKey, rewardOf: (value: Value, id: Id) => number, options: LearnOptions = {}): void {
    const { table, reader } = this.#state
    checkOptions(options, learnOptions)
    checkFunction('rewardOf', rewardOf)
    const row = reader.read(key)
    if (this.size === 0) return
    const except = options.except === undefined ? undefined : table.slotOf(options.except)
    const asked = (slot: number) => checkReward(rewardOf(this.#retrieval.valueOf(slot) as Value, table.at(slot).id))
    const { namespace } = options
    const scope = { except, now: this.#state.now(), ...(namespace !== undefined && { namespace }) }
    const how = { random: this.#explorer(), rewardOf: asked, scope }
    // All rewards are asked for before anything is learned, so that a refused reward changes nothing.
    const step = this.#calls.ask(() => askRewards(this.#state, this.#retrieval, row, how))
    this.#calls.change(() => {
      this.#state.explorations++
      learnFromRewards(this.#state, this.#retrieval, row, step)
      for (const { slot, reward } of step.best) this.#writer.credit(slot, reward)
      this.#writer.reroute()
    })
  }

  /** REMOVE: forgets a memory. Returns false if the id is unknown. */
  remove(id: Id): boolean {
    if (this.#state.table.slotOf(id) === undefined) return false
    this.#calls.change(() => this.#writer.forget(id))
    return true
  }

  /** REROUTE, `times` times in each tree, so that queries find more of the stored keys. Default: the option's `reroutes`. */
  reroute(times: number = this.#state.settings.reroutes): void {
    this.checkLive()
    checkWhole('times', times, 0, 2 ** 32)
    this.#calls.change(() => this.#writer.reroute(times))
  }

  /** The memory with this id, or undefined. */
  get(id: Id): Memory<Value> | undefined {
    const { table, now } = this.#state
    const slot = table.slotOf(id)
    return slot === undefined || isExpired(this.#state, slot, now()) ? undefined : this.#memory(slot)
  }

  /** All memories, in insertion order. Do not change the memory while you loop. */
  *memories(): Generator<Memory<Value>> {
    const now = this.#state.now()
    for (const slot of slotsByAge(this.#state.table)) if (!isExpired(this.#state, slot, now)) yield this.#memory(slot)
  }

  /** Memories as they are stored: `limit` of them from `offset` on, newest first unless `order` says otherwise. */
  list(options: MemoryListOptions<Value> = {}): Memory<Value>[] {
    const read = (slot: number) => this.#retrieval.valueOf(slot)
    const slots = this.#calls.ask(() => listSlots(this.#state, options as MemoryListOptions, read)) // as in query
    return slots.map(slot => this.#memory(slot))
  }

  /** How many memories there are, of a namespace or of all, that have not expired and pass the filter. */
  count(options: MemoryCountOptions<Value> = {}): number {
    const read = (slot: number) => this.#retrieval.valueOf(slot)
    return this.#calls.ask(() => countMemories(this.#state, options as MemoryCountOptions, read)) // as in query
  }

  /** The namespaces that have memories, and how many of each have not expired: those with the most first. */
  namespaces(): NamespaceCount[] {
    return countNamespaces(this.#state)
  }

  /** Why a memory was a hit: what query and key share, what was learned, and its rewards. */
  explain(hit: Rewarded): HitExplanation {
    checkRewarded(hit, 'explain()')
    return explainHit(this.#state, this.#retrieval, hit)
  }

  /** Depth, leaves and bytes of the trees. */
  stats(): MemoryStats {
    return memoryFacts(this.#state)
  }

  /** Checks that all parts are consistent. Returns the problems found, or an empty list. */
  check(): string[] {
    return checkMemory(this.#state)
  }

  /** Everything a model file stores. */
  contents(): ModelContents {
    return packMemory(this.#state)
  }

  protected override contentSteps(): Steps<ModelContents> {
    return packMemoryInSteps(this.#state)
  }

  /** Waits for the forest that is grown in the background over many dense keys. Queries compare all keys until then. */
  async settled(): Promise<void> {
    await this.#state.index?.settled()
  }

  /** Frees the memory. Callbacks must not call it. */
  override free(): void {
    this.#calls.change(() => {
      this.#kept.index?.freeForests()
      super.free()
    })
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
  #explore(key: MemoryKey, row: SparseRow, settings: QuerySettings, random: Random): Hit<Value>[] {
    const { ranked, explored } = exploreMemories(this.#state, this.#retrieval, row, settings, random)
    const asked = { key: plainKey(key), ...(explored && { explored }) }
    return this.#retrieval.hits(asked, row, ranked, settings) as Hit<Value>[] // as in query
  }

  #reward(hit: Rewarded, reward: number): void {
    checkRewarded(hit)
    checkReward(reward)
    const slot = liveSlot(this.#state, hit.id)
    const row = this.#state.reader.read(hit.query.key)
    const { explored } = hit.query
    const tree = explored && this.#state.trees[explored.tree]
    const node = explored && tree?.nodeOf(explored.node)
    const support = supportOf(this.#state, this.#retrieval, hit, slot)
    this.#calls.change(() => {
      if (tree && node && !isLeaf(node) && explored.side !== 'leaf') {
        tree.rewardSide(node, this.#retrieval.lay(row), explored.side, reward)
      } else {
        this.#retrieval.teach(row, { slot, support }, reward)
      }
      this.#writer.credit(slot, reward)
      this.#writer.reroute()
    })
  }

  #change(id: Id, changes: MemoryChanges<Value>): void {
    checkChanges(changes)
    checkNotPassed(changes.expiresAt, this.#state.now())
    const slot = liveSlot(this.#state, id)
    const json = changesJson(changes)
    this.#calls.change(() => this.#writer.change(slot, json))
  }

  #memory(slot: number): Memory<Value> {
    return memoryAt(this.#state, this.#retrieval, slot) as Memory<Value> // as in query
  }
}
