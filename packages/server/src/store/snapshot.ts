// Snapshots: the whole memory as a model file beside the log. A snapshot counts once the log names it; what it does not name is left
// over from a process that was killed, or older.

import { open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ModelContents, writeModel } from '@vicinal/core'

/** The file of the memory as it is after so many operations. */
export function snapshotFile(operations: number): string {
  return `snapshot-${operations}.memory`
}

/** Writes a snapshot; it and its name are on disk when this resolves. */
export async function writeSnapshot(folder: string, file: string, contents: ModelContents): Promise<void> {
  await writeModel(join(folder, file), contents, { overwrite: true })
  await syncFolder(folder)
}

/** Flushes the names in a folder to the disk. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return // which has no such call
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Removes all snapshots, whole or half, but the one in use. */
export async function removeOtherSnapshots(folder: string, kept: string): Promise<void> {
  const files = await readdir(folder)
  const others = files.filter(file => file.startsWith('snapshot-') && file !== kept)
  for (const file of others) await rm(join(folder, file), { force: true, recursive: true })
}
