import { describe, expect, it } from 'vitest'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { openInput } from '../bytes/byte-source.ts'
import type { Dataset } from '../dataset.ts'
import type { ReadOptions } from '../format.ts'
import { svmlight } from './svmlight.ts'

const bytesOf = (content: string): Uint8Array => new TextEncoder().encode(content)

async function read(content: string, options: ReadOptions = {}): Promise<Dataset> {
  return svmlight.read(await openInput(bytesOf(content), { name: 'a.svm' }), options)
}

async function write(dataset: Dataset): Promise<string> {
  const written: string[] = []
  await svmlight.write?.(dataset, { name: 'a.svm', write: async chunk => void written.push(String(chunk)) }, {})
  return written.join('')
}

const namesOf = ({ labels, labelNames, rows }: Dataset): (string | undefined)[][] =>
  Array.from({ length: rows }, (_, i) => Array.from(labels?.row(i) ?? [], label => labelNames?.[label]))

describe('reading svmlight', () => {
  it('numbers features from 1 and takes the largest index for their count', async () => {
    const { features } = await read('1 1:0.5 3:2\n-1 2:1\n')
    expect(features).toMatchObject({ columns: 3, indices: Uint32Array.of(0, 2, 1), values: Float32Array.of(0.5, 2, 1) })
  })

  it('numbers features from 0 where asked', async () => {
    expect((await read('1 0:0.5 3:2', { indexBase: 0 })).features).toMatchObject({
      columns: 4,
      indices: Uint32Array.of(0, 3),
    })
  })

  it('orders labels by value where all are numbers', async () => {
    const dataset = await read('10 1:1\n9,2 1:1\n-1 1:1\n')
    expect(dataset.labelNames).toEqual(['-1', '2', '9', '10'])
    expect(namesOf(dataset)).toEqual([['10'], ['2', '9'], ['-1']])
  })

  it('orders labels by appearance where one is no number', async () => {
    const dataset = await read('spam,10 1:1\n2 1:1\nspam 1:1\n')
    expect(dataset.labelNames).toEqual(['spam', '10', '2'])
    expect(namesOf(dataset)).toEqual([['spam', '10'], ['2'], ['spam']])
  })

  it('takes rows that begin with a blank or a pair for rows without labels', async () => {
    const dataset = await read(' 1:1\n1:1 2:1\n \n5\n')
    expect(namesOf(dataset)).toEqual([[], [], [], ['5']])
    expect(dataset.features).toMatchObject({ offsets: Float64Array.of(0, 1, 3, 3, 3) })
  })

  it('leaves out comments, empty lines and query numbers', async () => {
    const dataset = await read('# head\n\n1 qid:3 1:1 # said 2:2\n  # indented\nqid:4 2:1\n2 qid:5#\r\n')
    expect(namesOf(dataset)).toEqual([['1'], [], ['2']])
    expect(dataset.features).toMatchObject({ indices: Uint32Array.of(0, 1) })
  })
})

describe('bad svmlight files', () => {
  it.each([
    ['a feature 0', '1 0:1', '1:3', 'feature index 0 is too small, expected at least 1'],
    ['a feature twice', '1 2:1 2:1', '1:7', 'feature 2 appears twice'],
    ['features out of order', '1 2:1 1:1', '1:7', 'feature index 1 comes after 2'],
    ['an index beyond all reason', '1 4294967295:1', '1:3', 'out of range, expected indices from 1 to 134217728'],
    ['nan', '1 1:nan', '1:5', '"nan"'],
    ['a number too large', '1 1:1e999', '1:5', 'fits 32 bits'],
    ['a word among the pairs', '1 1:1 x', '1:7', 'found "x", expected index:value'],
    ['a query number that is none', '1 qid:x 1:1', '1:7', 'the query number (qid) is "x"'],
    ['a query number after a pair', '1 1:1 qid:2', '1:7', 'the feature index is "qid"'],
    ['an empty label', '1,,2 1:1', '1:1', 'the labels are "1,,2", expected names between commas'],
    ['a label twice', '1\n3,2,3 1:1', '2:1', 'label 3 appears twice'],
  ])('%s is an error with its place', async (_, content, place, words) => {
    const error = await read(content).catch(reason => reason)
    expect(error).toMatchObject({ code: 'BAD_DATA', message: expect.stringContaining(words) })
    expect(error.message).toContain(`a.svm:${place}: `)
  })

  it('hint at indexBase for a feature 0', async () => {
    await expect(read('1 0:1')).rejects.toMatchObject({ hint: expect.stringContaining('indexBase') })
  })

  it('refuse two spellings of one number as labels', async () => {
    await expect(read('1 1:1\n+1 1:1\n')).rejects.toMatchObject({
      code: 'BAD_DATA',
      message: expect.stringContaining('1 and +1'),
    })
  })

  it('refuse labels that are not UTF-8', async () => {
    const input = await openInput(Uint8Array.of(0xff, 32, 49, 58, 49), { name: 'a.svm' })
    await expect(svmlight.read(input, {})).rejects.toThrow('a.svm:1:1: the text is not valid UTF-8')
  })

  it('lose bad rows where asked, with their labels', async () => {
    const dataset = await read('1 1:1\n7 9:nan\n2 2:1\n', { skipBadRows: true })
    expect(dataset).toMatchObject({ rows: 2, labelNames: ['1', '2'], features: { columns: 2 } })
    expect(dataset.skipped).toEqual([{ line: 2, message: expect.stringContaining('a.svm:2:5') }])
  })
})

describe('recognizing svmlight', () => {
  it('needs rows of pairs', () => {
    const contents = ['1 1:0.5 2:3\n-1 2:1\n', '# hi\na,b qid:1 3:1e-5 # x\n', ' 1:1\n', '1:1 2:1']
    expect(contents.map(content => svmlight.recognize(bytesOf(content)))).toEqual([true, true, true, true])
    const others = ['', 'hello world\n', '1\n2\n', 'a,b,c\n1:2,3,4\n', '{"a":1}\n', '1 2 3\n', 'see 12:30 today\n']
    expect(others.map(content => svmlight.recognize(bytesOf(content)))).toEqual(others.map(() => false))
  })
})

describe('writing svmlight', () => {
  const features = SparseMatrix.from([
    [
      [0, 1],
      [2, 0.5],
    ],
    [],
  ])
  const labels = LabelMatrix.from([[0, 1], []])

  it('writes names, and features numbered from 1', async () => {
    const dataset = { name: 'a', rows: 2, features, labels, labelNames: ['spam', 'new'] }
    expect(await write(dataset)).toBe('spam,new 1:1 3:0.5\n \n')
  })

  it.each(['new mail', 'a,b', 'a:b', '#1', '', 'spam', '\ud800'])('refuses a label called %j', async name => {
    const dataset = { name: 'a', rows: 2, features, labels, labelNames: ['spam', name] }
    await expect(write(dataset)).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })

  it('tells in front what the rows do not: labels and features that none has, their order', async () => {
    const wide = new SparseMatrix(2, 6, features.offsets, features.indices, features.values)
    const dataset = { name: 'a', rows: 2, features: wide, labels: LabelMatrix.from([[1], [0]], 3) }
    const named = { ...dataset, labelNames: ['a', 'b', 'c'] }
    expect(await write(dataset)).toBe('# vicinal {"features":6,"labels":3}\n1 1:1 3:0.5\n0 \n')
    expect(await write(named)).toBe('# vicinal {"features":6,"labels":["a","b","c"]}\nb 1:1 3:0.5\na \n')
    expect(await read(await write(named))).toMatchObject({ ...named, name: 'a.svm' })
  })
})

describe('a svmlight file with something in front', () => {
  it.each([
    ['# vicinal {"features":2}\na 3:1\n', '2:3: feature index 3 is out of range'],
    ['# vicinal {"labels":["a"]}\nb 3:1\n', '2:1: label "b" is not one of the 1 labels in the "vicinal" header'],
    ['# vicinal {"labels":2}\n2 3:1\n', '2:1: label "2" is not one of the 2 labels in the "vicinal" header'],
    ['# vicinal {"labels":["a","a"]}\na 3:1\n', '1:1: the "vicinal" header has bad labels'],
    ['# vicinal {"features":1e10}\na 3:1\n', '1:1: the "vicinal" header has bad features'],
    ['# vicinal {"features\na 3:1\n', '1:1: the line begins with `# vicinal ` but is not valid JSON'],
  ])('is refused where that is wrong: %j', async (content, message) => {
    await expect(read(content)).rejects.toThrow(`a.svm:${message}`)
  })
})

it('keeps labels above 2⁵³ apart and in order', async () => {
  const dataset = await read('9007199254740993 1:1\n9007199254740992 1:1\n')
  expect(dataset.labelNames).toEqual(['9007199254740992', '9007199254740993'])
  expect(namesOf(dataset)).toEqual([['9007199254740993'], ['9007199254740992']])
})
