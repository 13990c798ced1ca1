// Reads a Parquet file with hyparquet, a row group at a time, and checks everything the format allows to check: sizes and counts
// (parquet-pages.mjs), checksums, and the statistics of the columns (parquet-statistics.mjs).

import { open } from 'node:fs/promises'
import { parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet'
import { parquetReadColumn } from 'hyparquet/src/read.js'
import { getMaxDefinitionLevel, getMaxRepetitionLevel, getTreePath } from 'hyparquet/src/schema.js'
import { packColumn, unpackedBytes } from './pack-column.mjs'
import { PageChecks } from './parquet-pages.mjs'
import { checkStatistics } from './parquet-statistics.mjs'

/** @import { AsyncBuffer, ColumnMetaData, FileMetaData, RowGroup, SchemaTree } from 'hyparquet' */

/** The most values of one column in a row group: more do not fit in an array. */
const maxGroupValues = 2 ** 26
const utf8 = new TextDecoder('utf-8', { fatal: true })
const strictParsers = { stringFromBytes: decodeText }

/** `takenBytes` counts what was read of the rows. */
/** @typedef {{ file: AsyncBuffer, metadata: FileMetaData, schema: SchemaTree, takenBytes: number }} Source */
/** @import { FileHandle } from 'node:fs/promises' */

/** @type {FileHandle | undefined} */
let handle
/** @type {Source} */
let source

/**
 * Opens the file at `path`.
 * @param {{ path: string }} args
 */
export async function openFile({ path }) {
  const file = await openBytes(path)
  const metadata = await parquetMetadataAsync(file)
  source = { file, metadata, schema: parquetSchema(metadata), takenBytes: 0 }
  checkMetadata(source)
  return {
    fileBytes: file.byteLength,
    columns: source.schema.children.map(child => child.element.name),
    groups: metadata.row_groups.map(group => ({
      rows: Number(group.num_rows),
      unpackedBytes: sum(group, 'total_uncompressed_size'),
      packedBytes: sum(group, 'total_compressed_size'),
    })),
  }
}

export async function closeFile() {
  await handle?.close()
  handle = undefined
}

/** The first row, with all its columns. */
export async function firstRow() {
  const { file, metadata } = source
  const group = metadata.row_groups.find(({ num_rows }) => num_rows > 0n)
  for (const { meta_data } of group?.columns ?? []) await checkPages(/** @type {ColumnMetaData} */ (meta_data))
  const compressors = new PageChecks([]).decompressors()
  const [row] = await parquetReadObjects({
    file,
    metadata,
    compressors,
    parsers: strictParsers,
    rowStart: 0,
    rowEnd: 1,
  })
  return row
}

/**
 * The columns of a row group, packed. All that was read of the file may take up `mostBytes`: a dictionary can unpack a text a million times.
 * @param {{ group: number, columns: readonly string[], mostBytes: number }} args
 */
export async function readGroup({ group, columns, mostBytes }) {
  const { row_groups } = source.metadata
  const before = row_groups.slice(0, group).reduce((rows, { num_rows }) => rows + Number(num_rows), 0)
  const chosen = row_groups[group]
  if (!chosen) throw new Error(`there is no row group ${group}`)
  const packed = []
  for (const name of columns) {
    const data = await readColumn(chosen, before, name)
    source.takenBytes += unpackedBytes(data)
    if (source.takenBytes > mostBytes) {
      throw new Error(`its rows unpack to more than ${mostBytes} bytes (raise maxUnpackedBytes if they are meant to)`)
    }
    packed.push(packColumn(name, data))
  }
  return packed
}

/**
 * @param {RowGroup} group
 * @param {number} before
 * @param {string} name
 */
async function readColumn(group, before, name) {
  const { file, metadata } = source
  const rows = Number(group.num_rows)
  const parts = group.columns.flatMap(({ meta_data }) => (meta_data?.path_in_schema[0] === name ? [meta_data] : []))
  const pages = []
  for (const part of parts) pages.push(...(await checkPages(part)))
  const data = await parquetReadColumn({
    file,
    metadata,
    columns: [name],
    compressors: new PageChecks(parts.length === 1 ? pages : []).decompressors(),
    parsers: strictParsers,
    rowStart: before,
    rowEnd: before + rows,
  })
  if (data.length !== rows) throw new Error(`column ${name} has ${data.length} rows, its row group has ${rows}`)
  const [part] = parts
  if (part && parts.length === 1 && part.path_in_schema.length === 1) {
    checkStatistics(name, data, part, /** @type {SchemaTree} */ (getTreePath(source.schema, [name])[1]).element)
  }
  return data
}

/**
 * The pages of a column, after they were checked.
 * @param {ColumnMetaData} column
 */
async function checkPages(column) {
  const { file, schema } = source
  const path = getTreePath(schema, column.path_in_schema)
  const [start, end] = rangeOf(column)
  const bytes = new Uint8Array(await file.slice(start, end))
  const levels = { repetition: getMaxRepetitionLevel(path), definition: getMaxDefinitionLevel(path) }
  return PageChecks.walk(bytes, column, levels)
}

/** @param {Source} opened */
function checkMetadata({ file, metadata, schema }) {
  const names = schema.children.map(child => child.element.name)
  if (new Set(names).size < names.length) throw new Error('two columns have the same name')
  const rows = metadata.row_groups.reduce((total, group) => total + group.num_rows, 0n)
  if (rows !== metadata.num_rows)
    throw new Error(`the row groups have ${rows} rows, the file says ${metadata.num_rows}`)
  for (const group of metadata.row_groups) checkGroup(group, file.byteLength, schema)
}

/**
 * @param {RowGroup} group
 * @param {number} fileBytes
 * @param {SchemaTree} schema
 */
function checkGroup({ num_rows, columns }, fileBytes, schema) {
  if (num_rows < 0n || num_rows > maxGroupValues)
    throw new Error(`a row group has ${num_rows} rows, at most ${maxGroupValues}`)
  for (const { meta_data: column } of columns) {
    if (!column) throw new Error('a column has no metadata')
    const name = column.path_in_schema.join('.')
    const [start, end] = rangeOf(column)
    if (!(start >= 4 && start <= end && end <= fileBytes)) throw new Error(`column ${name} lies outside of the file`)
    const values = column.num_values
    if (values < 0n || values > maxGroupValues) {
      throw new Error(`column ${name} has ${values} values in a row group, at most ${maxGroupValues}`)
    }
    const nested = getMaxRepetitionLevel(getTreePath(schema, column.path_in_schema)) > 0
    if (!nested && values !== num_rows) throw new Error(`column ${name} has ${values} values for ${num_rows} rows`)
  }
}

/**
 * Where a column's bytes are.
 * @param {ColumnMetaData} column
 * @returns {[start: number, end: number]}
 */
function rangeOf({ dictionary_page_offset, data_page_offset, total_compressed_size }) {
  const start = Number(dictionary_page_offset || data_page_offset)
  return [start, start + Number(total_compressed_size)]
}

/**
 * @param {RowGroup} group
 * @param {'total_uncompressed_size' | 'total_compressed_size'} field
 */
function sum(group, field) {
  return group.columns.reduce((total, { meta_data }) => total + Number(meta_data?.[field] ?? 0), 0)
}

/**
 * The file's bytes; what lies outside of it is refused.
 * @param {string} path
 * @returns {Promise<AsyncBuffer>}
 */
async function openBytes(path) {
  await closeFile()
  const opened = await open(path)
  handle = opened
  const { size } = await opened.stat()
  return {
    byteLength: size,
    async slice(start, end = size) {
      if (!(start >= 0 && start <= end && end <= size))
        throw new Error(`bytes ${start} to ${end} lie outside of the file`)
      const bytes = new Uint8Array(end - start)
      const { bytesRead } = await opened.read(bytes, 0, bytes.length, start)
      if (bytesRead < bytes.length) throw new Error('the file got shorter while it was read')
      return bytes.buffer
    },
  }
}

/** @param {Uint8Array | undefined} bytes */
function decodeText(bytes) {
  try {
    return bytes && utf8.decode(bytes)
  } catch {
    throw new Error('a text is not valid UTF-8')
  }
}
