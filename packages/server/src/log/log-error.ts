// The errors of a log, as EngineErrors.

import { EngineError } from '@vicinal/core'

/** What is on disk is not what was written. */
export function damaged(file: string, message: string, cause?: unknown): EngineError {
  return new EngineError('MODEL_DAMAGED', message, {
    where: { file },
    hint: 'Restore the store from a backup.',
    ...(cause !== undefined && { cause }),
  })
}

/** Written by a later version of Vicinal. */
export function tooNew(file: string, format: number, known: number): EngineError {
  return new EngineError('FORMAT_TOO_NEW', `it has format ${format}, this Vicinal reads up to ${known}`, {
    where: { file },
    hint: 'Update Vicinal.',
  })
}

/** Written by a version whose stores we no longer read. */
export function tooOld(file: string): EngineError {
  return new EngineError('UNKNOWN_FORMAT', 'this store was made by a version before the first release', {
    where: { file },
    hint: 'Export its memories with that version, and insert them into a new store.',
  })
}

/** A write that did not reach the disk. */
export function writeFailure(folder: string, cause: unknown): EngineError {
  const full = cause instanceof Error && 'code' in cause && ['ENOSPC', 'EDQUOT'].includes(String(cause.code))
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new EngineError('FILE_ACCESS', full ? 'no space left on the disk' : `the disk refused a write: ${reason}`, {
    where: { file: folder },
    cause,
    hint: 'Acknowledged changes are kept. Free some space or repair the disk, then open the store again.',
  })
}

/** A log or store that is closed, failed or read-only. */
export function unusable(folder: string, message: string, hint: string, cause?: unknown): EngineError {
  return new EngineError('FILE_ACCESS', message, {
    where: { file: folder },
    hint,
    ...(cause !== undefined && { cause }),
  })
}

/** Wraps a system error about a folder or a file in it; passes other errors through. */
export function folderFailure(folder: string, cause: unknown): unknown {
  if (cause instanceof EngineError || !(cause instanceof Error && 'code' in cause)) return cause
  const missing = cause.code === 'ENOENT' || cause.code === 'ENOTDIR'
  const message = mayNotWrite(cause)
    ? 'permission denied'
    : cause.code === 'ENOSPC'
      ? 'no space left on the disk'
      : cause.message
  return new EngineError(missing ? 'FILE_NOT_FOUND' : 'FILE_ACCESS', missing ? 'no such folder' : message, {
    where: { file: folder },
    cause,
    hint: missing ? 'Check the path.' : 'Check write permissions and free space.',
  })
}

/** The folder or the disk may only be read. */
export function mayNotWrite(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && ['EACCES', 'EPERM', 'EROFS'].includes(String(cause.code))
}
