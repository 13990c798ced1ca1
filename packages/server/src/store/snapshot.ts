// Snapshots: the whole memory as a model file beside the log. A snapshot counts once the state names it; what it does not name is left
// over from a process that was killed, or older.

import { lstat, readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { EngineError } from '@vicinal/core'
import { type ModelContents, writeModel } from '@vicinal/core/internals'
import { type MemoryPlace, MemoryTree } from '@vicinal/core/memory'
import { damaged, folderFailure } from '../log/log-error.ts'
import { stateFile } from './store-state.ts'

/** Whole or half. */
const snapshotName = /^snapshot-\d+\.memory(?:\.[0-9a-f-]+)?(?:\.tmp)?$/
const halfState = new RegExp(`^${stateFile.replace('.', '\\.')}\\.[0-9a-f-]+\\.tmp$`)

/** The file of the memory as it is after so many operations. */
export function snapshotFile(operations: number): string {
  return `snapshot-${operations}.memory`
}

/** Writes a snapshot; it and its name are on disk when this resolves. */
export async function writeSnapshot(folder: string, operations: number, contents: ModelContents): Promise<void> {
  const path = join(folder, snapshotFile(operations))
  // Left by an attempt that failed later. Removed, not overwritten: a link would lead somewhere else.
  await unlink(path).catch(() => {}) // what cannot be removed cannot be written either, which says why
  await writeModel(path, contents)
}

export async function loadSnapshot(folder: string, operations: number, place: MemoryPlace): Promise<MemoryTree> {
  const path = join(folder, snapshotFile(operations))
  try {
    if (!(await lstat(path)).isFile()) throw damaged(path, 'is not a regular file')
    return await MemoryTree.load(path, place)
  } catch (error) {
    const failure = folderFailure(path, error)
    if (!(failure instanceof EngineError && failure.code === 'FILE_NOT_FOUND')) throw failure
    throw damaged(path, 'the snapshot is gone', error)
  }
}

/** Removes all snapshots, whole or half, but the one in use, and states that were not finished. */
export async function removeLeftovers(folder: string, operations: number): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const { name } = entry
    const ours = snapshotName.test(name) || halfState.test(name)
    if (!ours || name === snapshotFile(operations)) continue
    if (entry.isFile() || entry.isSymbolicLink()) await unlink(join(folder, name))
  }
}
