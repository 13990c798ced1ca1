// Writes a file whole or not at all: into a temporary file beside it, flushed to disk, then renamed.
// Invariant: whoever opens `path` sees the old contents or the new ones, never a part. A failed or aborted write removes
// its temporary file; only a killed process leaves one.

import { EngineError, throwIfAborted } from '../errors.ts'
import { type FileHandle, requireNodeModule } from '../platform.ts'
import { fileError } from './file-error.ts'

export interface AtomicWriteOptions {
  /** Replace a file that is there. Default false: FILE_EXISTS. */
  readonly overwrite?: boolean
  /** Stops the writing with ABORTED. */
  readonly signal?: AbortSignal
}

/** Bytes of one write. Node refuses 2 GiB and more; smaller pieces let a signal stop the work soon. */
const pieceBytes = 2 ** 26

/** `fill` gets the function that appends a chunk; once it is done, the file appears under its name. */
export async function writeAtomically(
  path: string,
  options: AtomicWriteOptions,
  fill: (write: (chunk: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<void> {
  const { open, rename, rm } = requireNodeModule('node:fs/promises', 'write a file')
  const { overwrite = false, signal } = options
  throwIfAborted(signal)
  const temporary = `${path}.${crypto.randomUUID()}.tmp`
  try {
    await checkTarget(path, overwrite)
    const file = await open(temporary, 'wx')
    try {
      await fill(chunk => append(file, chunk, signal))
      await file.sync()
    } finally {
      await file.close()
    }
    throwIfAborted(signal)
    await checkTarget(path, overwrite) // somebody may have written it in the meantime
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {}) // the first failure is the one to tell
    throw fileError(path, error)
  }
}

async function append(file: FileHandle, chunk: Uint8Array, signal: AbortSignal | undefined): Promise<void> {
  let from = 0
  while (from < chunk.length) {
    throwIfAborted(signal)
    const { bytesWritten } = await file.write(chunk, from, Math.min(pieceBytes, chunk.length - from))
    from += bytesWritten
  }
}

async function checkTarget(path: string, overwrite: boolean): Promise<void> {
  const { stat } = requireNodeModule('node:fs/promises', 'write a file')
  const target = await stat(path).catch(error => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!target) return
  // Renaming over a device or a pipe would replace it.
  if (!target.isFile()) throw new EngineError('FILE_ACCESS', 'is not a regular file', { where: { file: path } })
  if (!overwrite) {
    throw new EngineError('FILE_EXISTS', 'the file exists', {
      where: { file: path },
      hint: 'Choose another name, or ask for overwriting.',
    })
  }
}
