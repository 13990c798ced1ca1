// A memory as callers give it and get it back: what it holds beside its key, and which of that can change later.

import { EngineError } from '../errors.ts'
import type { Id } from '../ids/id.ts'
import type { SparseRow } from '../matrix/sparse-matrix.ts'
import { checkOptions, checkWhole, optionTable, refuse } from '../options.ts'
import type { Json, JsonObject } from '../store/json.ts'
import { checkNamespace, checkReward } from './memory-query.ts'

/** Options of `MemoryTree.insert`. */
export interface InsertOptions {
  /** The caller's key of the memory. Default: the next number. */
  readonly id?: Id
  /** Whose memory it is: a user, an agent, a project. Only queries with the same namespace find it. Default: none. */
  readonly namespace?: string
  /** Facts about it that are not its value, such as where it came from: any JSON object. */
  readonly metadata?: JsonObject
  /** When it came, in milliseconds since 1970. Default: now. */
  readonly createdAt?: number
  /** When to forget it, in milliseconds since 1970: from then on nothing finds it. Default: never. */
  readonly expiresAt?: number
  /** How many rewards it has had, if it comes from another memory. Default 0. */
  readonly rewards?: number
  /** Their mean, from 0 to 1. Needs `rewards`. */
  readonly reward?: number | null
}

/** Options of `MemoryTree.upsert`. */
export type MemoryUpsertOptions = InsertOptions & { readonly id: Id }

/** What `MemoryTree.update` can change of a memory. What is absent stays as it is. */
export interface MemoryChanges<Value = Json> {
  readonly value?: Value
  /** All of it: fields that are not given are gone. null removes it. */
  readonly metadata?: JsonObject | null
  /** null: never. */
  readonly expiresAt?: number | null
}

/** A memory as it is stored. */
export interface Memory<Value = Json> {
  readonly id: Id
  /**
   * The text as it was given; or the vector or sparse row, scaled to length 1; or the text with its vector, scaled to length 1. Inserting it
   * again stores the same key.
   */
  readonly key: string | Float32Array | SparseRow | { readonly text: string; readonly vector: Float32Array }
  readonly value: Value
  /** Absent if it was inserted without one. */
  readonly namespace?: string
  /** Absent if there is none. */
  readonly metadata?: JsonObject
  /** In milliseconds since 1970. */
  readonly createdAt: number
  /** Absent if it never expires. */
  readonly expiresAt?: number
  /** The mean of its rewards; null if there were none. */
  readonly reward: number | null
  readonly rewards: number
}

const insertOptions = optionTable<InsertOptions>({
  ...{ id: checkIdOption, namespace: checkNamespace, metadata: checkMetadata },
  ...{ createdAt: checkTime, expiresAt: checkTime },
  rewards: (name, value) => checkWhole(name, value, 0, Number.MAX_SAFE_INTEGER),
  reward: (_name, value) => void (value === null || checkReward(value as number)), // it checks anything
})
const changeOptions = optionTable<MemoryChanges>({
  value: () => {},
  metadata: (name, value) => value === null || checkMetadata(name, value),
  expiresAt: (name, value) => value === null || checkTime(name, value),
})

export function checkInsertOptions(options: InsertOptions): void {
  checkOptions(options, insertOptions)
  const { reward = null, rewards = 0 } = options
  if (rewards > 0 === (reward !== null)) return
  throw new EngineError('INVALID_OPTION', `rewards is ${rewards}, but reward is ${reward}`, {
    hint: 'Give both, how many rewards there were and their mean, or neither.',
  })
}

/** What rewards have said of a memory: their sum and how many there were; undefined if nothing is given. */
export function rewardsOf({ reward, rewards }: InsertOptions): { reward: number; rewards: number } | undefined {
  if (rewards === undefined) return undefined
  return { reward: rewardSum(reward ?? 0, rewards), rewards }
}

/** A sum whose mean is this to the last bit. The product may be off by as much as rounding the quotient was. */
function rewardSum(mean: number, count: number): number {
  const product = mean * count
  const near = [0, 1, -1, 2, -2].map(steps => product * (1 + steps * Number.EPSILON))
  return near.find(sum => sum / count === mean) ?? product
}

export function checkChanges(changes: MemoryChanges<unknown>): void {
  checkOptions(changes, changeOptions)
}

export function checkIdOption(name: string, value: unknown): void {
  if (typeof value !== 'string' && !Number.isFinite(value)) refuse(name, value, 'a string or a finite number')
}

/** Refuses an end that has passed: such a memory could never be found. */
export function checkNotPassed(expiresAt: number | null | undefined, now: number): void {
  if (expiresAt === undefined || expiresAt === null || expiresAt > now) return
  throw new EngineError('INVALID_OPTION', `expiresAt is ${expiresAt}, which has passed: it is ${now} now`, {
    hint: 'Give milliseconds since 1970 that are still to come, such as Date.now() + 86_400_000. To forget it now, remove it.',
  })
}

/** An id is one memory in all namespaces: replacing it from another namespace would take it away from its owner. */
export function checkSameNamespace({ id, namespace }: MemoryUpsertOptions, owner: string | undefined): void {
  if (namespace === undefined || namespace === owner) return
  const place = owner === undefined ? 'no namespace' : `the namespace ${JSON.stringify(owner)}`
  throw new EngineError(
    'BAD_DATA',
    `the memory ${JSON.stringify(id)} is in ${place}, not in ${JSON.stringify(namespace)}`,
    {
      hint: 'Use another id, such as one that begins with the namespace. To move the memory, remove it and insert it again.',
    },
  )
}

function checkMetadata(name: string, value: unknown): void {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject) refuse(name, value, 'an object that JSON can hold')
}

function checkTime(name: string, value: unknown): void {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return
  refuse(name, value, 'milliseconds since 1970, such as Date.now()')
}
