// Reads a binary input piece by piece: this many bytes into the caller's array, wherever the chunks are cut.

import { EngineError } from '../../errors.ts'
import type { LongWork } from '../../long-work.ts'
import type { Input } from '../format.ts'
import { watchChunks } from './byte-source.ts'

export class ByteReader {
  /** What messages call the input. */
  readonly file: string
  readonly #chunks: AsyncIterator<Uint8Array>
  #chunk = new Uint8Array(0)

  constructor(file: string, chunks: AsyncIterable<Uint8Array>) {
    this.file = file
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** Fills `target` with the next bytes; returns how many there were, fewer than asked only at the end. */
  async fill(target: Uint8Array): Promise<number> {
    let filled = 0
    while (filled < target.length && (await this.#hasBytes())) {
      const part = this.#chunk.subarray(0, target.length - filled)
      target.set(part, filled)
      filled += part.length
      this.#chunk = this.#chunk.subarray(part.length)
    }
    return filled
  }

  /** The next `count` bytes, fewer only at the end. */
  async take(count: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(count)
    return bytes.subarray(0, await this.fill(bytes))
  }

  /** Refuses bytes behind the end of what was promised. */
  async expectEnd(what: string): Promise<void> {
    if (!(await this.#hasBytes())) return
    throw this.error(
      `there are more bytes after the last of ${what}`,
      'Are these two files in one, or is the header wrong?',
    )
  }

  /** A BAD_DATA error about this input. */
  error(message: string, hint?: string): EngineError {
    return new EngineError('BAD_DATA', message, { where: { file: this.file }, ...(hint !== undefined && { hint }) })
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  async #hasBytes(): Promise<boolean> {
    while (this.#chunk.length === 0) {
      const next = await this.#chunks.next()
      if (next.done) return false
      this.#chunk = next.value as Uint8Array<ArrayBuffer> // never shared memory
    }
    return true
  }
}

/** Runs `read` on the input's bytes and closes it, whatever happens. */
export async function readBinary<T>(
  input: Input,
  work: LongWork,
  read: (reader: ByteReader) => Promise<T>,
): Promise<T> {
  const reader = new ByteReader(input.name, watchChunks(input, work))
  try {
    return await read(reader)
  } finally {
    await reader.close()
  }
}
