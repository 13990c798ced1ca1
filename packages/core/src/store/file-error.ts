// What a failed file operation means to the caller.

import { EngineError } from '../errors.ts'

const meanings = {
  ENOENT: ['FILE_NOT_FOUND', 'no such file or folder', 'Check the path.'],
  ENOTDIR: ['FILE_NOT_FOUND', 'a part of the path is not a folder', 'Check the path.'],
  EISDIR: ['FILE_ACCESS', 'is a folder, expected a file', 'Name a file inside it.'],
  EACCES: ['FILE_ACCESS', 'permission denied', 'Check the permissions of the file and its folder.'],
  EPERM: ['FILE_ACCESS', 'permission denied', 'Check the permissions of the file and its folder.'],
  ENOSPC: ['FILE_ACCESS', 'no space left on the disk', 'Free some space.'],
} as const

/** The EngineError for what the system said about `path`; any other error, ours included, passes through unchanged. */
export function fileError(path: string, cause: unknown): unknown {
  if (!(cause instanceof Error && 'errno' in cause && 'code' in cause)) return cause
  const known = Object.entries(meanings).find(([code]) => code === cause.code)
  const [errorCode, message, hint] = known?.[1] ?? (['FILE_ACCESS', cause.message] as const)
  return new EngineError(errorCode, message, { where: { file: path }, cause, ...(hint && { hint }) })
}
