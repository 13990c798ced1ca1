// Snapshots: the whole memory or collection as a model file beside the log. A snapshot is valid once the state names it. Others are
// older, or left by a killed process.

import { lstat, readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { EngineError } from '@vicinal/core'
import { type ModelContents, writeModel } from '@vicinal/core/internals'
import { damaged, folderFailure } from '../log/log-error.ts'
import { type StoreKind, stateFile } from './store-state.ts'

/** Whole or half. */
const snapshotName = /^snapshot-\d+\.(?:memory|collection)(?:\.[0-9a-f-]+)?(?:\.tmp)?$/
const halfState = new RegExp(`^${stateFile.replace('.', '\\.')}\\.[0-9a-f-]+\\.tmp$`)

/** The file with the contents after this many operations. */
export function snapshotFile(operations: number, kind: StoreKind = 'memory'): string {
  return `snapshot-${operations}.${kind}`
}

/** Writes a snapshot; it and its name are on disk when this resolves. */
export async function writeSnapshot(
  folder: string,
  operations: number,
  contents: ModelContents,
  kind: StoreKind = 'memory',
): Promise<void> {
  const path = join(folder, snapshotFile(operations, kind))
  // Left by a failed attempt. Removed instead of overwritten, because it could be a link.
  await unlink(path).catch(() => {}) // what cannot be removed cannot be written either, which says why
  await writeModel(path, contents)
}

/** `load` reads the file. */
export async function loadSnapshot<T>(
  folder: string,
  operations: number,
  { kind, load }: { readonly kind: StoreKind; load(path: string): Promise<T> },
): Promise<T> {
  const path = join(folder, snapshotFile(operations, kind))
  try {
    if (!(await lstat(path)).isFile()) throw damaged(path, 'is not a regular file')
    return await load(path)
  } catch (error) {
    const failure = folderFailure(path, error)
    if (!(failure instanceof EngineError && failure.code === 'FILE_NOT_FOUND')) throw failure
    throw damaged(path, 'the snapshot is missing', error)
  }
}

/** Removes all snapshots, whole or half, but the one in use, and states that were not finished. */
export async function removeLeftovers(folder: string, operations: number, kind: StoreKind = 'memory'): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const { name } = entry
    const ours = snapshotName.test(name) || halfState.test(name)
    if (!ours || name === snapshotFile(operations, kind)) continue
    if (entry.isFile() || entry.isSymbolicLink()) await unlink(join(folder, name))
  }
}
