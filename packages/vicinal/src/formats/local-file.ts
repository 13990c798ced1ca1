// Libraries that seek need a file that is stored as it is read. Anything else, a gzipped file, a URL, bytes or a stream, is
// first written to a temporary one.

import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EngineError } from '@vicinal/core'
import type { Input, ReadOptions } from '@vicinal/core/data'
import { throwIfAborted } from '@vicinal/core/internals'

/** The name of the format, and whether a file can begin like this: checked before a whole stream is stored. */
export interface Signature {
  readonly title: string
  isIn(head: Uint8Array): boolean
}

/** Runs `work` with the path of a file that holds the input's bytes. */
export async function withLocalFile<T>(
  input: Input,
  options: ReadOptions,
  signature: Signature,
  work: (path: string) => Promise<T>,
): Promise<T> {
  if (input.path !== undefined) return work(input.path)
  const folder = await mkdtemp(join(tmpdir(), 'vicinal-'))
  try {
    const path = join(folder, 'input')
    await store(input, path, options, signature)
    return await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A pipe or device may never end, and no engine holds more. */
const usualBytes = 2 ** 32
const headBytes = 2 ** 16

async function store(input: Input, path: string, options: ReadOptions, signature: Signature): Promise<void> {
  const { signal, onProgress, maxUnpackedBytes = usualBytes } = options
  const file = await open(path, 'wx+')
  try {
    let [done, isKnown] = [0, false]
    for await (const chunk of input.chunks) {
      throwIfAborted(signal)
      await file.writeFile(chunk)
      done += chunk.length
      if (done > maxUnpackedBytes) throw tooLong(input.name, maxUnpackedBytes)
      if (!isKnown && done >= headBytes) {
        await checkSignature(file, input.name, signature)
        isKnown = true
      }
      onProgress?.({ what: 'reading', done })
    }
    if (!isKnown) await checkSignature(file, input.name, signature)
  } finally {
    await file.close()
  }
}

async function checkSignature(file: FileHandle, name: string, { title, isIn }: Signature): Promise<void> {
  const { buffer, bytesRead } = await file.read(new Uint8Array(headBytes), 0, headBytes, 0)
  if (isIn(buffer.subarray(0, bytesRead))) return
  throw new EngineError('BAD_DATA', `not a valid ${title} file: its first bytes do not match`, {
    where: { file: name },
    hint: 'Is it in another format? If not, copy or download it again.',
  })
}

function tooLong(file: string, most: number): EngineError {
  return new EngineError('BAD_DATA', `the data has more than ${most} bytes`, {
    where: { file },
    hint: 'If the data is meant to be this large, raise `maxUnpackedBytes`, or store it as a file and give its path.',
  })
}
