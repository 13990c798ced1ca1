import { describe, expect, it } from 'vitest'
import { openInput } from '../bytes/byte-source.ts'
import type { Dataset } from '../dataset.ts'
import type { ReadOptions } from '../format.ts'
import { csv } from './csv.ts'

const bytesOf = (content: string): Uint8Array => new TextEncoder().encode(content)

async function read(content: string | Uint8Array, options: ReadOptions = {}): Promise<Dataset> {
  const bytes = typeof content === 'string' ? bytesOf(content) : content
  return csv.read(await openInput(bytes, { name: 'a.csv' }), options)
}

/** The label names of each row. */
const labelsOf = ({ labels, labelNames, rows }: Dataset): (string | undefined)[][] =>
  Array.from({ length: rows }, (_, i) => Array.from(labels?.row(i) ?? [], label => labelNames?.[label]))

describe('reading texts from csv', () => {
  it('reads text, labels and ids from columns with known names and leaves the others', async () => {
    const dataset = await read('id,year,text,labels\nx1,1999,"Seas, and ships",sea;ship\nx2,2001,Birds,bird\n')
    expect(dataset).toMatchObject({ name: 'a.csv', rows: 2, ids: ['x1', 'x2'], texts: ['Seas, and ships', 'Birds'] })
    expect(dataset.labelNames).toEqual(['sea', 'ship', 'bird'])
    expect(labelsOf(dataset)).toEqual([['sea', 'ship'], ['bird']])
    expect(dataset.features).toBeUndefined()
    expect(dataset.skipped).toBeUndefined()
  })

  it("reads Annif's corpora", async () => {
    const dataset = await read('text,subject_uris\nA title,<http://a/p1> <http://a/p2>\nOther,<http://a/p2>\n')
    expect(labelsOf(dataset)).toEqual([['http://a/p1', 'http://a/p2'], ['http://a/p2']])
  })

  it('finds a semicolon as delimiter by the first line', async () => {
    const dataset = await read('"a,b,c";text;label\n1;x, y;New York\n')
    expect(dataset.texts).toEqual(['x, y'])
    expect(labelsOf(dataset)).toEqual([['New York']])
  })

  it('finds a tab as delimiter by the first line', async () => {
    const dataset = await read('text\tlabel\n"x, ""y"";\nz"\tNew York\n')
    expect(dataset.texts).toEqual(['x, "y";\nz'])
    expect(labelsOf(dataset)).toEqual([['New York']])
  })

  it('does not learn from the row numbers that pandas writes', async () => {
    expect((await read(',a,b,class\n0,1,2,x\n1,3,4,y\n')).featureNames).toEqual(['a', 'b'])
  })

  it('joins the chosen text columns with a line break', async () => {
    const options = { textColumns: ['title', 'body'], labelColumn: 'genre', labelSeparator: '/', idColumn: 'isbn' }
    const dataset = await read('isbn,title,body,genre\n7,T,B,a/b c\n', options)
    expect(dataset).toMatchObject({ texts: ['T\nB'], ids: ['7'], labelNames: ['a', 'b c'] })
  })

  it('passes over a byte order mark and takes CRLF and a last row without line break', async () => {
    const dataset = await read('\ufefftext,label\r\nx,"a\r\nb"\r\ny,c')
    expect(dataset.texts).toEqual(['x', 'y'])
    expect(dataset.labelNames).toEqual(['a\r\nb', 'c'])
  })

  it('takes a row without labels', async () => {
    expect(labelsOf(await read('text,labels\nx,\ny,a\n'))).toEqual([[], ['a']])
  })

  it('counts a label that a cell has twice once', async () => {
    expect(labelsOf(await read('text,labels\nx,b a b\n'))).toEqual([['b', 'a']])
  })

  it('takes empty lines at the end', async () => {
    expect((await read('text,label\nx,a\n\n\r\n')).rows).toBe(1)
  })

  it('reads an empty line as an empty text if there is one column', async () => {
    expect((await read('text\nx\n\ny\n')).texts).toEqual(['x', '', 'y'])
  })
})

describe('reading numbers from csv', () => {
  it('makes features of all columns but the one of words, which holds the labels', async () => {
    const dataset = await read('Letter,1,2\nT,2, 8\nI,-5e1,1.5\n')
    expect(dataset.features).toMatchObject({ rows: 2, columns: 2, values: Float32Array.of(2, 8, -50, 1.5) })
    expect(dataset.featureNames).toEqual(['1', '2'])
    expect(dataset.labelNames).toEqual(['T', 'I'])
    expect(dataset.texts).toBeUndefined()
  })

  it('takes numbers as labels where the column has a known name or is chosen', async () => {
    const known = await read('x,y,class\n1,2,0\n3,4,1\n')
    expect(known).toMatchObject({ labelNames: ['0', '1'], featureNames: ['x', 'y'] })
    const chosen = await read('x,y,z\n1,2,0\n3,4,1\n', { labelColumn: 'y', idColumn: 'x' })
    expect(chosen).toMatchObject({ labelNames: ['2', '4'], featureNames: ['z'], ids: ['1', '3'] })
  })

  it('needs no labels', async () => {
    const dataset = await read('x,y\n1,2\n')
    expect(dataset).toMatchObject({ featureNames: ['x', 'y'] })
    expect(dataset.labels).toBeUndefined()
  })

  it.each([
    ['nan', '"nan"'],
    ['NaN', '"NaN"'],
    ['inf', '"inf"'],
    ['1e999', '"1e999"'],
    ['0x10', '"0x10"'],
    ['', 'empty'],
    ['two', '"two"'],
  ])('refuses %s in a column of numbers, with its line and column', async (cell, found) => {
    await expect(read(`label,x,y\na,1,2\nb,10,${cell}\n`)).rejects.toMatchObject({
      code: 'BAD_DATA',
      where: { file: 'a.csv', line: 3, column: 6 },
      message: expect.stringContaining(`column "y" is ${found}, expected a finite 32-bit number`),
    })
  })

  it.each(['nan', '-inf', '', '?', 'NA', '1e999'])('does not take %s in the first row for a label', async cell => {
    await expect(read(`x,y\n${cell},2\n`)).rejects.toMatchObject({ code: 'BAD_DATA', where: { line: 2, column: 1 } })
  })
})

describe('bad csv', () => {
  it.each([
    ['x\n', 'the row has 1 cell, expected 2 cells', 1],
    ['x,a,b\n', 'the row has 3 cells, expected 2 cells', 5],
  ])('refuses the ragged row %j', async (row, message, column) => {
    await expect(read(`text,label\nx,a\n${row}`)).rejects.toMatchObject({
      code: 'BAD_DATA',
      where: { file: 'a.csv', line: 3, column },
      message: expect.stringContaining(message),
    })
  })

  it('refuses a quote that is never closed', async () => {
    await expect(read('text,label\n"x,a\ny,b\n')).rejects.toMatchObject({
      code: 'BAD_DATA',
      where: { line: 2, column: 1 },
    })
  })

  it('refuses an empty line between rows', async () => {
    await expect(read('text,label\nx,a\n\ny,b\n')).rejects.toMatchObject({ code: 'BAD_DATA', where: { line: 3 } })
  })

  it('refuses invalid UTF-8, with its line and cell', async () => {
    const bytes = Uint8Array.of(...bytesOf('text,label\nx,'), 0xff, 10)
    await expect(read(bytes)).rejects.toMatchObject({
      code: 'BAD_DATA',
      where: { line: 2, column: 3 },
      message: expect.stringContaining('not valid UTF-8'),
    })
  })

  it('refuses UTF-16', async () => {
    await expect(read(Uint8Array.of(0xff, 0xfe, 97, 0))).rejects.toMatchObject({ code: 'BAD_DATA' })
  })

  it('says which columns there are where none is known as text', async () => {
    await expect(read('author,comment\nann,good\n')).rejects.toMatchObject({
      code: 'UNKNOWN_NAME',
      message: expect.stringContaining('"author", "comment"'),
      hint: expect.stringContaining('textColumns'),
    })
    await expect(read('text,label\nx,a\n', { labelColumn: 'tag' })).rejects.toMatchObject({ code: 'UNKNOWN_NAME' })
  })

  it('takes two columns of one name for a missing header', async () => {
    await expect(read('1,2,1\n3,4,5\n')).rejects.toMatchObject({
      code: 'BAD_DATA',
      hint: expect.stringContaining('header line'),
    })
  })

  it.each(['', 'text,label\n', '\ufeff'])('finds no rows in %j', async content => {
    await expect(read(content)).rejects.toMatchObject({ code: 'EMPTY_DATA' })
  })

  it('refuses an empty first line', async () => {
    await expect(read('\ntext\nx\n')).rejects.toMatchObject({ code: 'BAD_DATA', where: { line: 1, column: 1 } })
  })

  it('refuses rows longer than allowed', async () => {
    await expect(read('text\nabcdefgh\n', { maxLineBytes: 5 })).rejects.toMatchObject({ code: 'BAD_DATA' })
  })

  it('stops at the signal', async () => {
    await expect(read('text\nx\n', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' })
  })
})

describe('csv with skipBadRows', () => {
  it('leaves out bad rows of all kinds and says which', async () => {
    const content = 'text,label\nx,a\nragged\n\ny"z,b\n"open,c\nlast,d\n'
    const dataset = await read(content, { skipBadRows: true })
    expect(dataset.texts).toEqual(['x', 'last'])
    expect(labelsOf(dataset)).toEqual([['a'], ['d']])
    expect(dataset.skipped?.map(({ line }) => line)).toEqual([3, 4, 5, 6])
    expect(dataset.skipped?.[3]?.message).toContain('a.csv:6:1: a quote that is never closed')
  })

  it('leaves no half of a bad row of numbers behind', async () => {
    const dataset = await read('label,x,y\na,1,2\nb,3,nan\nc,4,5\n', { skipBadRows: true })
    expect(dataset.features?.values).toEqual(Float32Array.of(1, 2, 4, 5))
    expect(dataset.skipped).toHaveLength(1)
  })

  it('leaves no half of a row whose label is not UTF-8 behind', async () => {
    const bytes = Uint8Array.of(...bytesOf('label,x\na,1\n'), 0xff, ...bytesOf(',2\nc,3\n'))
    const dataset = await read(bytes, { skipBadRows: true })
    expect(dataset.features?.values).toEqual(Float32Array.of(1, 3))
    expect(labelsOf(dataset)).toEqual([['a'], ['c']])
  })

  it('tells that nothing was left out', async () => {
    expect((await read('text\nx\n', { skipBadRows: true })).skipped).toEqual([])
  })

  it('fails where no row is good, and quotes the first reason', async () => {
    await expect(read('text,label\nx\n', { skipBadRows: true })).rejects.toMatchObject({
      code: 'EMPTY_DATA',
      message: expect.stringContaining('the row has 1 cell'),
    })
  })

  it('never passes over a bad header', async () => {
    await expect(read('te"xt\nx\n', { skipBadRows: true })).rejects.toMatchObject({ code: 'BAD_DATA' })
  })
})

describe('recognizing csv', () => {
  it.each([
    ['text,label\nx,a\n', true],
    ['a;b;c\n1;2;3', true],
    ['a,b', true],
    ['no delimiter\n', false],
    ['a,b\nc\n', false],
    ['a,b\0\n', false],
    ['', false],
  ])('%j: %s', (content, expected) => {
    expect(csv.recognize(bytesOf(content))).toBe(expected)
  })
})

it('keeps ids and labels above 2⁵³ apart', async () => {
  const dataset = await read(
    'id,text,labels\n9007199254740993,a,9007199254740993\n9007199254740992,b,9007199254740992\n',
  )
  expect(dataset.ids).toEqual(['9007199254740993', '9007199254740992'])
  expect(labelsOf(dataset)).toEqual([['9007199254740993'], ['9007199254740992']])
})

it('refuses a line of millions of cells', async () => {
  await expect(read(`${','.repeat(5e6)}\n1\n`)).rejects.toThrow('a.csv:1:4194305: found 4194305 cells in a row')
})
