// Where bytes come from: a file, a URL, memory or a stream, all opened as one `Input` that gunzips on the way.
// Invariant: `chunks` yields Uint8Arrays and fails with EngineErrors only.

import { EngineError, throwIfAborted } from '../../errors.ts'
import type { LongWork } from '../../long-work.ts'
import { allocate } from '../../matrix/checks.ts'
import {
  checkObject,
  checkOptions,
  checkPath,
  checkSignal,
  checkText,
  optionTable,
  refuse,
  workOptions,
} from '../../options.ts'
import { nodeModule, requireNodeModule } from '../../platform.ts'
import { fileError } from '../../store/files/file-error.ts'
import type { WebBlob, WebSignal, WebStream, WebUrl } from '../../web-types.ts'
import type { Input } from '../format.ts'
import { type Chunks, joinChunks, lookAhead, streamChunks, untilAborted } from './chunks.ts'
import { gunzipIfNeeded, isGzip } from './gunzip.ts'
import { sparingly } from './sparing-progress.ts'
import { checkUnpackedLimit } from './unpacked-size.ts'

/** What to read; strings are file paths, or URLs if they begin with `http://` or `https://`. */
export type Source = string | WebUrl | Uint8Array | WebBlob | WebStream | AsyncIterable<Uint8Array>

export interface OpenOptions {
  /** What messages call the source. Default: the path or URL, or '(memory)', '(stream)'. */
  readonly name?: string
  /** Stops the reading with an ABORTED error. */
  readonly signal?: WebSignal | undefined
  /** The most bytes that compressed data may unpack to. Default: 256 MiB, or 100 times its size if that is more. */
  readonly maxUnpackedBytes?: number | undefined
}

const openOptions = optionTable<OpenOptions>({
  name: checkText,
  signal: checkSignal,
  maxUnpackedBytes: checkUnpackedLimit,
})

/** What is read into one array at most: a stream may never end. */
const maxWholeBytes = 2 ** 31
const fileChunk = 2 ** 19

/** Opens a source. A file that is missing or may not be read fails here, not at the first chunk. */
export async function openInput(source: Source, options: OpenOptions = {}): Promise<Input> {
  checkOptions(options, openOptions)
  throwIfAborted(options.signal)
  if (typeof source === 'string') return openLocation(source, options)
  if (source instanceof URL) return openUrl(source, options)
  if (source instanceof Uint8Array) return toInput(options.name ?? '(memory)', options, once(source))
  if (source instanceof Blob) return openBlob(source, options)
  checkStream(source)
  return toInput(options.name ?? '(stream)', options, source instanceof ReadableStream ? streamChunks(source) : source)
}

function checkStream(source: unknown): void {
  const isObject = typeof source === 'object' && source !== null
  if (source instanceof ReadableStream || (isObject && Symbol.asyncIterator in source)) return
  refuse('source', source, 'a path, a URL, bytes, a Blob or a stream of bytes')
}

/** All of an input's bytes in one array. */
export async function readAll(input: Input, work: LongWork = {}): Promise<Uint8Array> {
  checkOptions(work, workOptions)
  checkObject('input', input, 'an input, as returned by openInput')
  checkStream(input.chunks)
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of watchChunks(input, work)) {
    bytes += chunk.length
    if (bytes > maxWholeBytes) throw tooLong(input.name)
    parts.push(chunk)
  }
  return allocate(`the ${bytes} bytes of ${input.name}`, () => joinChunks(parts))
}

/** The first bytes (fewer if there are fewer), and an input that still yields everything, once. */
export async function peek(input: Input, bytes: number): Promise<{ head: Uint8Array; input: Input }> {
  const { head, rest } = await lookAhead(input.chunks, bytes)
  return { head, input: { ...input, chunks: rest, sibling: name => input.sibling(name) } }
}

/** Lets go of an input that may not have been read to its end. */
export async function closeInput(input: Input): Promise<void> {
  await input.chunks[Symbol.asyncIterator]().return?.()
}

/** An input's chunks, obeying `signal` and telling `onProgress` how many bytes are done: of a file, those on disk. */
export async function* watchChunks(input: Input, { signal, onProgress }: LongWork): AsyncGenerator<Uint8Array> {
  const tell = sparingly(onProgress)
  let done = 0
  for await (const chunk of input.chunks) {
    throwIfAborted(signal)
    yield chunk
    done += chunk.length
    tell({ what: 'reading', ...(input.way?.() ?? { done }) })
  }
  throwIfAborted(signal)
  tell({ what: 'reading', done, total: done })
}

async function openLocation(location: string, options: OpenOptions): Promise<Input> {
  if (!/^https?:\/\//i.test(location)) return openFile(location, options)
  if (URL.canParse(location)) return openUrl(new URL(location), options)
  throw new EngineError('INVALID_OPTION', `${location} is not a URL`, {
    hint: 'Give the full URL, including the host.',
  })
}

async function openUrl(url: URL, options: OpenOptions): Promise<Input> {
  if (url.protocol !== 'file:') return openWeb(url, options)
  const nodeUrl = nodeModule('node:url')
  return openFile(nodeUrl ? nodeUrl.fileURLToPath(url) : url.pathname, options)
}

async function openFile(path: string, options: OpenOptions): Promise<Input> {
  checkPath('path', path)
  const fs = nodeModule('node:fs')
  const { dirname, join } = nodeModule('node:path') ?? {}
  if (!fs || !dirname || !join) {
    throw new EngineError('UNSUPPORTED', `cannot open ${path}: there is no file system here`, {
      hint: 'In a browser, pass a File, a Blob, bytes or an http(s) URL.',
    })
  }
  const { seekable, isPipe, bytes } = await checkReadable(fs, path)
  // Only its signal can close a stream that waits for bytes.
  const work = options.signal ? { signal: options.signal } : {}
  const file = { highWaterMark: fileChunk, ...work }
  let bytesRead = () => 0
  const open = () => {
    throwIfAborted(options.signal) // a stream that begins with a fired signal fails before anybody listens
    if (isPipe) return openPipe(fs, path, work)
    const stream = fs.createReadStream(path, file)
    bytesRead = () => stream.bytesRead
    return stream
  }
  const chunks = { [Symbol.asyncIterator]: () => open().iterator() }
  const sibling = (name: string) => orNothing(openFile(join(dirname(path), name), forSibling(options)))
  const way = bytes === undefined ? {} : { way: () => ({ done: bytesRead(), total: bytes }) }
  return { ...toInput(options.name ?? path, options, chunks), ...(seekable && { path }), ...way, sibling }
}

/**
 * A named pipe. Read as a file it would hold a thread of Node's until somebody writes into it, and the process could not end; as a
 * socket it is waited for by the event loop.
 */
function openPipe(
  fs: typeof import('node:fs'),
  path: string,
  work: { readonly signal?: AbortSignal },
): import('node:stream').Readable {
  const { Socket } = requireNodeModule('node:net', 'read a pipe')
  const { O_RDONLY, O_NONBLOCK } = fs.constants
  return new Socket({ fd: fs.openSync(path, O_RDONLY | O_NONBLOCK), readable: true, writable: false, ...work })
}

interface Readability {
  /** Whether a library may seek in it: it is neither a pipe nor compressed. */
  readonly seekable: boolean
  readonly isPipe: boolean
  /** Its length, if that is known. */
  readonly bytes?: number
}

/** Fails if `path` cannot be read. */
async function checkReadable(fs: typeof import('node:fs'), path: string): Promise<Readability> {
  try {
    const stats = await fs.promises.stat(path)
    if (stats.isDirectory()) throw Object.assign(new Error('is a directory'), { code: 'EISDIR' })
    if (!stats.isFile()) return { seekable: false, isPipe: stats.isFIFO() }
    const file = await fs.promises.open(path)
    try {
      const head = new Uint8Array(2)
      await file.read(head)
      return { seekable: !isGzip(head), isPipe: false, bytes: stats.size }
    } finally {
      await file.close()
    }
  } catch (cause) {
    throw fileError(path, cause)
  }
}

async function openWeb(url: URL, options: OpenOptions): Promise<Input> {
  const name = options.name ?? url.href
  const response = await fetch(url, options.signal ? { signal: options.signal } : {}).catch(cause => {
    throwIfAborted(options.signal)
    throw new EngineError('FILE_ACCESS', `${name}: the request failed`, {
      cause,
      hint: 'Check the URL and your connection.',
    })
  })
  if (!response.ok) {
    const code = response.status === 404 || response.status === 410 ? 'FILE_NOT_FOUND' : 'FILE_ACCESS'
    throw new EngineError(code, `${name}: the server answered ${response.status}`, { hint: 'Check the URL.' })
  }
  const input = toInput(name, options, response.body ? streamChunks(response.body) : once(new Uint8Array(0)))
  return { ...input, sibling: file => orNothing(openWeb(new URL(file, url), forSibling(options))) }
}

function openBlob(blob: Blob, options: OpenOptions): Input {
  const fileName = 'name' in blob && typeof blob.name === 'string' ? blob.name : '(memory)'
  return toInput(options.name ?? fileName, options, { [Symbol.asyncIterator]: () => streamChunks(blob.stream()) })
}

function toInput(name: string, { signal, maxUnpackedBytes }: OpenOptions, raw: Chunks): Input {
  const heard = signal ? untilAborted(raw, signal) : raw
  const unpacked = () => gunzipIfNeeded(onlyBytes(heard, name), name, maxUnpackedBytes)
  const chunks = { [Symbol.asyncIterator]: () => guard(unpacked(), name, signal) }
  return { name, chunks, sibling: async () => undefined }
}

/** Obeys the signal, and turns foreign failures into ours. */
async function* guard(chunks: Chunks, name: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of chunks) {
      throwIfAborted(signal)
      yield chunk
    }
  } catch (cause) {
    throwIfAborted(signal)
    throw readError(name, cause)
  }
}

async function* onlyBytes(chunks: Chunks, name: string): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array)) {
      throw new EngineError('INVALID_OPTION', `${name}: the stream yields ${typeof chunk}s, expected Uint8Arrays`)
    }
    yield chunk
  }
}

function once(bytes: Uint8Array): Chunks {
  return {
    async *[Symbol.asyncIterator]() {
      yield bytes
    },
  }
}

function forSibling({ signal, maxUnpackedBytes }: OpenOptions): OpenOptions {
  return { signal, maxUnpackedBytes }
}

function tooLong(file: string): EngineError {
  return new EngineError(
    'OUT_OF_MEMORY',
    `the data has more than ${maxWholeBytes} bytes, and this format has to be read into memory at once`,
    {
      where: { file },
      hint: 'Save it as an uncompressed file, and pass its path.',
    },
  )
}

async function orNothing(opening: Promise<Input>): Promise<Input | undefined> {
  return opening.catch(error => {
    if (error instanceof EngineError && error.code === 'FILE_NOT_FOUND') return undefined
    throw error
  })
}

/** Whatever a source fails with, a file or a caller's stream, as an EngineError. */
function readError(name: string, cause: unknown): unknown {
  const known = fileError(name, cause)
  if (known instanceof EngineError) return known
  const message = cause instanceof Error ? cause.message : String(cause)
  return new EngineError('FILE_ACCESS', message, { where: { file: name }, cause })
}
