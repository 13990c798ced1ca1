import { describe, expect, it } from 'vitest'
import { openInput } from '../bytes/byte-source.ts'
import type { Dataset } from '../dataset.ts'
import type { ReadOptions } from '../format.ts'
import { tsv } from './tsv.ts'

const bytesOf = (content: string): Uint8Array => new TextEncoder().encode(content)

async function read(content: string, options: ReadOptions = {}): Promise<Dataset> {
  return tsv.read(await openInput(bytesOf(content), { name: 'a.tsv' }), options)
}

/** The label names of each row. */
const labelsOf = ({ labels, labelNames, rows }: Dataset): (string | undefined)[][] =>
  Array.from({ length: rows }, (_, i) => Array.from(labels?.row(i) ?? [], label => labelNames?.[label]))

describe('tsv', () => {
  it("reads Annif's short texts, which have no header", async () => {
    const dataset = await read('A "title"\t<http://a/p1> <http://a/p2>\nOther, with comma\t<http://a/p2>\nNone\t\n')
    expect(dataset.texts).toEqual(['A "title"', 'Other, with comma', 'None'])
    expect(labelsOf(dataset)).toEqual([['http://a/p1', 'http://a/p2'], ['http://a/p2'], []])
  })

  it('reads keys without brackets, and splits them at white space only', async () => {
    expect(labelsOf(await read('x\tp1 p2\ny\tp2;p3,p4\n'))).toEqual([['p1', 'p2'], ['p2;p3,p4']])
  })

  it('splits at the given separator if there is no header', async () => {
    expect(labelsOf(await read('x\ta b|c\n', { labelSeparator: '|' }))).toEqual([['a b', 'c']])
  })

  it('takes a first line with a known column name for a header', async () => {
    const dataset = await read('text\ttopics\nx\ta\n')
    expect(dataset.texts).toEqual(['x'])
    expect(dataset.labels).toBeUndefined()
  })

  it('takes the first line for a header where the caller names a column', async () => {
    const dataset = await read('words\ttopics\nx\ta b\n', { textColumns: ['words'], labelColumn: 'topics' })
    expect(dataset.texts).toEqual(['x'])
    expect(labelsOf(dataset)).toEqual([['a', 'b']])
    await expect(read('x\tp1\n', { labelColumn: 'topics' })).rejects.toMatchObject({ code: 'UNKNOWN_NAME' })
  })

  it('reads a table of numbers', async () => {
    const dataset = await read('name\tx\ty\na\t1\t2\r\nb\t3\t4')
    expect(dataset).toMatchObject({ ids: ['a', 'b'], featureNames: ['x', 'y'] })
    expect(dataset.features?.values).toEqual(Float32Array.of(1, 2, 3, 4))
  })

  it('knows no quoting', async () => {
    expect((await read('text\tlabel\n"a\tb"\n')).texts).toEqual(['"a'])
  })

  it('passes over a byte order mark and takes empty lines at the end', async () => {
    expect((await read('\ufeffx\tp1\r\n\r\n\n')).texts).toEqual(['x'])
  })

  it('refuses a ragged row, with its line and column', async () => {
    await expect(read('x\tp1\ny\tz\tp1\n')).rejects.toMatchObject({
      code: 'BAD_DATA',
      where: { file: 'a.tsv', line: 2, column: 5 },
    })
  })

  it('leaves out bad rows where that is asked for', async () => {
    const dataset = await read('x\tp1\ny\n\nz\tp2\n', { skipBadRows: true })
    expect(dataset.texts).toEqual(['x', 'z'])
    expect(dataset.skipped?.map(({ line }) => line)).toEqual([2, 3])
  })

  it('finds no rows in an empty file', async () => {
    await expect(read('')).rejects.toMatchObject({ code: 'EMPTY_DATA' })
  })

  it('is recognized by a tab in the first line', () => {
    expect(tsv.recognize(bytesOf('a\tb\nc'))).toBe(true)
    expect(tsv.recognize(bytesOf('a b\nc\td'))).toBe(false)
    expect(tsv.recognize(bytesOf('a\tb\0'))).toBe(false)
  })
})
