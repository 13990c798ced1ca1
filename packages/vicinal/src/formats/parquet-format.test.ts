import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Dataset, DenseMatrix } from '@vicinal/core'
import type { ReadOptions } from '@vicinal/core/data'
import { openInput } from '@vicinal/core/internals'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parquet } from './parquet-format.ts'

type Schema = NonNullable<Parameters<typeof parquetWriteBuffer>[0]['schema']>
type Kind = keyof typeof elements
type Column = readonly [name: string, kind: Kind | readonly [Kind], data: unknown[]]

const elements = {
  STRING: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  FLOAT: { type: 'FLOAT' },
  INT32: { type: 'INT32' },
  INT64: { type: 'INT64' },
} as const

/** A column of numbers or strings, or, where the kind is in brackets, of lists of them. */
function schemaOf([name, kind]: Column): Schema {
  if (typeof kind === 'string') return [{ name, repetition_type: 'OPTIONAL', ...elements[kind] }]
  return [
    { name, repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'OPTIONAL', ...elements[kind[0]] },
  ]
}

function fileOf(...columns: Column[]): Uint8Array {
  const schema = [{ name: 'root', num_children: columns.length }, ...columns.flatMap(schemaOf)]
  return new Uint8Array(parquetWriteBuffer({ schema, columnData: columns.map(([name, , data]) => ({ name, data })) }))
}

async function read(bytes: Uint8Array, options: ReadOptions = {}): Promise<Dataset> {
  return parquet.read(await openInput(bytes, { name: 'a.parquet' }), options)
}

/** The label names of each row. */
const labelsOf = ({ labels, labelNames, rows }: Dataset): (string | undefined)[][] =>
  Array.from({ length: rows }, (_, i) => Array.from(labels?.row(i) ?? [], label => labelNames?.[label]))

const books = fileOf(
  ['id', 'INT64', [1n, 2n, 3n]],
  ['text', 'STRING', ['Seas', 'Birds, é', 'Ships']],
  ['year', 'INT32', [1999, 2001, 2003]],
  ['labels', ['STRING'], [['sea', 'ship'], [], ['ship']]],
)

describe('reading parquet', () => {
  it('reads text, labels in lists, and ids', async () => {
    const dataset = await read(books)
    expect(dataset).toMatchObject({
      name: 'a.parquet',
      rows: 3,
      ids: ['1', '2', '3'],
      texts: ['Seas', 'Birds, é', 'Ships'],
    })
    expect(labelsOf(dataset)).toEqual([['sea', 'ship'], [], ['ship']])
  })

  it('reads vectors in lists', async () => {
    const dataset = await read(
      fileOf([
        'embedding',
        ['FLOAT'],
        [
          [1, 2.5],
          [-3, 0],
        ],
      ]),
    )
    expect(dataset.features).toEqual(new DenseMatrix(2, 2, Float32Array.of(1, 2.5, -3, 0)))
  })

  it('takes columns of numbers for features', async () => {
    const bytes = fileOf(['x', 'INT64', [1n, 2n]], ['y', 'FLOAT', [0.5, 1.5]], ['class', 'STRING', ['a', 'b']])
    const dataset = await read(bytes)
    expect(dataset.featureNames).toEqual(['x', 'y'])
    expect(dataset.features).toEqual(new DenseMatrix(2, 2, Float32Array.of(1, 0.5, 2, 1.5)))
    expect(labelsOf(dataset)).toEqual([['a'], ['b']])
  })

  it('obeys the names and the separator of the caller', async () => {
    const bytes = fileOf(['words', 'STRING', ['x', 'y']], ['topics', 'STRING', ['a|b', 'b']])
    const dataset = await read(bytes, { textColumns: ['words'], labelColumn: 'topics', labelSeparator: '|' })
    expect(dataset.texts).toEqual(['x', 'y'])
    expect(labelsOf(dataset)).toEqual([['a', 'b'], ['b']])
  })

  it('reads files of several row groups, also of one row', async () => {
    const data = ['a', 'b', 'c', 'd', 'e', 'f']
    for (const rowGroupSize of [1, 2, 5, 6]) {
      const bytes = new Uint8Array(parquetWriteBuffer({ columnData: [{ name: 'text', data }], rowGroupSize }))
      expect((await read(bytes)).texts).toEqual(data)
    }
  })
})

describe('bad parquet', () => {
  it.each([
    ['another file', new TextEncoder().encode('plain text, and long enough to have a footer')],
    ['a truncated file', books.subarray(0, -20)],
    ['a file of four bytes', books.subarray(0, 4)],
    ['an empty file', new Uint8Array(0)],
  ])('refuses %s', async (_, bytes) => {
    await expect(read(bytes)).rejects.toMatchObject({ code: 'BAD_DATA', where: { file: 'a.parquet' } })
  })

  it('refuses vectors of different lengths, with the row, or leaves them out', async () => {
    const bytes = fileOf(['vector', ['FLOAT'], [[1, 2], [3], [4, 5]]])
    await expect(read(bytes)).rejects.toMatchObject({ code: 'BAD_DATA', where: { file: 'a.parquet', line: 2 } })
    const dataset = await read(bytes, { skipBadRows: true })
    expect(dataset).toMatchObject({ rows: 2, skipped: [{ line: 2 }] })
  })

  it('refuses NaN', async () => {
    await expect(read(fileOf(['vector', ['FLOAT'], [[1, Number.NaN]]]))).rejects.toThrow('number 1 of "vector" is NaN')
  })

  it('lists the columns there are', async () => {
    await expect(read(books, { labelColumn: 'tags' })).rejects.toMatchObject({
      code: 'UNKNOWN_NAME',
      message: expect.stringContaining('"id", "text", "year", "labels"'),
    })
  })

  it('stops at the signal', async () => {
    await expect(read(books, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' })
  })
})

describe('parquet files', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vicinal-parquet-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('are read in place, or unpacked where they are gzipped', async () => {
    await writeFile(join(folder, 'a.parquet'), books)
    await writeFile(join(folder, 'b.parquet'), gzipSync(books))
    for (const name of ['a.parquet', 'b.parquet']) {
      const dataset = await parquet.read(await openInput(join(folder, name)), {})
      expect(dataset.texts).toEqual(['Seas', 'Birds, é', 'Ships'])
    }
  })

  it('that unpack one long text for every row are refused by the same limit as others', async () => {
    const text = 'a'.repeat(2 ** 16)
    const bytes = fileOf(['text', 'STRING', Array(64).fill(text)], ['labels', 'STRING', Array(64).fill('x')])
    expect(bytes.length).toBeLessThan(2 ** 18)
    await expect(read(bytes, { maxUnpackedBytes: 2 ** 21 })).rejects.toMatchObject({
      code: 'BAD_DATA',
      message: expect.stringContaining('unpack to more than 2097152 bytes'),
    })
    expect((await read(bytes)).texts?.at(-1)).toBe(text)
  })

  it('are recognized by their magic', () => {
    expect(parquet.recognize(books)).toBe(true)
    expect(parquet.recognize(new TextEncoder().encode('PAX'))).toBe(false)
  })
})
