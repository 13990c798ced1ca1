// The options of the calls of a memory that have no file of their own: learn, load, fromContents.

import type { Id } from '../ids/id.ts'
import { checkEngine } from '../kernels/engine.ts'
import { checkedLater, checkFunction, checkText, optionTable } from '../options.ts'
import type { Learner } from './learning/learner.ts'
import type { MemoryPlace } from './memory-options.ts'
import { checkNamespace } from './memory-query.ts'
import { checkIdOption } from './memory-record.ts'

/** Options of `MemoryTree.learn`. */
export interface LearnOptions {
  /** A memory that is not looked at: the one that the key itself belongs to. */
  readonly except?: Id
  /** Learn from the memories of this namespace only. Default: from those without one. */
  readonly namespace?: string
}

/** Where a stored memory goes, and what its file cannot hold. */
export interface StoredPlace extends MemoryPlace {
  /** Your own learner, if you use one. */
  readonly learner?: Learner
}

export const learnOptions = optionTable<LearnOptions>({ except: checkIdOption, namespace: checkNamespace })
export const storedOptions = optionTable<StoredPlace>({
  ...{ engine: checkEngine, clock: checkFunction, learner: checkedLater },
})
export const memoryContentsOptions = optionTable<StoredPlace & { readonly name?: string }>({
  ...{ engine: checkEngine, clock: checkFunction, learner: checkedLater, name: checkText },
})
