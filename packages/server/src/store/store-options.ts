// The options of a store, their defaults and their checks.

import { Engine, type LongWork } from '@vicinal/core'
import {
  type Check,
  checkBoolean,
  checkedLater,
  checkOptions,
  checkSignal,
  optionTable,
  refuse,
} from '@vicinal/core/internals'
import type { Learner, MemoryOptions, MemoryPlace } from '@vicinal/core/memory'

/** When a store writes a snapshot. */
export interface SnapshotOptions {
  /**
   * Write a snapshot after this many operations in the log. Default 50,000. Opening replays at most about this many, at some 10,000 per
   * second; lower values write more.
   */
  readonly snapshotOperations?: number
  /** Write a snapshot after this many bytes in the log. Default 256 MiB. */
  readonly snapshotBytes?: number
}

/** Options of `MemoryStore.create`. The memory's own options cannot change later. */
export interface CreateStoreOptions extends SnapshotOptions, MemoryOptions, MemoryPlace {}

/** Options of `MemoryStore.open`. */
export interface OpenStoreOptions extends SnapshotOptions, MemoryPlace {
  /** Opens the memory as it is now, for reading only, even while another process writes. Default false. */
  readonly readOnly?: boolean
  /** Your own learner, if you use one: files cannot store it. */
  readonly learner?: Learner
  /** Stops the opening. */
  readonly signal?: LongWork['signal']
}

/** The defaults of `SnapshotOptions`. */
export const storeDefaults: Required<SnapshotOptions> = Object.freeze({
  snapshotOperations: 50_000,
  snapshotBytes: 2 ** 28,
})

const checkEngine: Check = (name, value) => {
  if (!(value instanceof Engine)) refuse(name, value, 'an Engine')
}
const checkClock: Check = (name, value) => {
  if (typeof value !== 'function') refuse(name, value, 'a function that returns milliseconds since 1970')
}
export const storeChecks = { snapshotOperations: checkCount, snapshotBytes: checkCount, engine: checkEngine }
const openOptions = optionTable<OpenStoreOptions>({
  ...storeChecks,
  clock: checkClock,
  readOnly: checkBoolean,
  learner: checkedLater,
  signal: checkSignal,
})
const createOptions = optionTable<CreateStoreOptions>({
  ...storeChecks,
  clock: checkClock,
  ...{ balance: checkedLater, leafFactor: checkedLater, reroutes: checkedLater, trees: checkedLater },
  ...{ retrieval: checkedLater },
  ...{ learner: checkedLater, rate: checkedLater, capacity: checkedLater, duplicates: checkedLater },
  ...{ text: checkedLater, seed: checkedLater },
})

/** When snapshots are made. */
export function resolveSnapshots(options: SnapshotOptions): Required<SnapshotOptions> {
  const { snapshotOperations = storeDefaults.snapshotOperations, snapshotBytes = storeDefaults.snapshotBytes } = options
  return { snapshotOperations, snapshotBytes }
}

/** Checks the options of `open`. */
export function checkOpenOptions(options: OpenStoreOptions): void {
  checkOptions(options, openOptions)
}

/** Checks the options of `create`. */
export function checkCreateOptions(options: CreateStoreOptions): void {
  checkOptions(options, createOptions)
}

function checkCount(name: string, value: unknown): void {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return
  refuse(name, value, 'a whole number of at least 1')
}

/** The folder of a store. */
export function checkPath(name: string, value: unknown): void {
  if (typeof value !== 'string' || value === '' || value.includes('\0')) refuse(name, value, 'the path of a folder')
}
