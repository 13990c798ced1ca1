// Whether a store is intact: whether the parts of its memory agree, and whether the disk holds the same memory.

import { EngineError } from '@vicinal/core'
import type { Log } from '../log/log.ts'
import { type Loaded, type LoadPlace, loadTree } from './replay.ts'
import { contentsDifference } from './same-contents.ts'
import type { StoreWriter } from './store-writer.ts'

/** What a store is made of. */
export interface StoreParts {
  readonly folder: string
  readonly log: Log
  readonly place: LoadPlace
  /** The memory, and what was on disk when the store was opened. */
  readonly loaded: Loaded
  /** Absent if it was opened for reading only. */
  readonly writer?: StoreWriter
}

/** Returns the problems found. No snapshot must be replaced in the meantime. */
export async function checkStore(parts: StoreParts): Promise<string[]> {
  const faults = parts.loaded.tree.check()
  try {
    const difference = await diskDifference(parts)
    if (difference) faults.push(`the store on disk differs from memory: ${difference} differ`)
  } catch (error) {
    if (!(error instanceof EngineError && error.code === 'MODEL_DAMAGED')) throw error
    faults.push(error.message)
  }
  return faults
}

/** What the memory and the same one from disk differ in. */
async function diskDifference({ folder, log, place, loaded, writer }: StoreParts): Promise<string | undefined> {
  const live = loaded.tree.contents()
  const to = writer?.number ?? loaded.to
  await writer?.flushed()
  const { tree: again, from } = await loadTree(folder, log, place, { to })
  try {
    // Queries that explored since the last operation are in the log only once the store is closed.
    again.explorations = Number(live.meta.explorations)
    // If another process is writing, the disk may be ahead, and there is nothing to compare with.
    return from <= to ? contentsDifference(live, again.contents()) : undefined
  } finally {
    again.free()
  }
}
