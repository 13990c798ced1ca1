// Whether a library may open an input's file itself: only where there is a file and it is not gzipped.

import { EngineError } from '@vicinal/core'
import type { Input } from '@vicinal/core/data'

/** The path of a file that is stored as it is read; undefined for gzipped files, URLs, blobs and streams. */
export async function seekablePath(input: Input): Promise<string | undefined> {
  if (input.path === undefined) return undefined
  const { open } = await import('node:fs/promises')
  const file = await open(input.path).catch(cause => {
    throw new EngineError('FILE_ACCESS', `${input.name} cannot be opened`, { cause, hint: 'Check the path.' })
  })
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(2), 0, 2, 0)
    const gzipped = bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b
    return gzipped ? undefined : input.path
  } finally {
    await file.close()
  }
}
