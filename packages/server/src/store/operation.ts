// What a store logs: the calls that change a memory, as they were made. A memory follows from its seed, these calls and the count
// of explorations before each, so that making them again gives the same memory to the last bit.

import type { Id, Json } from '@vicinal/core'
import type { Exploration, MemoryKey, MemoryTree } from '@vicinal/core/memory'

export type Operation = { readonly explorations: number } & (
  | {
      readonly do: 'insert'
      readonly key: MemoryKey
      readonly value: Json
      readonly id?: Id
      readonly namespace?: string
    }
  | {
      readonly do: 'update'
      readonly key: MemoryKey
      readonly id: Id
      readonly explored?: Exploration
      readonly reward: number
    }
  /** The rewards are those that were asked for, in their order. */
  | {
      readonly do: 'learn'
      readonly key: MemoryKey
      readonly rewards: readonly number[]
      readonly except?: Id
      readonly namespace?: string
    }
  | { readonly do: 'remove'; readonly id: Id }
)

/** Makes the call again. */
export function replayOperation(tree: MemoryTree, operation: Operation): void {
  tree.explorations = operation.explorations
  switch (operation.do) {
    case 'insert':
      tree.insert(operation.key, operation.value, given({ id: operation.id, namespace: operation.namespace }))
      return
    case 'update':
      tree.update({ id: operation.id, query: asked(operation) }, operation.reward)
      return
    case 'learn':
      learnAgain(tree, operation)
      return
    case 'remove':
      tree.remove(operation.id)
  }
}

/** Those options that are there. */
export function given<Options extends object>(
  options: Options,
): { [Name in keyof Options]?: Exclude<Options[Name], undefined> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [Name in keyof Options]?: Exclude<Options[Name], undefined> } // a subset of them
}

function asked({ key, explored }: Operation & { readonly do: 'update' }) {
  return explored ? { key, explored } : { key }
}

function learnAgain(tree: MemoryTree, { key, rewards, except, namespace }: Operation & { readonly do: 'learn' }): void {
  const waiting = [...rewards].reverse()
  // A reward too few is no number, which the memory refuses.
  const rewardOf = () => waiting.pop() ?? Number.NaN
  tree.learn(key, rewardOf, given({ except, namespace }))
}
