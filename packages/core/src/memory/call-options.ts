// Options of calls that have no separate file: learn, load, fromContents.

import type { Id } from '../ids/id.ts'
import { checkEngine } from '../kernels/engine.ts'
import { checkedLater, checkFunction, checkSignal, checkText, optionTable } from '../options.ts'
import type { WebSignal } from '../web-types.ts'
import type { Learner } from './learning/learner.ts'
import type { MemoryPlace } from './memory-options.ts'
import { checkNamespace } from './memory-query.ts'
import { checkIdOption } from './memory-record.ts'

/** Options of `MemoryTree.learn`. */
export interface LearnOptions {
  /** A memory to skip: the one that the key itself belongs to. */
  readonly except?: Id
  /** Learn from the memories of this namespace only. Default: from those without one. */
  readonly namespace?: string
}

/** Where a stored memory goes, and what its file cannot hold. */
export interface StoredPlace extends MemoryPlace {
  /** Your own learner, if you use one. */
  readonly learner?: Learner
}

/** Options of `MemoryTree.load` and `fromBytes`. */
export interface MemoryLoadOptions extends StoredPlace {
  /** Stops the loading. */
  readonly signal?: WebSignal | undefined
}

export const learnOptions = optionTable<LearnOptions>({ except: checkIdOption, namespace: checkNamespace })
export const memoryLoadOptions = optionTable<MemoryLoadOptions>({
  ...{ engine: checkEngine, clock: checkFunction, learner: checkedLater, signal: checkSignal },
})
export const memoryContentsOptions = optionTable<StoredPlace & { readonly name?: string }>({
  ...{ engine: checkEngine, clock: checkFunction, learner: checkedLater, name: checkText },
})
