// Gunzips a stream of chunks, in Node through zlib (any number of concatenated members), in browsers through
// DecompressionStream (which knows one member only).

import { EngineError } from '../../errors.ts'
import { nodeModule } from '../../platform.ts'
import { type Chunks, lookAhead, streamChunks } from './chunks.ts'
import { checkUnpacked } from './unpacked-size.ts'

const outputChunk = 2 ** 18

/**
 * The chunks as they are, or gunzipped if they begin with gzip's magic bytes 1f 8b. `name` is for messages, `most` the
 * caller's limit of what may come out (unpacked-size.ts).
 */
export async function* gunzipIfNeeded(chunks: Chunks, name: string, most?: number): AsyncGenerator<Uint8Array> {
  const { head, rest } = await lookAhead(chunks, 2)
  yield* isGzip(head) ? gunzip(rest, name, most) : rest
}

export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b
}

async function* gunzip(chunks: Chunks, name: string, most: number | undefined): AsyncGenerator<Uint8Array> {
  // A failure of the source is not a failure of gunzip: it is kept, to be thrown as it was.
  const source = watchSource(chunks)
  let unpacked = 0
  try {
    for await (const chunk of nodeModule('node:zlib') ? gunzipInNode(source.chunks) : gunzipInBrowser(source.chunks)) {
      unpacked += chunk.length
      checkUnpacked(name, unpacked, source.bytes(), most)
      yield chunk
    }
  } catch (cause) {
    if (cause instanceof EngineError) throw cause
    throw source.failure() ?? gunzipError(name, cause)
  }
}

async function* gunzipInNode(chunks: Chunks): AsyncGenerator<Uint8Array> {
  const { createGunzip } = nodeModule('node:zlib')!
  const { pipeline, Readable } = nodeModule('node:stream')!
  const unzipped = createGunzip({ chunkSize: outputChunk })
  // The callback may stay empty: pipeline also destroys `unzipped` with the error, which the loop below then throws.
  pipeline(Readable.from(chunks, { objectMode: false }), unzipped, () => {})
  yield* unzipped
}

/** The browser's way, exported for its test. */
export async function* gunzipInBrowser(chunks: Chunks): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new DecompressionStream('gzip')
  const writing = writeAll(chunks, writable)
  // A failed write also fails the reading below, which throws it; here it only must not go unhandled.
  writing.catch(() => {})
  yield* streamChunks(readable)
  await writing
}

async function writeAll(chunks: Chunks, writable: WritableStream<BufferSource>): Promise<void> {
  const writer = writable.getWriter()
  try {
    for await (const chunk of chunks) await writer.write(chunk as Uint8Array<ArrayBuffer>) // the DOM's types leave out shared memory, which no source has
    await writer.close()
  } catch (cause) {
    await writer.abort(cause).catch(() => {})
    throw cause
  }
}

function gunzipError(name: string, cause: unknown): EngineError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const truncated = /unexpected end|incomplete|truncated/i.test(reason)
  const what = truncated ? 'is truncated: it ends before its compressed data does' : `does not decompress: ${reason}`
  return new EngineError('BAD_DATA', `the gzip file ${what}`, {
    where: { file: name },
    cause,
    hint: 'Copy or download it again; `gzip -t` checks a file.',
  })
}

interface WatchedSource {
  readonly chunks: Chunks
  /** How many bytes were read. */
  bytes(): number
  failure(): unknown
}

function watchSource(chunks: Chunks): WatchedSource {
  let failure: unknown
  let bytes = 0
  async function* watched(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of chunks) {
        bytes += chunk.length
        yield chunk
      }
    } catch (cause) {
      failure = cause
      throw cause
    }
  }
  return { chunks: watched(), bytes: () => bytes, failure: () => failure }
}
