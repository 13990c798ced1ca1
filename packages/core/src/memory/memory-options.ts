// The options of a memory, their defaults and their checks.

import type { TextOptions } from '../data/text/text-options.ts'
import { checkEngine, type Engine } from '../kernels/engine.ts'
import {
  checkFunction,
  checkNumber,
  checkRange,
  checkWhole,
  checkWord,
  fillOptions,
  optionTable,
  refuse,
} from '../options.ts'
import { findLearner, type Learner } from './learning/learner.ts'
import type { Clock } from './memory-clock.ts'

/** Where a query's candidates come from. */
export const retrievals = ['both', 'tree', 'index'] as const

export const duplicateRules = ['keep', 'merge'] as const

/** Options of `MemoryTree.create`. */
export interface MemoryOptions {
  /**
   * Where a query's candidates come from: 'tree', the leaves that the key comes to, as in the paper; 'index', an index over all keys that
   * grows with the memory; 'both' (default). The scorer ranks them. 'tree' misses more the more memories there are; 'index' alone
   * has no routers to teach, and inserts fastest.
   */
  readonly retrieval?: (typeof retrievals)[number]
  /**
   * How much routers favor balanced sides over reward: α in the paper, from 0 to 1. Default 0.9. Below about
   * 0.5 trees become deep and lopsided, and everything slow; below about 0.2 leaves are not split: a query looks at all memories.
   */
  readonly balance?: number
  /** A leaf holds up to this many times log n memories: c in the paper, above 0. Default 4. Queries take longer with it. */
  readonly leafFactor?: number
  /** How many memories to reinsert after every insert and reward: d in the paper. Default 5. Higher values find more stored memories. */
  readonly reroutes?: number
  /**
   * Number of trees over the same memories, from 1 to 64; a query searches all. Default 1, as in the paper. Time and memory grow with it.
   * Trees differ only by reinserted memories: with `reroutes: 0`, all are the same until there are rewards.
   */
  readonly trees?: number
  /** How routers learn: 'logistic' (default), 'squared', or your own learner. */
  readonly learner?: string | Learner
  /** The step of the routers, above 0. Default 0.5. */
  readonly rate?: number
  /** Maximum number of memories. When full, evicts the lowest-ranked memory. Default 0: no limit. */
  readonly capacity?: number
  /** 'merge': inserting the key and value of an existing memory renews that one, with the metadata and the end that you give. Default 'keep': stores both. */
  readonly duplicates?: (typeof duplicateRules)[number]
  /** How texts become features, if keys are texts. Features are hashed, so `hashBits` is at least 1. */
  readonly text?: TextOptions
  /** Same seed and same calls give the same memory. Default 1. */
  readonly seed?: number
}

/** The defaults of `MemoryOptions`. */
export const memoryDefaults: Required<MemoryOptions> = Object.freeze({
  retrieval: 'both',
  balance: 0.9,
  leafFactor: 4,
  reroutes: 5,
  trees: 1,
  learner: 'logistic',
  rate: 0.5,
  capacity: 0,
  duplicates: 'keep',
  text: Object.freeze({}),
  seed: 1,
})

/** The engine and clock of a memory, which files do not store. */
export interface MemoryPlace {
  /** Default: the shared engine. */
  readonly engine?: Engine
  /** Tells the time, in milliseconds since 1970, for `createdAt` and `expiresAt`. Default `Date.now`. */
  readonly clock?: Clock
}

/** What is not stored. */
export const memoryPlace = optionTable<MemoryPlace>({ engine: checkEngine, clock: checkFunction })

/** All options, validated. */
export type MemorySettings = Required<MemoryOptions> & { readonly learner: Learner }

export function resolveMemoryOptions(options: MemoryOptions): MemorySettings {
  // The names are checked before the values.
  const filled = fillOptions(memoryDefaults, options as Readonly<Record<string, unknown>>, memoryPlace)
  const { learner, text } = filled
  checkRange('balance', filled.balance, 1)
  checkNumber('leafFactor', filled.leafFactor, value => value > 0 && value <= 1e6, 'a number above 0')
  checkNumber('rate', filled.rate, value => value > 0 && value <= 100, 'a number above 0 and at most 100')
  checkWhole('reroutes', filled.reroutes, 0, 1000)
  checkWhole('trees', filled.trees, 1, 64)
  checkWhole('capacity', filled.capacity, 0, 2 ** 32 - 1)
  checkWhole('seed', filled.seed, 0, Number.MAX_SAFE_INTEGER)
  checkWord('retrieval', filled.retrieval, retrievals)
  checkWord('duplicates', filled.duplicates, duplicateRules)
  if (typeof text !== 'object' || text === null) refuse('text', text, 'an object of text options')
  return Object.freeze({ ...filled, learner: findLearner(learner), text: Object.freeze({ ...text }) })
}
