// The changes of a stored memory. Each one calls the tree, and returns what the log must hold to replay the call.

import type { Id, Json } from '@vicinal/core'
import { refuse } from '@vicinal/core/internals'
import type {
  InsertOptions,
  LearnOptions,
  MemoryChanges,
  MemoryKey,
  MemoryTree,
  MemoryUpsertOptions,
  Rewarded,
} from '@vicinal/core/memory'
import { changesOf, given, insertOptionsOf, type Operation } from './operation.ts'

/** What an operation notes beside the call. */
export type Noted = Pick<Operation, 'explorations' | 'at'>

/** Changes the memory. What it returns as `operation` goes to the log; without one, nothing has changed. */
export type Change<Value, T> = (
  tree: MemoryTree<Value>,
  noted: Noted,
) => { readonly result: T; readonly operation?: Operation }

export function inserting<Value>(key: MemoryKey, value: Value, options: InsertOptions): Change<Value, Id> {
  return (tree, noted) => {
    const result = tree.insert(key, value, options)
    // The value as stored, so that it is converted to JSON only once.
    const kept = { key, value: stored(tree, result), ...insertOptionsOf(options) }
    return { result, operation: { do: 'insert', ...noted, ...kept } }
  }
}

export function upserting<Value>(key: MemoryKey, value: Value, options: MemoryUpsertOptions): Change<Value, Id> {
  return (tree, noted) => {
    const result = tree.upsert(key, value, options)
    const kept = { key, value: stored(tree, result), ...insertOptionsOf(options), id: result }
    return { result, operation: { do: 'upsert', ...noted, ...kept } }
  }
}

export function changing<Value>(id: Id, changes: MemoryChanges<Value>): Change<Value, void> {
  return (tree, noted) => {
    tree.update(id, changes)
    const value = changes.value === undefined ? {} : { value: stored(tree, id) }
    const { value: _, ...others } = changesOf(changes as MemoryChanges)
    return { result: undefined, operation: { do: 'change', ...noted, id, ...others, ...value } }
  }
}

export function rewarding<Value>(hit: Rewarded, reward: number): Change<Value, void> {
  return (tree, noted) => {
    tree.update(hit, reward)
    const { key, explored } = hit.query
    const side = explored && { explored: { tree: explored.tree, node: explored.node, side: explored.side } }
    const support = hit.support === undefined ? {} : { support: hit.support }
    return { result: undefined, operation: { do: 'update', ...noted, key, id: hit.id, reward, ...side, ...support } }
  }
}

export function learning<Value>(
  key: MemoryKey,
  rewardOf: (value: Value, id: Id) => number,
  options: LearnOptions,
): Change<Value, void> {
  return (tree, noted) => {
    checkRewardFunction(rewardOf)
    const rewards: number[] = []
    const recorded = (value: Value, id: Id) => {
      rewards.push(askReward(rewardOf, value, id))
      return rewards.at(-1) ?? Number.NaN
    }
    tree.learn(key, recorded, options)
    const { except, namespace } = options
    const scope = given({ except, namespace })
    return { result: undefined, operation: { do: 'learn', ...noted, key, rewards, ...scope } }
  }
}

export function removing<Value>(id: Id): Change<Value, boolean> {
  return (tree, noted) => {
    const result = tree.remove(id)
    return { result, ...(result && { operation: { do: 'remove', ...noted, id } }) }
  }
}

/** What the caller's own function threw. */
export class CallerError extends Error {}

/** Told from what the function throws: the memory sees another one, which records the rewards. */
function checkRewardFunction(rewardOf: unknown): void {
  if (typeof rewardOf !== 'function') refuse('rewardOf', rewardOf, 'a function')
}

function askReward<Value>(rewardOf: (value: Value, id: Id) => number, value: Value, id: Id): number {
  try {
    return rewardOf(value, id)
  } catch (cause) {
    throw new CallerError('your reward function failed', { cause })
  }
}

/** The value of a memory as the log holds it. */
function stored<Value>(tree: MemoryTree<Value>, id: Id): Json {
  // JSON made it, and nothing expires within a call.
  return (tree.get(id)?.value ?? null) as Json
}
