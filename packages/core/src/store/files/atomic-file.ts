// Writes a file whole or not at all: into a temporary file next to it, flushed to disk, then renamed, and the folder flushed too.
// Invariant: whoever opens `path` sees the old contents or the new ones, never a part. A failed or aborted write removes
// its temporary file; only a killed process leaves one.

import { EngineError, throwIfAborted } from '../../errors.ts'
import { checkFunction, checkPath } from '../../options.ts'
import { type FileHandle, requireNodeModule } from '../../platform.ts'
import type { WebSignal } from '../../web-types.ts'
import { errno, fileError } from './file-error.ts'
import { type AtomicWriteOptions, checkWriteOptions } from './write-options.ts'

/** Bytes of one write. Node refuses 2 GiB and more; smaller pieces let a signal stop the work soon. */
const pieceBytes = 2 ** 24

/** A file's bytes are flushed this often: a flush of all of them at the end would keep other flushes waiting. */
const flushBytes = 2 ** 24

type Files = typeof import('node:fs/promises')

/** `fill` gets the function that appends a chunk; once it is done, the file appears under its name. */
export async function writeAtomically(
  path: string,
  options: AtomicWriteOptions,
  fill: (write: (chunk: Uint8Array | string) => Promise<void>) => Promise<void>,
): Promise<void> {
  checkWriteOptions(options)
  checkPath('path', path)
  checkFunction('fill', fill)
  const files = requireNodeModule('node:fs/promises', 'write a file')
  const { overwrite = false, signal } = options
  throwIfAborted(signal)
  let temporary: string | undefined
  try {
    const { target, mode } = await findTarget(files, path, overwrite)
    temporary = `${target}.${crypto.randomUUID()}.tmp`
    const file = await files.open(temporary, 'wx', mode).catch(error => Promise.reject(folderMissing(path, error)))
    try {
      if (mode !== undefined) await file.chmod(mode) // the mode it was opened with lacks what the umask forbids
      const unflushed = { bytes: 0 }
      await fill(chunk => append(file, chunk, unflushed, signal))
      await file.sync()
    } finally {
      await file.close()
    }
    throwIfAborted(signal)
    await (overwrite ? files.rename(temporary, target) : moveToFree(files, temporary, target))
    await syncFolderOf(files, target)
  } catch (error) {
    throw fileError(path, error)
  } finally {
    if (temporary) await files.rm(temporary, { force: true }).catch(() => {}) // report the first failure
  }
}

async function append(
  file: FileHandle,
  chunk: Uint8Array | string,
  unflushed: { bytes: number },
  signal: WebSignal | undefined,
): Promise<void> {
  const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
  let from = 0
  while (from < bytes.length) {
    throwIfAborted(signal)
    const { bytesWritten } = await file.write(bytes, from, Math.min(pieceBytes, bytes.length - from))
    from += bytesWritten
    unflushed.bytes += bytesWritten
    if (unflushed.bytes < flushBytes) continue
    await file.datasync()
    unflushed.bytes = 0
  }
}

interface Target {
  readonly target: string
  /** The permissions of the file that is replaced. */
  readonly mode?: number
}

/** The file to replace or make, links followed. */
async function findTarget(files: Files, path: string, overwrite: boolean): Promise<Target> {
  const found = await files.stat(path).catch(error => {
    if (errno(error) === 'ENOENT') return undefined
    throw error
  })
  if (!found) return { target: path }
  if (found.isDirectory()) {
    throw new EngineError('FILE_ACCESS', 'is a directory, expected a file', {
      where: { file: path },
      hint: 'Name a file inside it.',
    })
  }
  // Renaming over a device or a pipe would replace it.
  if (!found.isFile()) {
    throw new EngineError('FILE_ACCESS', 'is not a regular file', {
      where: { file: path },
      hint: 'Give the path of a file to write.',
    })
  }
  if (!overwrite) throw fileExists(path)
  return { target: await files.realpath(path), mode: found.mode & 0o7777 }
}

/** Unlike a rename, a link fails if a file has appeared in the meantime. Some file systems have no links. */
async function moveToFree(files: Files, temporary: string, target: string): Promise<void> {
  try {
    await files.link(temporary, target)
  } catch (cause) {
    if (errno(cause) === 'EEXIST') throw fileExists(target)
    await files.rename(temporary, target)
  }
}

/** A new name is part of the folder's data: it survives a power cut only if that was flushed. */
async function syncFolderOf(files: Files, path: string): Promise<void> {
  const { dirname } = requireNodeModule('node:path', 'write a file')
  const folder = await files.open(dirname(path), 'r').catch(() => undefined) // Windows opens no folders
  try {
    await folder?.sync().catch(() => {}) // some file systems flush no folders; the file itself is safe
  } finally {
    await folder?.close()
  }
}

/** Creating a new file fails only if its folder does not exist. */
function folderMissing(path: string, cause: unknown): unknown {
  if (errno(cause) !== 'ENOENT') return cause
  const { dirname } = requireNodeModule('node:path', 'write a file')
  return new EngineError('FILE_NOT_FOUND', `the folder '${dirname(path)}' does not exist`, {
    where: { file: path },
    hint: 'Create the folder first, or choose another path.',
    cause,
  })
}

function fileExists(path: string): EngineError {
  return new EngineError('FILE_EXISTS', 'already exists', {
    where: { file: path },
    hint: 'Choose another path, or pass { overwrite: true }.',
  })
}
