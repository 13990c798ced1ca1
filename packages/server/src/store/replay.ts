// Restores the stored state from disk: the snapshot, then the operations in the log.

import { EngineError } from '@vicinal/core'
import { Pauses } from '@vicinal/core/internals'
import { type Learner, type MemoryPlace, MemoryTree } from '@vicinal/core/memory'
import type { Log } from '../log/log.ts'
import { damaged, folderFailure } from '../log/log-error.ts'
import { replayOperation } from './operation.ts'
import { operationFromJson } from './operation-json.ts'
import { recordText } from './record-text.ts'
import { loadSnapshot } from './snapshot.ts'
import { StoreClock } from './store-clock.ts'
import { readState, type StoreKind, type StoreState } from './store-state.ts'

/** What a store holds, and how it is loaded and replayed. */
export interface StoredKind<T> {
  readonly kind: StoreKind
  load(path: string): Promise<T>
  /** Replays the change in a record. */
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

/** How far operations are replayed, and what stops that. */
export interface ReplayOptions {
  /** Operations after it are left out. */
  readonly to?: number
  readonly signal?: AbortSignal | undefined
}

export async function loadTree(
  folder: string,
  log: Log,
  place: LoadPlace,
  options: ReplayOptions = {},
): Promise<Loaded> {
  const clock = new StoreClock(place.clock)
  const kind: StoredKind<MemoryTree> = {
    kind: 'memory',
    load: path => MemoryTree.load(path, { ...place, clock: clock.read, signal: options.signal }),
    replay: (tree, record) => replayOperation(tree, clock, operationFromJson(record)),
    resume: (tree, explorations) => {
      tree.explorations = explorations
    },
  }
  const { stored: tree, ...loaded } = await loadStored(folder, log, kind, options)
  return { tree, clock, ...loaded }
}

/** The same for anything that a store holds. */
export async function loadStored<T extends { free(): void }>(
  folder: string,
  log: Log,
  kind: StoredKind<T>,
  options: ReplayOptions = {},
): Promise<LoadedStored<T>> {
  for (;;) {
    const state = await readState(folder, kind.kind)
    try {
      return await loadState(folder, log, kind, state, options)
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
  { to: last, signal }: ReplayOptions,
): Promise<LoadedStored<T>> {
  if ((await log.linkBefore(from + 1)) !== link)
    throw damaged(folder, 'its snapshot and its log do not belong together')
  const stored = await loadSnapshot(folder, from, kind)
  try {
    let [to, bytes] = [from, 0]
    const pauses = new Pauses({ signal })
    for await (const { records } of log.replay(from + 1, last)) {
      for (const record of records) {
        await makeAgain(folder, kind, stored, ++to, record)
        bytes += record.length
        if (pauses.due) await pauses.take()
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
