// The folder of a store: made whole or not at all, and told from other folders.

import { randomUUID } from 'node:crypto'
import { lstat, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EngineError, type ModelContents } from '@vicinal/core'
import { logFile } from './log-file.ts'
import { OperationLog } from './operation-log.ts'
import { snapshotFile, syncFolder, writeSnapshot } from './snapshot.ts'
import { folderFailure } from './store-error.ts'

/** Makes a store that holds `contents` and no operation. It is filled beside and renamed: nobody sees a part of it. */
export async function makeStoreFolder(folder: string, contents: ModelContents): Promise<void> {
  if (await exists(folder)) throw taken(folder)
  const unfinished = `${folder}.${randomUUID()}.tmp`
  try {
    await mkdir(unfinished)
    await fill(unfinished, contents)
    // Where something has appeared meanwhile, this fails, unless it is an empty folder.
    await rename(unfinished, folder)
    await syncFolder(dirname(folder))
  } catch (error) {
    throw (await exists(folder)) ? taken(folder) : folderFailure(folder, error)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

async function fill(folder: string, contents: ModelContents): Promise<void> {
  const snapshot = snapshotFile(0)
  await writeSnapshot(folder, snapshot, contents)
  const log = await OperationLog.create(folder, { snapshot, from: 0, to: 0, bytes: 0, explorations: 0 })
  await log.close()
  await syncFolder(folder)
}

/** Whether there is a store; else this is another folder, a file, or nothing. */
export async function isMemoryStore(path: string): Promise<boolean> {
  return (await exists(path)) && (await exists(join(path, logFile)))
}

/** Refuses what is no store. */
export async function checkStoreFolder(folder: string): Promise<void> {
  if (await isMemoryStore(folder)) return
  const where = { file: folder }
  if (!(await exists(folder))) {
    throw new EngineError('FILE_NOT_FOUND', 'no such store', { where, hint: 'Check the path, or create the store.' })
  }
  throw new EngineError('UNKNOWN_FORMAT', 'is no store of a memory', {
    where,
    hint: `A store is a folder with ${logFile}.`,
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
    hint: 'Choose another path, or open the store that is there.',
  })
}
