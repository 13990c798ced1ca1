import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { openInput } from '../bytes/byte-source.ts'
import type { Dataset } from '../dataset.ts'
import type { ReadOptions } from '../format.ts'
import { arrayAsLines } from './json-array.ts'
import { jsonl } from './jsonl.ts'

async function* streamOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

const bytesOf = (content: string): Uint8Array => new TextEncoder().encode(content)

async function read(content: string | Uint8Array, options: ReadOptions = {}): Promise<Dataset> {
  const bytes = typeof content === 'string' ? bytesOf(content) : content
  return jsonl.read(await openInput(bytes, { name: 'a.jsonl' }), options)
}

async function write(dataset: Dataset): Promise<string> {
  const written: (string | Uint8Array)[] = []
  await jsonl.write?.(dataset, { name: 'a.jsonl', write: async chunk => void written.push(chunk) }, {})
  return written.join('')
}

/** The label names of each row, sorted. */
const labelsOf = ({ labels, labelNames, rows }: Dataset): (string | undefined)[][] =>
  Array.from({ length: rows }, (_, i) => Array.from(labels?.row(i) ?? [], label => labelNames?.[label]).sort())

describe('reading jsonl', () => {
  it('reads text, labels and id', async () => {
    const dataset = await read('{"id":"x","text":"é\\n","labels":["b","a"]}\n{"id":7,"text":"","labels":[]}\n')
    expect(dataset).toMatchObject({ name: 'a.jsonl', rows: 2, ids: ['x', '7'], texts: ['é\n', ''] })
    expect(dataset.labelNames).toEqual(['b', 'a'])
    expect(labelsOf(dataset)).toEqual([['a', 'b'], []])
  })

  it('reads an array of objects, however it is cut and indented', async () => {
    const rows = [
      { id: 'x', text: 'a ] "b", [\\', labels: ['l'] },
      { id: 'y', text: 'c\n{', labels: ['m', 'l'] },
    ]
    const lines = await read(rows.map(row => JSON.stringify(row)).join('\n'))
    for (const indent of [0, 2]) {
      for (const size of [1, 7, 1000]) {
        const bytes = bytesOf(`\ufeff ${JSON.stringify(rows, null, indent)}\r\n`)
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.slice(i * size, (i + 1) * size),
        )
        expect(await jsonl.read(await openInput(streamOf(chunks), { name: 'a.jsonl' }), {})).toEqual(lines)
      }
    }
    expect(jsonl.recognize(bytesOf('[\n {"text": "a"}]'))).toBe(true)
    expect(jsonl.recognize(bytesOf('[1, 2]'))).toBe(false)
  })

  it('does not keep the first line waiting for the second', async () => {
    let asked = 0
    async function* slowly(): AsyncGenerator<Uint8Array> {
      asked++
      yield bytesOf('{"text":"a"}\n')
      asked++
    }
    const { chunks } = arrayAsLines(await openInput(slowly()))
    await chunks[Symbol.asyncIterator]().next()
    expect(asked).toBe(1)
  })

  it.each([
    ['ends early', '[{"text":"a"},\n{"text":"b"}', 'a.jsonl:2: the file ends within the array'],
    ['ends in a text', '[{"text":"a"},{"text":"b]', 'a.jsonl:2: the file ends within the array'],
    ['goes on', '[{"text":"a"}]\n[]', 'a.jsonl:1: there is more after the end of the array'],
    ['lacks a comma', '[{"text":"a"} {"text":"b"}]', 'a.jsonl:1:13: the line is not JSON'],
    ['has a hole', '[{"text":"a"},,{"text":"b"}]', 'a.jsonl:2'],
    ['has a bad object', '[\n{"text":"a"},\n{"text":null}\n]', 'a.jsonl:2: "text" is null'],
    ['is empty', '[]', 'a.jsonl has no rows'],
  ])('refuses an array that %s', async (_, text, words) => {
    await expect(read(text)).rejects.toThrow(words)
  })

  it("reads Annif's corpora: the uri is the label", async () => {
    const line = '{"document_id":"d","text":"t","subjects":[{"uri":"http://a/1","label":"one"},{"label":"two"}]}'
    const dataset = await read(line)
    expect(dataset.ids).toEqual(['d'])
    expect(dataset.labelNames).toEqual(['http://a/1', 'two'])
  })

  it('takes a string or a number for one label, and null for none', async () => {
    const dataset = await read('{"text":"a","label":"New York"}\n{"text":"b","label":3}\n{"text":"c","label":null}')
    expect(labelsOf(dataset)).toEqual([['New York'], ['3'], []])
  })

  it('splits a string of labels where the caller gave the separator', async () => {
    expect(labelsOf(await read('{"text":"a","labels":"x, y"}', { labelSeparator: ',' }))).toEqual([['x', 'y']])
  })

  it('joins the chosen text fields', async () => {
    const dataset = await read('{"short":"s","long":"l","t":["x"]}', {
      textColumns: ['short', 'long'],
      labelColumn: 't',
    })
    expect(dataset.texts).toEqual(['s\nl'])
    expect(dataset.labelNames).toEqual(['x'])
  })

  it.each(['vector', 'embedding', 'features'])('reads dense rows from the field %s', async field => {
    const dataset = await read(`{"${field}":[1,2.5]}\n{"${field}":[-3e2,0]}\n`)
    expect(dataset.features).toEqual(new DenseMatrix(2, 2, Float32Array.of(1, 2.5, -300, 0)))
    expect(dataset.texts).toBeUndefined()
  })

  it('reads sparse rows, in any order', async () => {
    const dataset = await read('{"vector":{"indices":[4,1],"values":[0.5,2]}}\n{"vector":{"indices":[],"values":[]}}\n')
    expect(dataset.features).toEqual(
      SparseMatrix.from(
        [
          [
            [1, 2],
            [4, 0.5],
          ],
          [],
        ],
        5,
      ),
    )
  })

  it('takes records of numbers for features', async () => {
    const dataset = await read('{"x":1,"y":2,"class":"a"}\n{"x":3,"y":4,"class":"b"}\n')
    expect(dataset.featureNames).toEqual(['x', 'y'])
    expect(dataset.features).toEqual(new DenseMatrix(2, 2, Float32Array.of(1, 2, 3, 4)))
    expect(dataset.labelNames).toEqual(['a', 'b'])
  })

  it('passes over a byte order mark and takes CRLF and empty lines at the end', async () => {
    expect((await read('\ufeff{"text":"a"}\r\n{"text":"b"}\r\n\r\n\n')).texts).toEqual(['a', 'b'])
  })
})

describe('bad jsonl', () => {
  it('points at the byte where a line stops being JSON, and quotes the parser', async () => {
    await expect(read('{"text":"a"}\n{"text":"é", "x": nan}\n')).rejects.toMatchObject({
      code: 'BAD_DATA',
      where: { file: 'a.jsonl', line: 2, column: 20 },
      message: expect.stringMatching(/a\.jsonl:2:20: the line is not JSON: .+/),
    })
  })

  it.each([
    ['an empty line', '', 'the line is empty'],
    ['a number', '5', 'the line is 5, expected an object'],
    ['a list', '["x"]', 'the line is ["x"], expected an object'],
    ['a text that is a list', '{"text":["x"],"labels":[],"vector":[1,2]}', '"text" is ["x"], expected a string'],
    ['a missing text', '{"labels":[],"vector":[1,2]}', 'the record has no field "text"'],
    ['missing labels', '{"text":"b","vector":[1,2]}', 'the record has no field "labels"'],
    ['a list inside the labels', '{"text":"b","labels":[[]],"vector":[1,2]}', '"labels" holds []'],
    ['an empty label', '{"text":"b","labels":[" "],"vector":[1,2]}', '"labels" holds " "'],
    ['a label that is true', '{"text":"b","labels":[true],"vector":[1,2]}', '"labels" holds true'],
    [
      'a short vector',
      '{"text":"b","labels":[],"vector":[1]}',
      'the vector has 1 numbers, but the ones before it have 2',
    ],
    ['an infinite number', '{"text":"b","labels":[],"vector":[1,1e999]}', 'number 1 of "vector" is Infinity'],
    ['a number beyond 32 bits', '{"text":"b","labels":[],"vector":[1e39,1]}', 'number 0 of "vector" is 1e+39'],
    ['a string in a vector', '{"text":"b","labels":[],"vector":["1",1]}', 'number 0 of "vector" is "1"'],
    ['null for a vector', '{"text":"b","labels":[],"vector":null}', '"vector" is null, expected a list of numbers'],
    ['a sparse vector', '{"text":"b","labels":[],"vector":{"indices":[],"values":[]}}', 'the vector is sparse'],
  ])('refuses %s, or leaves it out', async (_, line, message) => {
    const good = '{"text":"a","labels":["x"],"vector":[1,2]}\n'
    await expect(read(`${good}${line}\n${good}`)).rejects.toMatchObject({
      code: 'BAD_DATA',
      where: { file: 'a.jsonl', line: 2 },
      message: expect.stringContaining(message),
    })
    const dataset = await read(`${good}${line}\n${good}`, { skipBadRows: true })
    expect(dataset).toMatchObject({ rows: 2, texts: ['a', 'a'], skipped: [{ line: 2 }] })
    expect(labelsOf(dataset)).toEqual([['x'], ['x']])
    expect(dataset.features?.values).toEqual(Float32Array.of(1, 2, 1, 2))
  })

  it.each([
    ['{"indices":[1],"values":[1,2]}', 'the vector has 1 indices and 2 values'],
    ['{"indices":[1,1],"values":[1,2]}', 'the vector has the index 1 twice'],
    ['{"indices":[-1],"values":[1]}', 'the vector has the index -1, expected a whole number'],
    ['{"indices":[0.5],"values":[1]}', 'the vector has the index 0.5, expected a whole number'],
    ['[1]', 'the vector is a list, but the ones before it are sparse'],
  ])('refuses the vector %s among sparse ones', async (vector, message) => {
    await expect(read(`{"vector":{"indices":[0],"values":[1]}}\n{"vector":${vector}}`)).rejects.toThrow(message)
  })

  it('refuses labels that the first record does not have', async () => {
    await expect(read('{"text":"a"}\n{"text":"b","labels":["x"]}')).rejects.toThrow(
      'the record has a field "labels", which the first record does not have',
    )
  })

  it('refuses invalid UTF-8', async () => {
    await expect(read(Uint8Array.of(...bytesOf('{"text":"'), 0xff, 34, 125))).rejects.toThrow('not valid UTF-8')
  })

  it('says which fields there are where none is known', async () => {
    await expect(read('{"author":"x","year":3}')).rejects.toMatchObject({
      code: 'UNKNOWN_NAME',
      message: expect.stringContaining('"author", "year"'),
    })
    await expect(read('{"text":"x"}', { idColumn: 'key' })).rejects.toMatchObject({ code: 'UNKNOWN_NAME' })
  })

  it.each(['', '\n\n'])('finds no rows in %j', async content => {
    await expect(read(content)).rejects.toMatchObject({ code: 'EMPTY_DATA' })
  })
})

describe('writing jsonl', () => {
  it('writes one object a row with what there is', async () => {
    const labels = LabelMatrix.from([[0], []], 1)
    const features = new DenseMatrix(2, 1, Float32Array.of(0.1, 2))
    const dataset = {
      name: 'd',
      rows: 2,
      ids: ['i', 'j'],
      texts: ['a"', 'b'],
      labels,
      labelNames: ['y'],
      features,
    }
    expect(await write(dataset)).toBe(
      '{"id":"i","text":"a\\"","labels":["y"],"vector":[0.1]}\n{"id":"j","text":"b","labels":[],"vector":[2]}\n',
    )
  })

  it('writes numbers for labels without names', async () => {
    expect(await write({ name: 'd', rows: 1, texts: ['a'], labels: LabelMatrix.from([[3]]) })).toContain('"labels":[3]')
  })

  it('refuses a data set with neither texts nor features', async () => {
    await expect(write({ name: 'd', rows: 1, labels: LabelMatrix.from([[0]]) })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    })
  })

  it('reads back what it has written', async () => {
    const names = ['a', 'b c', '"é"']
    const value = fc.float({ noNaN: true, noDefaultInfinity: true })
    const sparse = fc.dictionary(fc.constantFrom(...'0123'), value)
    const row = fc.record({
      id: fc.string(),
      text: fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '\u2028', '\ud800', 'é', '😀') }),
      labels: fc.subarray([0, 1, 2]),
      dense: fc.array(value, { minLength: 3, maxLength: 3 }),
      sparse,
    })
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), fc.boolean(), async (rows, dense) => {
        const pairs = rows.map(({ sparse }) =>
          Object.entries(sparse).map(([key, entry]) => [Number(key), entry] as const),
        )
        const dataset: Dataset = {
          name: 'a.jsonl',
          rows: rows.length,
          ids: rows.map(({ id }) => id),
          texts: rows.map(({ text }) => text),
          labels: LabelMatrix.from(
            rows.map(({ labels }) => labels),
            3,
          ),
          labelNames: names,
          features: dense ? DenseMatrix.from(rows.map(({ dense }) => dense)) : SparseMatrix.from(pairs),
        }
        const same = await read(await write(dataset))
        expect(same).toMatchObject({ rows: dataset.rows, ids: dataset.ids, texts: dataset.texts })
        expect(labelsOf(same)).toEqual(labelsOf(dataset))
        expect(same.features).toEqual(dataset.features)
      }),
    )
  })

  it('is recognized by a brace', () => {
    expect(jsonl.recognize(bytesOf(' {"a":1}'))).toBe(true)
    expect(jsonl.recognize(bytesOf('\ufeff{'))).toBe(true)
    expect(jsonl.recognize(bytesOf('[1]'))).toBe(false)
    expect(jsonl.recognize(bytesOf('{\0'))).toBe(false)
  })
})

describe('numbers as keys and labels', () => {
  it('keeps numbers above 2⁵³ apart, as they are written', async () => {
    const dataset = await read(
      '{"id":9007199254740993,"labels":[9007199254740993,1],"vector":[0.12345678901234567]}\n' +
        '{"id":9007199254740992,"labels":9007199254740992,"vector":[1]}\n' +
        '{"id":-12345678901234567890.5,"labels":[{"uri":9007199254740993}],"vector":[1]}\n',
    )
    expect(dataset.ids).toEqual(['9007199254740993', '9007199254740992', '-12345678901234567890.5'])
    expect(labelsOf(dataset)).toEqual([['1', '9007199254740993'], ['9007199254740992'], ['9007199254740993']])
    expect(dataset.features?.row(0)).toEqual(Float32Array.of(0.1234567890123456))
  })

  it('takes 1 and 1.0 for the same label', async () => {
    expect(labelsOf(await read('{"text":"a","labels":[1]}\n{"text":"b","labels":[1.0]}\n'))).toEqual([['1'], ['1']])
  })
})

describe('jsonl that asks too much', () => {
  it('refuses a label nested ten thousand deep', async () => {
    const deep = `${'['.repeat(1e4)}${']'.repeat(1e4)}`
    await expect(read(`{"text":"a","labels":[${deep}]}\n`)).rejects.toMatchObject({ code: 'BAD_DATA' })
    await expect(read(`${deep}\n`)).rejects.toMatchObject({ code: 'BAD_DATA' })
  })

  it('refuses an index that would make millions of empty columns', async () => {
    const wide = '{"labels":[],"vector":{"indices":[4294967294],"values":[1]}}\n'
    await expect(read(wide)).rejects.toThrow('the index 4294967294, expected a whole number from 0 to 134217727')
  })
})

describe('what jsonl records do not tell', () => {
  it('stands in the first one', async () => {
    const features = SparseMatrix.from([[[0, 1]], []], 5)
    const labels = LabelMatrix.from([[1], []], 3)
    const text =
      '{"vicinal":{"features":5,"labels":3},"labels":[1],"vector":{"indices":[0],"values":[1]}}\n' +
      '{"labels":[],"vector":{"indices":[],"values":[]}}\n'
    expect(await write({ name: 'd', rows: 2, features, labels })).toBe(text)
    const columns = { labels: 'labels', vector: 'vector' }
    expect(await read(text)).toEqual({ name: 'a.jsonl', rows: 2, features, labels, columns })
  })

  it('may not be contradicted by a row, which leaves no trace', async () => {
    const first = '{"vicinal":{"labels":["a"]},"labels":["a"],"vector":[1]}\n'
    const bad = '{"labels":["b"],"vector":[2]}\n'
    await expect(read(first + bad)).rejects.toThrow(
      'a.jsonl:2: label "b" is not one of the 1 labels in the "vicinal" header',
    )
    const { features, skipped } = await read(first + bad, { skipBadRows: true })
    expect([features?.rows, skipped?.length]).toEqual([1, 1])
  })

  it('is refused where it is wrong', async () => {
    await expect(read('{"vicinal":{"labels":-1},"text":"a"}\n')).rejects.toThrow('has bad labels')
  })
})

it('refuses to write a blank name, and whole numbers that 32-bit floats round', async () => {
  const labels = LabelMatrix.from([[0]], 1)
  const blank = { name: 'd', rows: 1, texts: ['a'], labels, labelNames: [' '] }
  await expect(write(blank)).rejects.toThrow('label 0 is called " ", which jsonl files cannot hold')
  const whole = { name: 'd', rows: 1, features: new DenseMatrix(1, 2, Int32Array.of(1, 2147483647)) }
  await expect(write(whole)).rejects.toThrow('row 0, column 1 is 2147483647, but jsonl would round it to 2147483648')
  const exact = { name: 'd', rows: 1, features: new DenseMatrix(1, 1, Int32Array.of(2147483520)) }
  expect(await write(exact)).toBe('{"vector":[2147483520]}\n')
})
