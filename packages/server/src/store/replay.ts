// What is stored as the disk has it: the snapshot, and the operations of the log made again.

import { EngineError } from '@vicinal/core'
import { type Learner, type MemoryPlace, MemoryTree } from '@vicinal/core/memory'
import type { Log } from '../log/log.ts'
import { damaged, folderFailure } from '../log/log-error.ts'
import { replayOperation } from './operation.ts'
import { operationFromJson } from './operation-json.ts'
import { recordText } from './record-text.ts'
import { loadSnapshot } from './snapshot.ts'
import { StoreClock } from './store-clock.ts'
import { readState, type StoreKind, type StoreState } from './store-state.ts'

/** What a store keeps, and how it is loaded and made again. */
export interface StoredKind<T> {
  readonly kind: StoreKind
  load(path: string): Promise<T>
  /** Makes the change of a record again. */
  replay(stored: T, record: string): void | Promise<void>
  /** Takes the count of explorations that was noted when the store was closed. */
  resume?(stored: T, explorations: number): void
}

export interface LoadedStored<T> {
  readonly stored: T
  /** The last operation that is in the snapshot. */
  readonly from: number
  /** What the log says after it. */
  readonly link: string
  /** The last operation of all. */
  readonly to: number
  /** Of the operations after the snapshot. */
  readonly bytes: number
}

export interface Loaded extends Omit<LoadedStored<MemoryTree>, 'stored'> {
  readonly tree: MemoryTree
  /** What its tree goes by. */
  readonly clock: StoreClock
}

export interface LoadPlace extends MemoryPlace {
  readonly learner?: Learner
}

/** Operations after `to` are left out. */
export async function loadTree(folder: string, log: Log, place: LoadPlace, to?: number): Promise<Loaded> {
  const clock = new StoreClock(place.clock)
  const kind: StoredKind<MemoryTree> = {
    kind: 'memory',
    load: path => MemoryTree.load(path, { ...place, clock: clock.read }),
    replay: (tree, record) => replayOperation(tree, clock, operationFromJson(record)),
    resume: (tree, explorations) => {
      tree.explorations = explorations
    },
  }
  const { stored: tree, ...loaded } = await loadStored(folder, log, kind, to)
  return { tree, clock, ...loaded }
}

/** The same of anything that a store keeps. */
export async function loadStored<T extends { free(): void }>(
  folder: string,
  log: Log,
  kind: StoredKind<T>,
  to?: number,
): Promise<LoadedStored<T>> {
  for (;;) {
    const state = await readState(folder, kind.kind)
    try {
      return await loadState(folder, log, kind, state, to)
    } catch (error) {
      // The writer may have made a new snapshot in the meantime, and removed the files that this reads.
      if ((await readState(folder, kind.kind)).from === state.from) throw folderFailure(folder, error)
    }
  }
}

async function loadState<T extends { free(): void }>(
  folder: string,
  log: Log,
  kind: StoredKind<T>,
  { from, link, noted }: StoreState,
  last?: number,
): Promise<LoadedStored<T>> {
  if ((await log.linkBefore(from + 1)) !== link)
    throw damaged(folder, 'its snapshot and its log do not belong together')
  const stored = await loadSnapshot(folder, from, kind)
  try {
    let [to, bytes] = [from, 0]
    for await (const { records } of log.replay(from + 1, last)) {
      for (const record of records) {
        await makeAgain(folder, kind, stored, ++to, record)
        bytes += record.length
      }
    }
    if (noted?.operation === to) kind.resume?.(stored, noted.explorations)
    return { stored, from, link, to, bytes }
  } catch (error) {
    stored.free()
    throw error
  }
}

async function makeAgain<T>(
  folder: string,
  kind: StoredKind<T>,
  stored: T,
  number: number,
  record: Buffer,
): Promise<void> {
  try {
    // Not awaited if it is not a promise: there are many.
    const done = kind.replay(stored, recordText(record))
    if (done) await done
  } catch (cause) {
    if (cause instanceof EngineError && cause.code === 'OUT_OF_MEMORY') throw cause
    throw damaged(folder, `operation ${number} cannot be replayed`, cause)
  }
}
