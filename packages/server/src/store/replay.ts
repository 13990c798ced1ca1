// The memory as the disk has it: the snapshot, and the operations of the log made again.

import { join } from 'node:path'
import { EngineError } from '@vicinal/core'
import { type Learner, type MemoryPlace, MemoryTree } from '@vicinal/core/memory'
import { logFile } from './log-file.ts'
import { replayOperation } from './operation.ts'
import type { LogState, OperationLog } from './operation-log.ts'
import { damaged } from './store-error.ts'

export interface Loaded {
  readonly tree: MemoryTree
  readonly state: LogState
}

export interface LoadPlace extends MemoryPlace {
  readonly learner?: Learner
}

/** Operations after `to` are left out. */
export async function loadTree(
  folder: string,
  log: OperationLog,
  place: LoadPlace,
  to = Number.POSITIVE_INFINITY,
): Promise<Loaded> {
  for (;;) {
    const { snapshot } = log.state()
    const tree = await loadSnapshot(folder, snapshot, log, place)
    const state = log.state()
    // Whoever writes may have made a new snapshot meanwhile.
    if (tree && state.snapshot === snapshot) {
      replay(folder, log, tree, { ...state, to: Math.min(to, state.to) })
      return { tree, state }
    }
    tree?.free()
  }
}

/** Undefined where the log names another by now. */
async function loadSnapshot(
  folder: string,
  snapshot: string,
  log: OperationLog,
  place: LoadPlace,
): Promise<MemoryTree | undefined> {
  try {
    return await MemoryTree.load(join(folder, snapshot), place)
  } catch (cause) {
    if (!(cause instanceof EngineError && cause.code === 'FILE_NOT_FOUND')) throw cause
    if (log.state().snapshot !== snapshot) return undefined
    throw damaged(join(folder, snapshot), 'the snapshot is gone', cause)
  }
}

function replay(folder: string, log: OperationLog, tree: MemoryTree, state: LogState): void {
  let number = state.from
  try {
    for (const operation of log.operations(state)) {
      number++
      replayOperation(tree, operation)
    }
    tree.explorations = state.explorations
  } catch (cause) {
    tree.free()
    if (cause instanceof EngineError && ['MODEL_DAMAGED', 'OUT_OF_MEMORY'].includes(cause.code)) throw cause
    throw damaged(join(folder, logFile), `operation ${number} cannot be made again`, cause)
  }
}
