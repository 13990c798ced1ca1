// Parquet, read with hyparquet, which is loaded when the first file is. Columns have the roles that fields of JSON Lines
// have: text, labels, id, vector, by their names or the caller's options; lists are labels or vectors. In messages the
// line is the row, counted from 1.

import { type Dataset, EngineError, throwIfAborted } from '@vicinal/core'
import { type Format, type Input, type ReadOptions, RecordReader, readAll } from '@vicinal/core/data'
import type { AsyncBuffer, Compressors, FileMetaData } from 'hyparquet'
import { seekablePath } from './seekable-path.ts'

type Hyparquet = typeof import('hyparquet')

/** `PAR1` */
const magic = Object.freeze([0x50, 0x41, 0x52, 0x31])

export const parquet: Format = Object.freeze({
  name: 'parquet',
  title: 'Parquet: columns with text or vectors, and labels',
  extensions: Object.freeze(['parquet']),
  recognize: (head: Uint8Array) => magic.every((byte, i) => head[i] === byte),
  read,
})

async function read(input: Input, options: ReadOptions): Promise<Dataset> {
  const library = await import('hyparquet')
  const file = await openFile(library, input, options)
  const metadata = await guard(input, async () => library.parquetMetadataAsync(file))
  const source: Source = { input, library, file, metadata, compressors: await platformCompressors() }
  const reader = new RecordReader(input.name, options)
  const rows = Number(metadata.num_rows)
  for (const [from, to] of rowRanges(metadata)) {
    throwIfAborted(options.signal)
    await takeRows(source, reader, from, to)
    options.onProgress?.({ what: 'reading', done: to, total: rows })
  }
  return reader.finish()
}

/** The first row, which tells the columns that are needed of the others; then row group by row group. */
function* rowRanges(metadata: FileMetaData): Generator<[from: number, to: number]> {
  let from = 0
  let end = 0
  for (const group of metadata.row_groups) {
    end += Number(group.num_rows)
    if (from === 0 && end > 0) yield [from++, 1]
    if (from < end) yield [from, end]
    from = end
  }
}

interface Source {
  readonly input: Input
  readonly library: Hyparquet
  readonly file: AsyncBuffer
  readonly metadata: FileMetaData
  readonly compressors: Compressors
}

async function openFile(library: Hyparquet, input: Input, options: ReadOptions): Promise<AsyncBuffer> {
  const path = await seekablePath(input)
  if (path !== undefined) return library.asyncBufferFromFile(path)
  const bytes = await readAll(input, options)
  return {
    byteLength: bytes.length,
    slice: (start, end) => Uint8Array.from(bytes.subarray(start, end)).buffer,
  }
}

async function takeRows(source: Source, reader: RecordReader, rowStart: number, rowEnd: number): Promise<void> {
  const { input, library, file, metadata, compressors } = source
  const columns = reader.fields && { columns: [...reader.fields] }
  const records = await guard(input, () =>
    library.parquetReadObjects({ file, metadata, compressors, rowStart, rowEnd, ...columns }),
  )
  records.forEach((record, i) => {
    reader.take(rowStart + i + 1, () => record)
  })
}

/** The decompressors that the platform has; hyparquet itself knows Snappy only. */
async function platformCompressors(): Promise<Compressors> {
  if (globalThis.process?.getBuiltinModule === undefined) return {}
  // Node has zstd from 22.15 on.
  const zlib: typeof import('node:zlib') & { zstdDecompressSync?: (bytes: Uint8Array) => Uint8Array } = await import(
    'node:zlib'
  )
  const { gunzipSync, brotliDecompressSync, zstdDecompressSync } = zlib
  return {
    GZIP: bytes => gunzipSync(bytes),
    BROTLI: bytes => brotliDecompressSync(bytes),
    ...(zstdDecompressSync && { ZSTD: bytes => zstdDecompressSync(bytes) }),
  }
}

/** Turns the library's failures into ours. */
async function guard<T>(input: Input, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof EngineError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    const unsupported = reason.includes('unsupported')
    throw new EngineError(unsupported ? 'UNSUPPORTED' : 'BAD_DATA', `the Parquet file cannot be read: ${reason}`, {
      where: { file: input.name },
      cause,
      hint: unsupported ? 'Write it again with Snappy or no compression.' : 'Copy or download it again.',
    })
  }
}
