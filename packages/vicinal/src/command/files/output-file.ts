// Checks the output file before the work, so that minutes of work do not end with "already exists".

import { stat } from 'node:fs/promises'
import { EngineError } from '@vicinal/core'

/** Refuses an existing file, unless it may be overwritten. */
export async function refuseTaken(path: string, force: boolean | undefined): Promise<void> {
  const facts = await stat(path).catch(() => undefined) // writing reports anything else that is wrong
  if (facts?.isDirectory()) {
    throw new EngineError('FILE_ACCESS', 'is a directory, expected a file', {
      where: { file: path },
      hint: 'Name a file inside it.',
    })
  }
  if (!facts || force) return
  throw new EngineError('FILE_EXISTS', 'already exists', {
    where: { file: path },
    hint: 'Choose another path, or overwrite it with --force.',
  })
}

/** How large the file is. */
export async function fileBytes(path: string): Promise<number> {
  return (await stat(path)).size
}
