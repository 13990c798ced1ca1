// Reads parts of a file. Bundlers for pages use no-files.ts instead (see package.json): pages have no files.

import { EngineError } from '../../errors.ts'
import { checkPath } from '../../options.ts'
import { type FileHandle, requireNodeModule } from '../../platform.ts'
import { damaged } from '../parse-header.ts'
import { fileError } from './file-error.ts'

/** Fills `target` with the bytes of the file from `at` on. */
export type ReadAt = (target: Uint8Array, at: number) => Promise<void>

/** Opens `path`, calls `use` and closes it. Errors of the system become EngineErrors. */
export async function withFile<T>(path: string, use: (read: ReadAt, fileBytes: number) => Promise<T>): Promise<T> {
  checkPath('path', path)
  const { open, stat } = requireNodeModule('node:fs/promises', 'read a file')
  let file: FileHandle | undefined
  try {
    // Checked before opening: opening a pipe would wait until something is written to it.
    const facts = await stat(path)
    if (!facts.isFile()) throw new EngineError('FILE_ACCESS', 'is not a regular file', { where: { file: path } })
    const opened = await open(path)
    file = opened
    return await use((target, at) => fill(opened, target, at, path), facts.size)
  } catch (error) {
    throw fileError(path, error)
  } finally {
    await file?.close()
  }
}

async function fill(file: FileHandle, target: Uint8Array, at: number, path: string): Promise<void> {
  let done = 0
  while (done < target.length) {
    const { bytesRead } = await file.read(target, done, target.length - done, at + done)
    if (bytesRead === 0) throw damaged(path, `ends at byte ${at + done}: it was changed while it was read`)
    done += bytesRead
  }
}
