// A checksum of the whole log, beside it, from when a store is closed to when it is next written. The entries of the log carry
// checksums of their own; this one covers lmdb's pages too, which carry none: a process that follows a damaged page may be ended by
// the system. After a crash there is no seal, and the entries' checksums have to do.
// Invariant: whoever changes the log has removed the seal before, and only who alone may write makes a new one.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { writeAtomically } from '@vicinal/core'
import { logFile } from './log-file.ts'
import { logBytes } from './log-length.ts'
import { syncFolder } from './snapshot.ts'
import { damaged } from './store-error.ts'

const sealFile = 'log.sha256'

/** Refuses a log that is not as it was when its store was closed. */
export async function checkLogSeal(folder: string): Promise<void> {
  const seal = await readSeal(folder)
  if (seal === undefined || seal === (await digest(folder))) return
  // Beside a reader, somebody may have begun to write.
  if ((await readSeal(folder)) !== seal) return
  throw damaged(join(folder, logFile), 'the log was changed since the store was closed')
}

/** Seals a log that is closed and that nobody else can open to write. */
export async function sealLog(folder: string): Promise<void> {
  const seal = await digest(folder)
  await writeAtomically(join(folder, sealFile), { overwrite: true }, write => write(seal))
}

/** Has to come before the first change; on disk when it resolves. */
export async function removeLogSeal(folder: string): Promise<void> {
  await rm(join(folder, sealFile), { force: true })
  await syncFolder(folder)
}

async function readSeal(folder: string): Promise<string | undefined> {
  return readFile(join(folder, sealFile), 'utf8').catch(() => undefined)
}

async function digest(folder: string): Promise<string> {
  const file = join(folder, logFile)
  const hash = createHash('sha256')
  await pipeline(createReadStream(file, { end: (await logBytes(file)) - 1 }), hash)
  return hash.digest('hex')
}
