// How a store fails, in the words of the engine's errors.

import { statfs } from 'node:fs/promises'
import { EngineError } from '@vicinal/core'

/** With less than this left, a write that failed did so for want of space: lmdb says only that it failed. */
const noSpaceBytes = 2 ** 20

/** What is on disk is not what was written. */
export function damaged(file: string, message: string, cause?: unknown): EngineError {
  return new EngineError('MODEL_DAMAGED', message, {
    where: { file },
    hint: 'Take the store from a backup.',
    ...(cause !== undefined && { cause }),
  })
}

/** A commit that did not reach the disk. */
export async function commitFailure(folder: string, cause: unknown): Promise<EngineError> {
  const reason = await innermost(cause)
  const free = await statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Number.POSITIVE_INFINITY,
  )
  const what = free < noSpaceBytes ? 'no space left on the disk' : `the disk refused to be written: ${reason}`
  return new EngineError('FILE_ACCESS', what, {
    where: { file: folder },
    cause,
    hint: 'What was acknowledged is kept. Free some space or mend the disk, then open the store again.',
  })
}

/** lmdb tells first that a commit failed, and then why. */
async function innermost(error: unknown): Promise<string> {
  if (!(error instanceof Error)) return String(error)
  const reason = 'commitError' in error ? Promise.resolve(error.commitError) : Promise.reject(error)
  return reason.then(String, (inner: unknown) => (inner instanceof Error ? inner.message : String(inner)))
}

/** A store that cannot be used any more, or not for this. */
export function unusable(folder: string, message: string, hint: string, cause?: unknown): EngineError {
  return new EngineError('FILE_ACCESS', message, {
    where: { file: folder },
    hint,
    ...(cause !== undefined && { cause }),
  })
}

/** What the system said about a store's folder; errors of ours pass through. */
export function folderFailure(folder: string, cause: unknown): unknown {
  if (cause instanceof EngineError || !(cause instanceof Error && 'code' in cause)) return cause
  const missing = cause.code === 'ENOENT' || cause.code === 'ENOTDIR'
  return new EngineError(missing ? 'FILE_NOT_FOUND' : 'FILE_ACCESS', missing ? 'no such folder' : cause.message, {
    where: { file: folder },
    cause,
    hint: missing ? 'Check the path.' : 'Check who may write there, and how much space there is.',
  })
}
