// What a query gives, and what a reward is given for. All of it is plain data: a hit may travel as JSON and come back.

import { refusePromise } from '../callback-answers.ts'
import { EngineError, shown } from '../errors.ts'
import type { Id } from '../ids/id.ts'
import { checkObject, checkRange, checkWhole, checkWord, fillOptions, optionTable, refuse } from '../options.ts'
import type { Json, JsonObject } from '../store/json.ts'
import type { MemoryKey } from './memory-key.ts'
import type { Side } from './tree/tree-node.ts'

/** Where a query left its path to explore: a random side, or random memories of a leaf. */
export interface Exploration {
  readonly tree: number
  readonly node: number
  readonly side: Side | 'leaf'
}

/** The query that a hit answers. */
export interface AskedQuery {
  readonly key: MemoryKey
  /** Absent if the query did not explore. */
  readonly explored?: Exploration
}

/** A memory that a query found. */
export interface Hit<Value = Json> {
  readonly id: Id
  readonly value: Value
  /** The text that the memory was inserted with; absent if its key was not a text. */
  readonly text?: string
  /** Absent if the memory has none. */
  readonly namespace?: string
  /** Absent if the memory has none. */
  readonly metadata?: JsonObject
  /** When the memory was inserted, in milliseconds since 1970. */
  readonly createdAt: number
  /** The mean of the memory's rewards so far; null if there was none. */
  readonly reward: number | null
  readonly rewards: number
  /** The expected reward, from 0 to 1; see docs/memory.md. */
  readonly score: number
  /**
   * From 0 to 1: how much of what is near has the same value, the memory itself left out. Rewards teach how much it counts. null for
   * memories that are not among the 16 nearest: these rank by similarity alone.
   */
  readonly support: number | null
  /** ‖x − z‖ between the keys, both of length 1: from 0 to 2. */
  readonly distance: number
  readonly query: AskedQuery
}

/** The parts of a hit that `update` needs. Without `support`, it is computed anew. */
export type Rewarded = Pick<Hit, 'id' | 'query'> & Partial<Pick<Hit, 'support'>>

/** Which memories a query may return. */
export type MemoryFilter<Value = Json> =
  | ReadonlySet<Id>
  | readonly Id[]
  | ((value: Value, id: Id, metadata: JsonObject | undefined) => boolean)

/** Options of `MemoryTree.query`. */
export interface MemoryQueryOptions<Value = Json> {
  /** How many memories at most, best first; 'all' for all that pass. Default 10. */
  readonly k?: number | 'all'
  /** The probability that the query explores, to learn from the reward: ε in the paper. Default 0. */
  readonly explore?: number
  /** Extra leaves to search in each tree: those about which its routers were least certain. Default 2; 0 is the paper's single path. */
  readonly probes?: number
  /** Only memories with this score or more. Default 0. */
  readonly minScore?: number
  /** Only memories that were inserted with this namespace. Without one, only those without one. */
  readonly namespace?: string
  /** Only these memories: a set or list of their ids, or a function that returns false to skip one. Finds `k` memories if `k` pass. */
  readonly filter?: MemoryFilter<Value>
}

/** The defaults of `MemoryQueryOptions`. */
export const queryDefaults: Required<Omit<MemoryQueryOptions, 'filter' | 'namespace'>> = Object.freeze({
  k: 10,
  explore: 0,
  probes: 2,
  minScore: 0,
})

/** Every option of a query, checked. */
export type QuerySettings = typeof queryDefaults & {
  readonly namespace?: string
  readonly filter?: ReadonlySet<Id> | ((value: Json, id: Id, metadata: JsonObject | undefined) => boolean)
}

const scopeOptions = optionTable<Pick<MemoryQueryOptions, 'filter' | 'namespace'>>({
  namespace: checkNamespace,
  filter: checkMemoryFilter,
})

export function checkNamespace(name: string, value: unknown): void {
  if (typeof value !== 'string' || value === '') refuse(name, value, 'a string that is not empty')
}

export function checkMemoryFilter(name: string, value: unknown): void {
  if (typeof value === 'function') return
  const isIds = Array.isArray(value) || value instanceof Set
  if (!isIds) refuse(name, value, 'a Set or list of ids, or a function of value, id and metadata')
  for (const id of value) {
    if (typeof id !== 'string' && !Number.isFinite(id)) refuse(`an id of ${name}`, id, 'a string or a finite number')
  }
}

export function resolveQuery(given: MemoryQueryOptions): QuerySettings {
  // An interface has no index signature; its fields are options by name all the same.
  const filled = fillOptions(queryDefaults, given as Readonly<Record<string, unknown>>, scopeOptions)
  const { namespace, filter } = given
  const isCount = Number.isInteger(filled.k) && Number(filled.k) >= 1 && Number(filled.k) <= 2 ** 32
  if (filled.k !== 'all' && !isCount) refuse('k', filled.k, "a whole number from 1 to 4294967296, or 'all'")
  checkWhole('probes', filled.probes, 0, 1000)
  checkRange('explore', filled.explore, 1)
  checkRange('minScore', filled.minScore, 1)
  if (namespace === undefined && !filter) return filled
  return {
    ...filled,
    ...(namespace !== undefined && { namespace }),
    ...(filter && {
      filter: Array.isArray(filter) ? new Set(filter) : (filter as Exclude<typeof filter, readonly Id[]>),
    }), // no list
  }
}

/** Hits may have travelled as JSON. */
export function checkRewarded(hit: Rewarded, what = 'update()'): void {
  if (hit?.query?.key === undefined) {
    throw new EngineError('INVALID_OPTION', `${what} needs a hit from query()`, {
      hint: 'Give one of the hits that query() returned, or { id, query: { key } }.',
    })
  }
  if (hit.support !== undefined && hit.support !== null) checkRange('the support of the hit', hit.support, 1)
  const { explored } = hit.query
  if (explored === undefined || explored === null) return
  checkObject('the explored place', explored, 'an object with tree, node and side')
  checkWhole('the explored tree', explored.tree, 0, Number.MAX_SAFE_INTEGER)
  checkWhole('the explored node', explored.node, 0, Number.MAX_SAFE_INTEGER)
  checkWord('the explored side', explored.side, ['left', 'right', 'leaf'])
}

export function checkReward(reward: number): number {
  if (typeof reward === 'number' && reward >= 0 && reward <= 1) return reward
  refusePromise(reward, 'reward', 'Await the rewards first, and give them as numbers.')
  throw new EngineError('INVALID_OPTION', `reward is ${shown(reward)}, expected a number from 0 to 1`)
}
