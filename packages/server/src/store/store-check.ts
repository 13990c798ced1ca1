// Whether a store is whole: whether the parts of its memory agree, and whether the disk would give the same memory again.

import { EngineError } from '@vicinal/core'
import type { MemoryTree } from '@vicinal/core/memory'
import type { LogState, OperationLog } from './operation-log.ts'
import { type LoadPlace, loadTree } from './replay.ts'
import { contentsDifference } from './same-contents.ts'
import type { StoreWriter } from './store-writer.ts'
import type { WriterLock } from './writer-lock.ts'

/** What a store is made of. */
export interface StoreParts {
  readonly folder: string
  readonly log: OperationLog
  readonly tree: MemoryTree
  readonly place: LoadPlace
  /** As it was when the store was opened. */
  readonly state: LogState
  /** Where it was not opened to be read only. */
  readonly writing?: { readonly lock: WriterLock; readonly writer: StoreWriter }
}

/** The faults, none where all is well. No snapshot may take the place of another meanwhile. */
export async function checkStore(parts: StoreParts): Promise<string[]> {
  const faults = parts.tree.check()
  try {
    const difference = await diskDifference(parts)
    if (difference) faults.push(`the disk would give another memory: ${difference} differ`)
  } catch (error) {
    if (!(error instanceof EngineError && error.code === 'MODEL_DAMAGED')) throw error
    faults.push(error.message)
  }
  return faults
}

/** What the memory and the same one from disk differ in. */
async function diskDifference({ folder, log, tree, place, state, writing }: StoreParts): Promise<string | undefined> {
  const live = tree.contents()
  const to = writing?.writer.number ?? state.to
  await writing?.writer.flushed()
  const { tree: again, state: now } = await loadTree(folder, log, place, to)
  try {
    // Queries that explored since the last operation are in the log only once the store is closed.
    again.explorations = Number(live.meta.explorations)
    // Beside a writer the disk may be ahead by now, and there is nothing to compare.
    return now.from <= to ? contentsDifference(live, again.contents()) : undefined
  } finally {
    again.free()
  }
}
