// Lists stored memories without a query: those of a namespace that pass a filter, in some order, page by page.

import { checkWhole, checkWord, fillOptions, optionTable } from '../options.ts'
import type { Json } from '../store/json.ts'
import { checkMemoryFilter, checkNamespace, type MemoryFilter } from './memory-query.ts'
import type { MemoryState } from './memory-state.ts'
import { Passing } from './retrieval/passing.ts'

const orders = ['newest', 'oldest', 'reward'] as const

/** Which memories `MemoryTree.count` counts. */
export interface MemoryCountOptions<Value = Json> {
  /** Only memories that were inserted with this namespace; null: only those without one. Default: those of all namespaces. */
  readonly namespace?: string | null
  /** Only these memories: a set or list of their ids, or a function that returns false to skip one. */
  readonly filter?: MemoryFilter<Value>
}

/** How many memories a namespace has. */
export interface NamespaceCount {
  /** Absent for those that were inserted without one. */
  readonly namespace?: string
  readonly count: number
}

/** Which memories `MemoryTree.list` returns. */
export interface MemoryListOptions<Value = Json> extends MemoryCountOptions<Value> {
  /** 'newest' (default) or 'oldest' first, by `createdAt`; or 'reward', the best mean reward first. */
  readonly order?: (typeof orders)[number]
  /** How many at most. Default 100. */
  readonly limit?: number
  /** How many to skip first. Default 0. */
  readonly offset?: number
}

const listDefaults = Object.freeze({ order: 'newest' as (typeof orders)[number], limit: 100, offset: 0 })
const scopeOptions = optionTable<MemoryCountOptions>({
  namespace: (name, value) => value === null || checkNamespace(name, value),
  filter: checkMemoryFilter,
})

/** The slots of a page. */
export function listSlots(state: MemoryState, given: MemoryListOptions, readValue: (slot: number) => Json): number[] {
  // An interface has no index signature, but its fields are options by name.
  const options = fillOptions(listDefaults, given as Readonly<Record<string, unknown>>, scopeOptions)
  const { order, limit, offset } = options
  checkWord('order', order, orders)
  checkWhole('limit', limit, 1, 2 ** 32)
  checkWhole('offset', offset, 0, 2 ** 32)
  const { table } = state
  const slots = passingSlots(state, given, readValue)
  const mean = (slot: number) => {
    const { reward, rewards } = table.at(slot)
    return rewards === 0 ? -1 : reward / rewards
  }
  const later = (a: number, b: number) => {
    const [one, other] = [table.at(a), table.at(b)]
    return other.createdAt - one.createdAt || other.born - one.born
  }
  const compare = { newest: later, oldest: (a: number, b: number) => later(b, a), reward: byMean }
  function byMean(a: number, b: number): number {
    return mean(b) - mean(a) || later(a, b)
  }
  return slots.sort(compare[order]).slice(offset, offset + limit)
}

export function countMemories(
  state: MemoryState,
  given: MemoryCountOptions,
  readValue: (slot: number) => Json,
): number {
  fillOptions({}, given as Readonly<Record<string, unknown>>, scopeOptions)
  return passingSlots(state, given, readValue).length
}

/** The namespaces with memories, and how many each has that have not expired; largest first. */
export function countNamespaces({ table, now }: MemoryState): NamespaceCount[] {
  const passing = new Passing(table, { now: now(), anyNamespace: true }, () => null)
  const counts = new Map<string | undefined, number>()
  for (let slot = 0; slot < table.count; slot++) {
    const { namespace } = table.at(slot)
    if (passing.has(slot)) counts.set(namespace, (counts.get(namespace) ?? 0) + 1)
  }
  const byName = (a: string | undefined, b: string | undefined) => ((a ?? '') < (b ?? '') ? -1 : 1)
  return [...counts]
    .map(([namespace, count]) => (namespace === undefined ? { count } : { namespace, count }))
    .sort((a, b) => b.count - a.count || byName(a.namespace, b.namespace))
}

function passingSlots(
  state: MemoryState,
  { namespace, filter }: MemoryCountOptions,
  readValue: (slot: number) => Json,
): number[] {
  const { table, now } = state
  const scope = {
    ...{ now: now(), anyNamespace: namespace === undefined },
    ...(typeof namespace === 'string' && { namespace }),
    ...(filter && {
      filter: Array.isArray(filter) ? new Set(filter) : (filter as Exclude<typeof filter, readonly unknown[]>),
    }), // no list
  }
  const passing = new Passing(table, scope, readValue)
  return passing.few() ?? Array.from({ length: table.count }, (_, slot) => slot).filter(slot => passing.has(slot))
}
