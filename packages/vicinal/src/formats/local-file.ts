// Libraries that seek need a file that is stored as it is read. Anything else, a gzipped file, a URL, bytes or a stream, is
// first written to a temporary one.

import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EngineError, throwIfAborted } from '@vicinal/core'
import type { Input, ReadOptions } from '@vicinal/core/data'

/** Runs `work` with the path of a file that holds the input's bytes. */
export async function withLocalFile<T>(
  input: Input,
  options: ReadOptions,
  work: (path: string) => Promise<T>,
): Promise<T> {
  if (input.path !== undefined) return work(input.path)
  const folder = await mkdtemp(join(tmpdir(), 'vicinal-'))
  try {
    const path = join(folder, 'input')
    await store(input, path, options)
    return await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A pipe or device may never end. */
const maxStoredBytes = 2 ** 36

async function store(input: Input, path: string, { signal, onProgress }: ReadOptions): Promise<void> {
  const file = await open(path, 'wx')
  try {
    let done = 0
    for await (const chunk of input.chunks) {
      throwIfAborted(signal)
      await file.writeFile(chunk)
      done += chunk.length
      if (done > maxStoredBytes) throw tooLong(input.name)
      onProgress?.({ what: 'reading', done })
    }
  } finally {
    await file.close()
  }
}

function tooLong(file: string): EngineError {
  return new EngineError('OUT_OF_MEMORY', `there are more than ${maxStoredBytes} bytes`, {
    where: { file },
    hint: 'Store the data as a file that is not compressed, and give its path.',
  })
}
