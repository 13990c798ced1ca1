// The folder of a store: created atomically, and recognized among other folders.

import { randomUUID } from 'node:crypto'
import { lstat, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EngineError } from '@vicinal/core'
import { type ModelContents, throwIfAborted } from '@vicinal/core/internals'
import { Log } from '../log/log.ts'
import { folderFailure } from '../log/log-error.ts'
import { syncFolder } from '../log/log-files.ts'
import { writeSnapshot } from './snapshot.ts'
import { checkPath } from './store-options.ts'
import { readState, type StoreKind, stateFile, writeState } from './store-state.ts'

/** The log of stores that versions before the first release made. */
const oldLogFile = 'log.mdb'

/**
 * Makes a store that holds `contents` and no operation. It is built under a temporary name and renamed, so that it is never seen half-built.
 */
export async function makeStoreFolder(
  folder: string,
  contents: ModelContents,
  { kind = 'memory', signal }: { readonly kind?: StoreKind; readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  if (await exists(folder)) throw taken(folder)
  const unfinished = `${folder}.${randomUUID()}.tmp`
  try {
    await mkdir(unfinished)
    await fill(unfinished, contents, kind)
    throwIfAborted(signal)
    // Fails if something else has appeared there in the meantime, except an empty folder.
    await rename(unfinished, folder)
    await syncFolder(dirname(folder))
  } catch (error) {
    throw (await exists(folder)) ? taken(folder) : folderFailure(folder, error)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

async function fill(folder: string, contents: ModelContents, kind: StoreKind): Promise<void> {
  await writeSnapshot(folder, 0, contents, kind)
  const link = await Log.create(folder)
  await writeState(folder, { from: 0, link }, kind)
}

/** Whether the folder is a memory store; false for any other folder, a file, or nothing. */
export async function isMemoryStore(path: string): Promise<boolean> {
  checkPath('path', path)
  return (await isStore(path)) && !(await isCollectionStore(path))
}

/** Whether the folder is a collection store. */
export async function isCollectionStore(path: string): Promise<boolean> {
  checkPath('path', path)
  if (!(await isStore(path))) return false
  try {
    await readState(path, 'collection')
    return true
  } catch {
    return false // a memory store, or damaged: opening it reports which
  }
}

/** Whether there is a store of any kind. */
async function isStore(path: string): Promise<boolean> {
  return (await exists(path)) && (await exists(join(path, stateFile)))
}

/** Refuses anything that is not a store. */
export async function checkStoreFolder(folder: string): Promise<void> {
  if (await isStore(folder)) return
  const where = { file: folder }
  if (!(await exists(folder))) {
    throw new EngineError('FILE_NOT_FOUND', 'no such store', { where, hint: 'Check the path, or create the store.' })
  }
  if (await exists(join(folder, oldLogFile))) {
    throw new EngineError('UNKNOWN_FORMAT', 'this store was made by a version before the first release', {
      where,
      hint: 'Export its memories with that version, and insert them into a new store.',
    })
  }
  throw new EngineError('UNKNOWN_FORMAT', 'is not a store', {
    where,
    hint: `A store is a folder that contains ${stateFile}. If you mean a file in the folder, give the path of the file.`,
  })
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    const failure = folderFailure(path, error)
    if (failure instanceof EngineError && failure.code === 'FILE_NOT_FOUND') return false
    throw failure
  }
}

function taken(folder: string): EngineError {
  return new EngineError('FILE_EXISTS', 'already exists', {
    where: { file: folder },
    hint: 'Choose another path, or open the existing store.',
  })
}
