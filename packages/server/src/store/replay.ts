// The memory as the disk has it: the snapshot, and the operations of the log made again.

import { EngineError } from '@vicinal/core'
import type { Learner, MemoryPlace, MemoryTree } from '@vicinal/core/memory'
import type { Log } from '../log/log.ts'
import { damaged, folderFailure } from '../log/log-error.ts'
import { replayOperation } from './operation.ts'
import { operationFromJson } from './operation-json.ts'
import { recordText } from './record-text.ts'
import { loadSnapshot } from './snapshot.ts'
import { readState, type StoreState } from './store-state.ts'

export interface Loaded {
  readonly tree: MemoryTree
  /** The last operation that is in the snapshot. */
  readonly from: number
  /** The last operation of all. */
  readonly to: number
  /** Of the operations after the snapshot. */
  readonly bytes: number
}

export interface LoadPlace extends MemoryPlace {
  readonly learner?: Learner
}

/** Operations after `to` are left out. */
export async function loadTree(folder: string, log: Log, place: LoadPlace, to?: number): Promise<Loaded> {
  for (;;) {
    const state = await readState(folder)
    try {
      return await loadState(folder, log, place, state, to)
    } catch (error) {
      // Whoever writes may have made a new snapshot meanwhile, and removed what was to be read.
      if ((await readState(folder)).from === state.from) throw folderFailure(folder, error)
    }
  }
}

async function loadState(
  folder: string,
  log: Log,
  place: LoadPlace,
  { from, noted }: StoreState,
  last?: number,
): Promise<Loaded> {
  const tree = await loadSnapshot(folder, from, place)
  try {
    let [to, bytes] = [from, 0]
    for await (const { records } of log.replay(from + 1, last)) {
      for (const record of records) {
        makeAgain(folder, tree, ++to, record)
        bytes += record.length
      }
    }
    if (noted?.operation === to) tree.explorations = noted.explorations
    return { tree, from, to, bytes }
  } catch (error) {
    tree.free()
    throw error
  }
}

function makeAgain(folder: string, tree: MemoryTree, number: number, record: Buffer): void {
  try {
    replayOperation(tree, operationFromJson(recordText(record)))
  } catch (cause) {
    if (cause instanceof EngineError && cause.code === 'OUT_OF_MEMORY') throw cause
    throw damaged(folder, `operation ${number} cannot be made again`, cause)
  }
}
