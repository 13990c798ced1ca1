// The log of a store: the calls that change a memory. A memory is determined by its seed, these calls and the number of explorations before
// each, so replaying them gives the same memory, bit for bit.

import type { Id, Json } from '@vicinal/core'
import type {
  Exploration,
  InsertOptions,
  MemoryChanges,
  MemoryKey,
  MemoryTree,
  MemoryUpsertOptions,
  Rewarded,
} from '@vicinal/core/memory'
import type { StoreClock } from './store-clock.ts'

/** What an operation notes beside the call: explorations before it, and the time. */
interface Noted {
  readonly explorations: number
  readonly at: number
}

export type Operation = Noted &
  (
    | ({ readonly do: 'insert'; readonly key: MemoryKey; readonly value: Json } & InsertOptions)
    | ({ readonly do: 'upsert'; readonly key: MemoryKey; readonly value: Json } & MemoryUpsertOptions)
    | ({ readonly do: 'change'; readonly id: Id } & MemoryChanges)
    | {
        readonly do: 'update'
        readonly key: MemoryKey
        readonly id: Id
        readonly explored?: Exploration
        readonly support?: number | null
        readonly reward: number
      }
    /** The rewards that were asked for, in order. */
    | {
        readonly do: 'learn'
        readonly key: MemoryKey
        readonly rewards: readonly number[]
        readonly except?: Id
        readonly namespace?: string
      }
    | { readonly do: 'remove'; readonly id: Id }
  )

/** Repeats the call, with the clock at the time of the original call. */
export function replayOperation(tree: MemoryTree, clock: StoreClock, operation: Operation): void {
  tree.explorations = operation.explorations
  clock.set(operation.at)
  switch (operation.do) {
    case 'insert':
      tree.insert(operation.key, operation.value, insertOptionsOf(operation))
      return
    case 'upsert':
      tree.upsert(operation.key, operation.value, { ...insertOptionsOf(operation), id: operation.id })
      return
    case 'change':
      tree.update(operation.id, changesOf(operation))
      return
    case 'update':
      tree.update(rewarded(operation), operation.reward)
      return
    case 'learn':
      learnAgain(tree, operation)
      return
    case 'remove':
      tree.remove(operation.id)
  }
}

/** What an insert was given, and nothing else. */
export function insertOptionsOf(options: InsertOptions): InsertOptions {
  const { id, namespace, metadata, createdAt, expiresAt, reward, rewards } = options
  return given({ id, namespace, metadata, createdAt, expiresAt, reward, rewards })
}

/** What was to be changed, and nothing else. */
export function changesOf({ value, metadata, expiresAt }: MemoryChanges): MemoryChanges {
  return given({ value, metadata, expiresAt })
}

/** Those options that are there. */
export function given<Options extends object>(
  options: Options,
): { [Name in keyof Options]?: Exclude<Options[Name], undefined> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [Name in keyof Options]?: Exclude<Options[Name], undefined> } // a subset of them
}

function rewarded({ id, key, explored, support }: Operation & { readonly do: 'update' }): Rewarded {
  return { id, query: explored ? { key, explored } : { key }, ...(support !== undefined && { support }) }
}

function learnAgain(tree: MemoryTree, { key, rewards, except, namespace }: Operation & { readonly do: 'learn' }): void {
  const waiting = [...rewards].reverse()
  // A missing reward is undefined, which the memory refuses.
  const rewardOf = () => waiting.pop() ?? Number.NaN
  tree.learn(key, rewardOf, given({ except, namespace }))
}
