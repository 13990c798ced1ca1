// What a failed file operation means to the caller.

import { EngineError } from '../../errors.ts'

const meanings: Readonly<Record<string, readonly ['FILE_NOT_FOUND' | 'FILE_ACCESS', string, string]>> = {
  ENOENT: ['FILE_NOT_FOUND', 'no such file', 'Check the path.'],
  ENOTDIR: ['FILE_NOT_FOUND', 'no such file', 'Check the path: a part of it is not a folder.'],
  EISDIR: ['FILE_ACCESS', 'is a directory, expected a file', 'Name a file inside it.'],
  EACCES: ['FILE_ACCESS', 'permission denied', 'Change its permissions, or run as a user who has access.'],
  EPERM: ['FILE_ACCESS', 'permission denied', 'Change its permissions, or run as a user who has access.'],
  ENOSPC: ['FILE_ACCESS', 'no space left on the disk', 'Free some space.'],
}

/** The EngineError for what the system said about `path`; any other error, ours included, passes through unchanged. */
export function fileError(path: string, cause: unknown): unknown {
  const code = errno(cause)
  if (code === undefined || !(cause instanceof Error)) return cause
  const [errorCode, message, hint] = meanings[code] ?? (['FILE_ACCESS', cause.message] as const)
  return new EngineError(errorCode, message, { where: { file: path }, cause, ...(hint && { hint }) })
}

/** The system's code of a failure ('ENOENT'), if it has one. */
export function errno(cause: unknown): string | undefined {
  if (cause instanceof EngineError || !(cause instanceof Error && 'code' in cause)) return undefined
  return typeof cause.code === 'string' ? cause.code : undefined
}
