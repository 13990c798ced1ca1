import { describe, expect, it } from 'vitest'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { openInput } from '../bytes/byte-source.ts'
import type { Dataset } from '../dataset.ts'
import type { ReadOptions } from '../format.ts'
import { xmc } from './xmc.ts'

const bytesOf = (content: string): Uint8Array => new TextEncoder().encode(content)

async function read(content: string, options: ReadOptions = {}): Promise<Dataset> {
  return xmc.read(await openInput(bytesOf(content), { name: 'a.txt' }), options)
}

async function write(dataset: Dataset): Promise<string> {
  const written: string[] = []
  await xmc.write?.(dataset, { name: 'a.txt', write: async chunk => void written.push(String(chunk)) }, {})
  return written.join('')
}

const labelsOf = ({ labels, rows }: Dataset): number[][] =>
  Array.from({ length: rows }, (_, i) => Array.from(labels?.row(i) ?? []))

describe('reading xmc', () => {
  it('reads labels and features, numbered from 0', async () => {
    const dataset = await read('2 5 4\n0,3 0:1 4:0.5\n1 2:-2e1\n')
    expect(dataset).toMatchObject({ name: 'a.txt', rows: 2 })
    expect(dataset.features).toMatchObject({ rows: 2, columns: 5 })
    expect(dataset.features).toMatchObject({ indices: Uint32Array.of(0, 4, 2), values: Float32Array.of(1, 0.5, -20) })
    expect(dataset.labels?.columns).toBe(4)
    expect(labelsOf(dataset)).toEqual([[0, 3], [1]])
  })

  it('takes a row that begins with a space for one without labels, and one without pairs for one without features', async () => {
    const dataset = await read('3 2 2\n 0:1\n1\n \n')
    expect(labelsOf(dataset)).toEqual([[], [1], []])
    expect(dataset.features).toMatchObject({ offsets: Float64Array.of(0, 1, 1, 1) })
  })

  it('sorts labels', async () => {
    expect(labelsOf(await read('2 1 9\n7,2,5 0:1\n3,1\n'))).toEqual([
      [2, 5, 7],
      [1, 3],
    ])
  })

  it('reads files with a byte order mark, CRLF, several blanks, no last line break and empty last lines', async () => {
    for (const content of ['\ufeff1 2 1\n0 1:3\n', '1 2 1\r\n0 1:3\r\n', '1  2\t1 \n0   1:3  ', '1 2 1\n0 1:3\n\n\n']) {
      const dataset = await read(content)
      expect(dataset.features).toMatchObject({ indices: Uint32Array.of(1), values: Float32Array.of(3) })
      expect(labelsOf(dataset)).toEqual([[0]])
    }
  })

  it('reads a header without rows', async () => {
    expect(await read('0 7 3\n')).toMatchObject({ rows: 0, features: { columns: 7 }, labels: { columns: 3 } })
  })
})

describe('bad xmc files', () => {
  it.each([
    [
      'a feature the header does not allow',
      '1 3 2\n0 1:1 3:1',
      '2:7',
      'feature index 3 is out of range, expected indices from 0 to 2',
    ],
    ['a feature where the header has none', '1 0 2\n0 1:1', '2:3', 'expected no features'],
    [
      'a label the header does not allow',
      '1 3 2\n0,2 1:1',
      '2:3',
      'label 2 is out of range, expected labels from 0 to 1',
    ],
    ['a feature twice', '1 3 2\n0 1:1 1:2', '2:7', 'feature 1 appears twice'],
    ['features out of order', '1 3 2\n0 2:1 1:2', '2:7', 'feature index 1 comes after 2, expected ascending'],
    ['a label twice', '1 3 2\n1,0,1 1:1', '2:1', 'label 1 appears twice'],
    ['nan', '1 3 2\n0 1:nan', '2:5', 'the value of feature 1 is "nan", expected a finite decimal number'],
    ['inf', '1 3 2\n0 1:inf', '2:5', '"inf", expected a finite decimal number'],
    ['a number too large', '1 3 2\n0 1:1e999', '2:5', 'expected a number that fits 32 bits'],
    ['an empty value', '1 3 2\n0 1:', '2:5', 'is empty, expected a finite decimal number'],
    ['junk after a value', '1 3 2\n0 1:2x', '2:5', '"2x"'],
    ['a pair without colon', '1 3 2\n0 1:2 junk', '2:7', 'found "junk", expected index:value'],
    ['an index that is no number', '1 3 2\n0 x:2', '2:3', 'the feature index is "x", expected a whole number'],
    ['a negative index', '1 3 2\n0 -1:2', '2:3', 'the feature index is "-1"'],
    ['a label that is no number', '1 3 2\ncat 1:2', '2:1', 'the label is "cat", expected a whole number'],
    ['a row that begins with a pair', '1 3 2\n1:2', '2:1', 'the label is "1:2"'],
    ['a label that is missing', '1 3 2\n0, 1:2', '2:3', 'a label is missing after the comma'],
    ['an empty label', '1 3 2\n0,,1 1:2', '2:3', 'the label is empty'],
    ['an empty line among the rows', '2 3 2\n\n0 1:2', '2:1', 'the line is empty, expected a row'],
    ['too few rows', '3 3 2\n0 1:2\n1 1:2\n', '3', 'the file ends after 2 rows, the header promises 3'],
    ['too many rows', '1 3 2\n0 1:2\n1 1:2\n', '3:1', 'the header promises 1 rows'],
    ['a header that is missing', '0 1:2\n', '1:3', 'the header is "0 1:2", expected three whole numbers'],
    ['a header with two numbers', '1 3\n', '1:4', 'expected three whole numbers'],
    ['a header with four numbers', '1 3 2 1\n', '1:7', 'expected three whole numbers'],
    ['a header with a negative number', '1 -3 2\n', '1:3', 'expected three whole numbers'],
    [
      'a header with 2³² features',
      '1 4294967296 2\n',
      '1:1',
      'found 4294967296 features in the header, at most 134217728',
    ],
    ['a header with 2³² labels', '1 2 4294967296\n', '1:1', 'found 4294967296 labels in the header, at most 16777215'],
    ['nothing', '', '1', 'the file is empty, expected a header line'],
  ])('%s is an error with its place', async (_, content, place, words) => {
    const error = await read(content).catch(reason => reason)
    expect(error).toMatchObject({ code: 'BAD_DATA', message: expect.stringContaining(words) })
    expect(error.message).toContain(`a.txt:${place}: `)
  })

  it('leaves out bad rows where asked, and counts them as rows of the header', async () => {
    const dataset = await read('4 3 2\n0 0:1\n1,9 0:1 1:2\n1 0:5 1:nan\n1,0 2:1\n', { skipBadRows: true })
    expect(labelsOf(dataset)).toEqual([[0], [0, 1]])
    expect(dataset.features).toMatchObject({ rows: 2, indices: Uint32Array.of(0, 2), values: Float32Array.of(1, 1) })
    expect(dataset.skipped?.map(row => row.line)).toEqual([3, 4])
    expect(dataset.skipped?.[0].message).toContain('label 9 is out of range')
  })

  it('reports no skipped rows unless asked to skip, and an empty list where all rows were good', async () => {
    expect(await read('1 1 1\n0 0:1')).not.toHaveProperty('skipped')
    expect((await read('1 1 1\n0 0:1', { skipBadRows: true })).skipped).toEqual([])
  })

  it('does not skip over a header that disagrees with the body', async () => {
    await expect(read('3 3 2\n0 0:1\n1 9:1', { skipBadRows: true })).rejects.toMatchObject({ code: 'BAD_DATA' })
    await expect(read('1 3 2\n0 0:1\n1 1:1', { skipBadRows: true })).rejects.toMatchObject({ code: 'BAD_DATA' })
  })

  it('fails soon on a row of 100 MB', async () => {
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield bytesOf('1 3 2\n')
      const chunk = new Uint8Array(2 ** 20).fill(49)
      for (let i = 0; i < 100; i++) yield chunk
    }
    const reading = xmc.read(await openInput(endless(), { name: 'a.txt' }), {})
    await expect(reading).rejects.toMatchObject({
      where: { file: 'a.txt', line: 2 },
      hint: expect.stringContaining('maxLineBytes'),
    })
  })
})

describe('recognizing xmc', () => {
  it('needs a first line of three whole numbers', () => {
    const recognized = ['3 5 2\n0 1:1', '\ufeff3 5 2\r\n', '3 5 2'].map(content => xmc.recognize(bytesOf(content)))
    expect(recognized).toEqual([true, true, true])
    const others = ['0 1:1 2:1\n', '3 5\n', '3 5 2 1\n', '3,5,2\n', 'a b c\n', ''].map(content =>
      xmc.recognize(bytesOf(content)),
    )
    expect(others).toEqual([false, false, false, false, false, false])
  })
})

describe('writing xmc', () => {
  it('writes a header and rows', async () => {
    expect(await write(await read('3 5 4\n3,0 0:1 4:0.1\n 2:-2e1\n1\n'))).toBe('3 5 4\n0,3 0:1 4:0.1\n 2:-20\n1 \n')
  })

  it('writes dense features without their zeros, and no labels if there are none', async () => {
    const features = new DenseMatrix(2, 3, Float32Array.of(0, 1.5, 0, 2, 0, -1))
    expect(await write({ name: 'a', rows: 2, features })).toBe('2 3 0\n 1:1.5\n 0:2 2:-1\n')
  })

  it('refuses a data set without features', async () => {
    const labels = LabelMatrix.from([[0]])
    await expect(write({ name: 'a', rows: 1, labels, texts: ['x'] })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })
})
