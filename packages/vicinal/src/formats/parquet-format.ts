// Parquet, read with hyparquet in a process of its own. Columns have the roles that fields of JSON Lines have: text, labels, id,
// vector, by their names or the caller's options; lists are labels or vectors. In messages the line is the row, counted from 1.

import type { Dataset } from '@vicinal/core'
import type { Format, Input, ReadOptions } from '@vicinal/core/data'
import { checkUnpacked, maxUnpacked, RecordReader } from '@vicinal/core/internals'
import type { PackedColumn } from './library/pack-column.mjs'
import { LibraryProcess, withLibrary } from './library-process.ts'
import { withLocalFile } from './local-file.ts'

/** `PAR1` */
const magic = Object.freeze([0x50, 0x41, 0x52, 0x31])

export const parquet: Format = Object.freeze({
  name: 'parquet',
  title: 'Parquet: columns with text or vectors, and labels',
  extensions: Object.freeze(['parquet']),
  recognize: isParquet,
  read,
})

function isParquet(head: Uint8Array): boolean {
  return magic.every((byte, i) => head[i] === byte)
}

type FieldRecord = Readonly<Record<string, unknown>>

interface Group {
  readonly rows: number
  readonly packedBytes: number
  readonly unpackedBytes: number
}

interface Opened {
  readonly fileBytes: number
  readonly columns: readonly string[]
  readonly groups: readonly Group[]
}

async function read(input: Input, options: ReadOptions): Promise<Dataset> {
  return withLocalFile(input, options, { title: 'Parquet', isIn: isParquet }, path =>
    withLibrary('parquet', input.name, options, library => readFile(library, path, input, options)),
  )
}

async function readFile(library: LibraryProcess, path: string, input: Input, options: ReadOptions): Promise<Dataset> {
  const { fileBytes, groups } = await library.call<Opened>({ method: 'openFile', args: { path } })
  const [total, unpacked] = [sum(groups, 'rows'), sum(groups, 'unpackedBytes')]
  checkUnpacked(input.name, unpacked, fileBytes, options.maxUnpackedBytes)
  const reader = new RecordReader(input.name, options)
  if (total === 0) return reader.finish()
  // The first row tells the columns that are needed of the others.
  const first = await library.call<FieldRecord>({ method: 'firstRow', bytes: groups[0]?.unpackedBytes ?? 0 })
  reader.take(1, () => first)
  let done = 0
  const wanted = { columns: reader.fields ?? [], mostBytes: maxUnpacked(fileBytes, options.maxUnpackedBytes) }
  for await (const group of readGroups(library, groups, wanted)) {
    takeRows(reader, group, done)
    done += group.rows
    options.onProgress?.({ what: 'reading', done, total })
  }
  return reader.finish()
}

/** The rows of a Parquet file with all their columns, as they are stored. */
export async function* parquetRows(path: string, options: ReadOptions = {}): AsyncGenerator<FieldRecord> {
  const library = new LibraryProcess('parquet', path, options)
  try {
    const { fileBytes, groups, columns } = await library.call<Opened>({ method: 'openFile', args: { path } })
    checkUnpacked(path, sum(groups, 'unpackedBytes'), fileBytes, options.maxUnpackedBytes)
    if (sum(groups, 'rows') === 0) return
    const wanted = { columns, mostBytes: maxUnpacked(fileBytes, options.maxUnpackedBytes) }
    for await (const group of readGroups(library, groups, wanted)) {
      for (let i = 0; i < group.rows; i++) yield rowOf(group, i)
    }
  } finally {
    await library.end()
  }
}

/** The columns of one group after another; the next one is read while the caller works. */
async function* readGroups(
  library: LibraryProcess,
  groups: readonly Group[],
  wanted: { readonly columns: readonly string[]; readonly mostBytes: number },
): AsyncGenerator<GroupColumns> {
  const start = async (group: number): Promise<GroupColumns> => {
    const { rows, unpackedBytes: bytes } = groups[group]!
    const packed = await library.call<PackedColumn[]>({ method: 'readGroup', args: { group, ...wanted }, bytes })
    return { rows, columns: packed.map(unpackColumn) }
  }
  const filled = groups.flatMap(({ rows }, group) => (rows > 0 ? [group] : []))
  let next = start(filled[0]!)
  for (let i = 0; i < filled.length; i++) {
    const columns = await next
    if (i + 1 < filled.length) {
      next = start(filled[i + 1]!)
      next.catch(() => {}) // thrown when it is awaited, unless the caller has failed before
    }
    yield columns
  }
}

interface GroupColumns {
  readonly rows: number
  readonly columns: readonly Column[]
}

interface Column {
  readonly name: string
  /** The value of row `i` of the group. */
  readonly at: (i: number) => unknown
}

function unpackColumn(column: PackedColumn): Column {
  const { name, values } = column
  if (column.kind === 'plain') return { name, at: i => values[i] }
  const numbers = column.values
  const offsets = new Float64Array(column.lengths.length + 1)
  column.lengths.forEach((length, i) => {
    offsets[i + 1] = offsets[i]! + length
  })
  return { name, at: i => numbers.subarray(offsets[i], offsets[i + 1]) }
}

/** Takes the rows of a group, after `before` earlier rows; the very first row was already taken. */
function takeRows(reader: RecordReader, group: GroupColumns, before: number): void {
  for (let i = before === 0 ? 1 : 0; i < group.rows; i++) reader.take(before + i + 1, () => rowOf(group, i))
}

function rowOf({ columns }: GroupColumns, i: number): FieldRecord {
  return Object.fromEntries(columns.map(({ name, at }) => [name, at(i)]))
}

function sum(groups: readonly Group[], field: keyof Group): number {
  return groups.reduce((total, group) => total + group[field], 0)
}
