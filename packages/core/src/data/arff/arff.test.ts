import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { openInput } from '../bytes/byte-source.ts'
import type { Dataset } from '../dataset.ts'
import type { ReadOptions } from '../format.ts'
import { arff } from './arff.ts'

const bytesOf = (content: string): Uint8Array => new TextEncoder().encode(content)

async function read(content: string, options: ReadOptions = {}): Promise<Dataset> {
  return arff.read(await openInput(bytesOf(content), { name: 'a.arff' }), options)
}

const labelsOf = ({ labels, rows }: Dataset): number[][] =>
  Array.from({ length: rows }, (_, i) => Array.from(labels?.row(i) ?? []))

const head = `% a comment
@RELATION 'Small: -C 2'

@attribute sunny {0,1}
@Attribute 'very windy' {no,yes}
@attribute temperature NUMERIC
@attribute "the \\"wind\\"" real
@attribute color {red, 'dark green', blue}
@DATA
`

describe('dense ARFF', () => {
  it('reads numbers, nominal values and quoted names', async () => {
    const dataset = await read(`${head}% rows\n1,no,20.5,-1,red\n\n 0 , yes , 1e1 , 0 , 'dark green' \n1,yes,0,0,blue`)
    expect(dataset.features).toEqual(new DenseMatrix(3, 3, Float32Array.of(20.5, -1, 0, 10, 0, 1, 0, 0, 2)))
    expect(dataset.featureNames).toEqual(['temperature', 'the "wind"', 'color'])
    expect(dataset.labelNames).toEqual(['sunny', 'very windy'])
    expect(labelsOf(dataset)).toEqual([[0], [1], [0, 1]])
  })

  it('takes the last attributes for labels where the relation says -C and a negative number', async () => {
    const dataset = await read('@relation "x: -C -1"\n@attribute a real\n@attribute b {0,1}\n@data\n5,1\n')
    expect(dataset).toMatchObject({ featureNames: ['a'], labelNames: ['b'] })
    expect(labelsOf(dataset)).toEqual([[0]])
  })

  it('takes all attributes for features where nothing tells the labels', async () => {
    const dataset = await read('@relation x\n@attribute a real\n@attribute b {1,0}\n@data\n5,1\n6,0\n')
    expect(dataset.features).toEqual(new DenseMatrix(2, 2, Float32Array.of(5, 1, 6, 0)))
    expect(dataset.labels).toBeUndefined()
  })

  it('takes string attributes for the text', async () => {
    const content = "@attribute a string\n@attribute n real\n@attribute b string\n@data\n'it\\'s, or',1,\"so\"\nx,2,y\n"
    expect(await read(content)).toMatchObject({ texts: ["it's, or\nso", 'x\ny'], featureNames: ['n'] })
  })

  it('reads a file without rows', async () => {
    expect(await read(head)).toMatchObject({ rows: 0, features: { columns: 3 }, labels: { columns: 2 } })
  })
})

describe('sparse ARFF', () => {
  it('reads entries, and 0 for what a row leaves out', async () => {
    const dataset = await read(`${head}{0 1,2 20.5, 4 'dark green'}\n{}\n{ 1 yes , 3 -1 }\n`)
    expect(dataset.features).toEqual(
      SparseMatrix.from(
        [
          [
            [0, 20.5],
            [2, 1],
          ],
          [],
          [[1, -1]],
        ],
        3,
      ),
    )
    expect(labelsOf(dataset)).toEqual([[0], [], [1]])
  })

  it('refuses a nominal attribute whose first value, the one rows leave out, is not 0', async () => {
    const reading = read('@attribute a {1,0}\n@data\n{}\n')
    await expect(reading).rejects.toMatchObject({
      code: 'BAD_DATA',
      message: expect.stringContaining('attribute a is {1,0}: if a sparse row leaves it out, its value is 1, not 0'),
    })
  })

  it('refuses a row that leaves out a string', async () => {
    const reading = read('@attribute a string\n@attribute b real\n@data\n{0 x,1 1}\n{1 1}\n')
    await expect(reading).rejects.toThrow('a.arff:5:1: the row leaves out the string attribute a')
  })
})

describe('bad ARFF files', () => {
  it.each([
    ['a missing value', '1,no,?,0,red', '10:6', 'attribute temperature is missing (`?`)'],
    [
      'an unknown nominal value',
      '1,no,1,0,pink',
      '10:10',
      'attribute color is "pink", expected one of red,dark green,blue',
    ],
    ['nan', '1,no,nan,0,red', '10:6', 'attribute temperature is "nan", expected a finite decimal number'],
    ['a number too large', '1,no,1e999,0,red', '10:6', 'fits 32 bits'],
    ['an empty value', '1,no,,0,red', '10:6', 'attribute temperature is empty'],
    ['a row with too few values', '1,no,1,0', '10:9', 'the row ends after 4 values, expected 5'],
    ['a row with too many values', '1,no,1,0,red,2', '10:13', 'found more than the 5 values expected'],
    ['a quote that is not closed', "1,no,1,0,'red", '10:10', 'the quoted value is not closed'],
    ['junk after a quote', "1,no,1,0,'red' x", '10:16', 'found "x" after the value, expected a comma'],
    ['an attribute index out of range', '{5 1}', '10:2', 'attribute index 5 is out of range, expected 0 to 4'],
    ['an attribute index that is no number', '{x 1}', '10:2', 'the attribute index is "x"'],
    ['attribute indices out of order', '{3 1,2 1}', '10:6', 'attribute index 2 comes after 3'],
    ['an attribute index twice', '{2 1,2 1}', '10:6', 'attribute index 2 appears twice'],
    ['a sparse row that is not closed', '{2 1', '10:5', 'the row is not closed, expected }'],
    ['a missing value in a sparse row', '{2 ?}', '10:4', 'attribute temperature is missing'],
    ['an instance weight', '{2 1}, {5}', '10:6', 'found ", {5}" after the row'],
    ['a sparse row after dense ones', '1,no,1,0,red\n{2 1}', '11:1', 'the row is sparse, expected a dense one'],
  ])('%s is an error with its place', async (_, rows, place, words) => {
    const error = await read(head + rows).catch(reason => reason)
    expect(error).toMatchObject({ code: 'BAD_DATA', message: expect.stringContaining(words) })
    expect(error.message).toContain(`a.arff:${place}: `)
  })

  it.each([
    ['no @data', '@relation x\n@attribute a real\n', 'the file ends before @data'],
    ['a line that is no ARFF', '@relation x\n1,2,3\n', 'a.arff:2:1: not an ARFF line'],
    ['a type we do not read', '@attribute a date "yyyy"\n', 'attribute a has type "date \\"yyyy\\""'],
    ['an attribute without type', '@attribute a\n', 'attribute a has type ""'],
    ['an attribute without name', '@attribute\n', 'the attribute has no name'],
    ['nominal values that are not closed', '@attribute a {x,y\n', 'the values are "{x,y"'],
    ['an empty nominal value', '@attribute a {x,,y}\n', 'the values are "{x,,y}"'],
    ['a nominal value twice', '@attribute a {x,x}\n', 'the value x appears twice'],
    ['an attribute twice', '@attribute a real\n@attribute a real\n', 'a.arff:2:1: attribute a appears twice'],
    ['-C beyond the attributes', '@relation "-C 3"\n@attribute a real\n@data\n', '-C 3, but there are 1 attributes'],
    [
      'a label of three values',
      '@relation "-C 1"\n@attribute a {x,y,z}\n@data\n',
      'label attribute a is one of 3 values',
    ],
    ['a label that is a string', '@relation "-C 1"\n@attribute a string\n@data\n', 'label attribute a is a string'],
    ['a numeric label of 2', '@relation "-C 1"\n@attribute a real\n@data\n2\n', 'label a is 2, expected 0 or 1'],
  ])('%s is an error', async (_, content, words) => {
    await expect(read(content)).rejects.toMatchObject({ code: 'BAD_DATA', message: expect.stringContaining(words) })
  })

  it('lose bad rows where asked', async () => {
    const dataset = await read(`${head}1,no,1,2,red\n0,yes,3,?,red\n{1 yes}\n0,yes,5,6,blue\n`, { skipBadRows: true })
    expect(dataset.features).toEqual(new DenseMatrix(2, 3, Float32Array.of(1, 2, 0, 5, 6, 2)))
    expect(labelsOf(dataset)).toEqual([[0], [1]])
    expect(dataset.skipped?.map(row => row.line)).toEqual([11, 12])
  })
})

describe("Mulan's label XML", () => {
  const labels = '<?xml version="1.0"?>\n<labels xmlns="x">\n<label name="b"/><label name="a"></label></labels>'
  // As in files that were filtered after Meka wrote them, the -C is wrong.
  const content = '@relation "x: -C 1"\n@attribute f real\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n{0 2,2 1}\n'
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'arff-'))
    writeFileSync(join(folder, 'small.xml'), labels)
    writeFileSync(join(folder, 'other.xml'), '<labels><label name="f"/></labels>')
    writeFileSync(join(folder, 'wrong.xml'), '<labels><label name="nobody"/></labels>')
    for (const name of ['small', 'small-train', 'small-test', 'wrong'])
      writeFileSync(join(folder, `${name}.arff`), content)
    writeFileSync(join(folder, 'small-test.arff.gz'), gzipSync(content))
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  const readFile = async (name: string, options: ReadOptions = {}) =>
    arff.read(await openInput(join(folder, name)), options)

  it.each(['small.arff', 'small-train.arff', 'small-test.arff', 'small-test.arff.gz'])(
    'is found beside %s',
    async name => {
      const dataset = await readFile(name)
      expect(dataset).toMatchObject({ featureNames: ['f'], labelNames: ['a', 'b'] })
      expect(labelsOf(dataset)).toEqual([[1]])
    },
  )

  it('may be named by an option', async () => {
    const reading = readFile('small.arff', { labelXml: join(folder, 'other.xml') })
    await expect(reading).rejects.toThrow('label f is 2, expected 0 or 1')
    const missing = readFile('small.arff', { labelXml: join(folder, 'none.xml') })
    await expect(missing).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
  })

  it('must list attributes of the file', async () => {
    await expect(readFile('wrong.arff')).rejects.toThrow('label "nobody" is not an attribute of the ARFF file')
  })
})

describe('recognizing ARFF', () => {
  it('needs @relation or @attribute as its first line that is no comment', () => {
    const recognized = ['@relation x\n', '\ufeff% hi\n\n  @ATTRIBUTE a real'].map(content =>
      arff.recognize(bytesOf(content)),
    )
    expect(recognized).toEqual([true, true])
    const others = ['', 'a@relation x', '@data\n', 'x\n@relation x\n', '% '.repeat(30_000)]
    expect(others.map(content => arff.recognize(bytesOf(content)))).toEqual(others.map(() => false))
  })
})
