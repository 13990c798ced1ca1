// From a key to memories: the leaves it comes to, and the memories there in the order of the scorer.

import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import type { Random } from '../../random.ts'
import type { Json } from '../../store/json.ts'
import { crossedKey } from '../learning/crossed-key.ts'
import { wordsOfKey } from '../learning/key-parts.ts'
import type { KeyAt } from '../learning/linear-model.ts'
import type { AskedQuery, Exploration, Hit, QuerySettings } from '../memory-query.ts'
import type { MemoryState } from '../memory-state.ts'
import { nearLeaves } from '../tree/near-leaves.ts'
import type { RoutingTree, Step } from '../tree/routing-tree.ts'
import type { Leaf } from '../tree/tree-node.ts'
import { bestFirst } from './best-first.ts'
import { MemoryQueryBuffers } from './query-buffers.ts'
import type { Scored } from './rescore.ts'

/** A memory and the scorer's sum of it with the key. */
export interface Ranked {
  readonly slot: number
  readonly sum: number
}

/** Where exploring in a tree came to. */
export interface Explored {
  readonly explored: Omit<Exploration, 'tree'>
  readonly leaf: Leaf
}

/** What a feature adds to a sum, and how much of that was learned. */
interface SumPart {
  readonly feature: number
  readonly part: number
  readonly learned: number
}

/** What adds up to the scorer's log odds, beside support and intercept. */
interface SumParts {
  readonly cosine: number
  readonly shared: readonly SumPart[]
  readonly opinions: readonly Omit<SumPart, 'learned'>[]
}

/** While it is being filled. */
type Writable<T> = { -readonly [Name in keyof T]: T[Name] }

/** What a hit says about its memory. */
export type MemoryFacts = Omit<Hit, 'score' | 'support' | 'distance' | 'query'>

export class Retrieval {
  readonly #state: MemoryState
  readonly #buffers: MemoryQueryBuffers

  constructor(state: MemoryState) {
    this.#state = state
    this.#buffers = new MemoryQueryBuffers(state.engine, state.table.keys, state.reader)
  }

  /** The key for routers to read; it is theirs until the next call of any method. Callers' functions may make such calls. */
  lay(row: SparseRow): KeyAt {
    return this.#buffers.lay(row)
  }

  /** Memories in the leaf of each tree that the key comes to, and in those nearest to a tie; whether these are all leaves. */
  near(row: SparseRow, probes: number): { readonly slots: readonly number[]; readonly areAll: boolean } {
    const { trees } = this.#state
    const key = this.lay(row)
    const slots: number[] = []
    let areAll = true
    for (const tree of trees) {
      const leaves = nearLeaves(tree, key, probes)
      areAll &&= leaves.length <= probes
      for (const { memories } of leaves) for (const slot of memories) slots.push(slot)
    }
    return { slots: trees.length === 1 ? slots : [...new Set(slots)], areAll }
  }

  /** The best memories of a namespace by the index: the scorer's best, all but for rounding; if not `isExact`, most of them. */
  indexed(
    row: SparseRow,
    namespace: string | undefined,
    wanted: { readonly k: number; readonly isExact: boolean },
  ): readonly number[] {
    const { index, scorer } = this.#state
    this.lay(row)
    const weighted = { indices: row.indices, values: this.#buffers.weighted(scorer) }
    return index?.best(namespace, weighted, wanted, slots => this.#buffers.sums(slots, scorer)).slots ?? []
  }

  /** The best k of the memories in `slots`, best first, ties in insertion order. */
  ranked(row: SparseRow, slots: readonly number[], k: number | 'all' = 'all'): Ranked[] {
    const { table, scorer } = this.#state
    this.lay(row)
    const sums = this.#buffers.sums(slots, scorer)
    const most = k === 'all' ? slots.length : k
    const best = bestFirst(sums, most, (a, b) => table.bornOf(slots[a]) - table.bornOf(slots[b]))
    return best.map(i => ({ slot: slots[i], sum: sums[i] }))
  }

  /** The first k, as the caller sees them. */
  hits(query: AskedQuery, row: SparseRow, ranked: readonly Scored[], { k }: QuerySettings): Hit[] {
    const best = k === 'all' ? ranked : ranked.slice(0, k)
    this.lay(row)
    const cosines = this.#buffers.cosines(best.map(({ slot }) => slot))
    return best.map(({ slot, support, logit }, i) => {
      const hit = this.factsOf(slot) as Writable<Hit> // the rest is added here
      hit.score = this.#state.scorer.score(logit)
      hit.support = support
      hit.distance = Math.sqrt(Math.max(0, 2 - 2 * cosines[i]))
      hit.query = query
      return hit
    })
  }

  /** What the scorer thinks of values, given as JSON, for the key. */
  opinions(row: SparseRow, values: readonly string[]): number[] {
    const known = new Map<string, number>()
    for (const value of values) if (!known.has(value)) known.set(value, this.#opinion(row, value))
    return values.map(value => known.get(value) ?? 0)
  }

  /** The scorer learns that the memory, which had this support, was worth `reward` to the key. */
  teach(row: SparseRow, { slot, support }: Pick<Scored, 'slot' | 'support'>, reward: number): void {
    const { scorer, table } = this.#state
    this.lay(row)
    const words = this.#wordsOf(row)
    const crossed = this.#buffers.cross(crossedKey(words, table.topicOf(slot)))
    const crossedLength = words.values.reduce((length, value) => length + Math.abs(value), 0)
    const [plainSum] = this.#buffers.plainSums([slot])
    const [sum] = this.#buffers.learnedSums([slot], scorer)
    const [shared, pivot] = [this.#buffers.shared(slot), this.#buffers.pivotOf(slot)]
    scorer.learn({ sum, plainSum, support: support ?? 0, shared, pivot, crossed, crossedLength }, reward)
  }

  /** The scorer's log odds of one memory; of one that is not among the nearest, support is null. */
  logitOf(row: SparseRow, { slot, support }: Pick<Scored, 'slot' | 'support'>): number {
    const { scorer, table } = this.#state
    const [{ sum }] = this.ranked(row, [slot])
    const isHeard = support !== null && scorer.hasOpinions
    return scorer.logit({ sum, support: support ?? 0, opinion: isHeard ? this.#opinion(row, table.topicOf(slot)) : 0 })
  }

  /** The cosine of key and memory, and what each feature adds to the scorer's log odds. */
  partsOf(row: SparseRow, slot: number): SumParts {
    const { scorer, table } = this.#state
    const { slope } = scorer.factors
    this.lay(row)
    const [cosine] = this.#buffers.cosines([slot])
    const [weighted, plain] = [this.#buffers.weighted(scorer), this.#buffers.plain()]
    const pivot = slope * this.#buffers.pivotOf(slot)
    const key = table.keys.row(slot)
    const values = new Map(Array.from(key.indices, (feature, e) => [feature, key.values[e]]))
    const parts = Array.from(row.indices, (feature, e) => {
      const value = (values.get(feature) ?? 0) * pivot
      return { feature, part: value * weighted[e], learned: value * (weighted[e] - plain[e]) }
    })
    return {
      cosine,
      shared: parts.filter(({ feature }) => values.has(feature)),
      opinions: this.#opinionParts(row, table.topicOf(slot)),
    }
  }

  /** What a memory holds beside its key. Assigned, not spread: spreading took a quarter of a query's time. */
  factsOf(slot: number): MemoryFacts {
    const { id, text, namespace, metadata, createdAt, reward, rewards } = this.#state.table.at(slot)
    const facts = { id, value: this.valueOf(slot) } as Writable<MemoryFacts> // the rest follows
    if (text !== undefined) facts.text = text
    if (namespace !== undefined) facts.namespace = namespace
    if (metadata !== undefined) facts.metadata = JSON.parse(metadata)
    facts.createdAt = createdAt
    facts.reward = rewards === 0 ? null : reward / rewards
    facts.rewards = rewards
    return facts
  }

  valueOf(slot: number): Json {
    return JSON.parse(this.#state.table.at(slot).value)
  }

  /** What opinions are about: the words, if keys have words and a vector. */
  #wordsOf(row: SparseRow): SparseRow {
    return this.#state.reader.shape?.kind === 'hybrid' ? wordsOfKey(row) : row
  }

  #opinion(row: SparseRow, value: string): number {
    return this.#state.scorer.opinion(this.#buffers.cross(crossedKey(this.#wordsOf(row), value)))
  }

  #opinionParts(row: SparseRow, value: string): Omit<SumPart, 'learned'>[] {
    const parts = Array.from(row.indices, (feature, e) => {
      const one = { indices: row.indices.slice(e, e + 1), values: row.values.slice(e, e + 1) }
      return { feature, part: this.#opinion(one, value) }
    })
    return parts.filter(({ part }) => part !== 0)
  }
}

/** Lines 6 to 12 of QUERY: a node of the key's path is drawn, and there a side; or else the leaf. */
export function explore(tree: RoutingTree, key: KeyAt, random: Random): Explored {
  const steps: Step[] = []
  const leaf = tree.path(key, tree.root, steps)
  const step = steps[random.below(steps.length + 1)]
  if (!step) return { explored: { node: leaf.number, side: 'leaf' }, leaf }
  const side = random.below(2) === 0 ? 'left' : 'right'
  return { explored: { node: step.node.number, side }, leaf: tree.path(key, step.node[side]) }
}
