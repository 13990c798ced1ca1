// The options of a store, their defaults and their checks.

import { EngineError } from '@vicinal/core'
import type { Learner, MemoryOptions, MemoryPlace } from '@vicinal/core/memory'

export interface SnapshotOptions {
  /**
   * Operations in the log after which the whole memory is written anew and the log begins again. Default 50,000. Opening replays
   * at most about so many, at some 10,000 a second; fewer mean more writing.
   */
  readonly snapshotOperations?: number
  /** The same in bytes of the log. Default 256 MiB. */
  readonly snapshotBytes?: number
}

/** The memory's options are fixed when its store is made. */
export interface CreateStoreOptions extends SnapshotOptions, MemoryOptions, MemoryPlace {}

export interface OpenStoreOptions extends SnapshotOptions, MemoryPlace {
  /** Look at the memory as it is now, beside whoever writes. Default false. */
  readonly readOnly?: boolean
  /** The learner, where it is one of your own: files cannot hold it. */
  readonly learner?: Learner
}

export const storeDefaults: Required<SnapshotOptions> = Object.freeze({
  snapshotOperations: 50_000,
  snapshotBytes: 2 ** 28,
})

const openNames = [...Object.keys(storeDefaults), 'readOnly', 'learner', 'engine']

/** When snapshots are made, checked. */
export function resolveSnapshots(options: SnapshotOptions): Required<SnapshotOptions> {
  const { snapshotOperations = storeDefaults.snapshotOperations, snapshotBytes = storeDefaults.snapshotBytes } = options
  checkCount('snapshotOperations', snapshotOperations)
  checkCount('snapshotBytes', snapshotBytes)
  return { snapshotOperations, snapshotBytes }
}

/** Refuses what is no option of opening. */
export function checkOpenOptions(options: OpenStoreOptions): void {
  for (const name of Object.keys(options)) {
    if (openNames.includes(name)) continue
    throw new EngineError('UNKNOWN_NAME', `no option is called "${name}"`, { hint: `Known: ${openNames.join(', ')}.` })
  }
}

function checkCount(name: string, value: unknown): void {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return
  throw new EngineError('INVALID_OPTION', `${name} is ${value}, expected a whole number from 1 on`)
}
