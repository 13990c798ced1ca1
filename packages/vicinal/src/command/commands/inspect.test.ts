import { execFileSync } from 'node:child_process'
import { copyFileSync, createWriteStream, existsSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { DescribedNode } from '@vicinal/core'
import { treeSvg, treeText } from '@vicinal/core/inspect'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestFolder, titles, vicinal } from '../test-run.ts'

const folder = new TestFolder()
afterAll(() => folder.remove())

// 4 rows, 3 features, 4 labels: label 3 is never used, the last row has no labels.
const xmc = '4 3 4\n0,2 0:0.5 2:2\n2 1:-1\n1,2 0:1\n 2:1\n'
const golden = new URL('../../../../core/src/store/golden/v1.vicinal', import.meta.url)

async function inspect(file: string, ...flags: string[]) {
  const { code, stdout, stderr } = await vicinal(['inspect', file, ...flags])
  return { code, stdout: folder.plain(stdout), stderr: folder.plain(stderr) }
}

async function inspectJson(file: string, ...flags: string[]) {
  const { code, stdout, stderr } = await inspect(file, '--json', ...flags)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

describe('vicinal inspect, on data', () => {
  it('shows sizes, values and how labels are spread', async () => {
    const names = folder.file('names.txt', 'cats\ndogs\nlong name\nnone\n')
    const { code, stdout, stderr } = await inspect(folder.file('pets.txt.gz', gzipSync(xmc)), '--vocabulary', names)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatchInlineSnapshot(`
      "pets.txt.gz
        format    xmc
        rows      4
        features  3, sparse: 5 values, 1.25 per row
        values    -1 to 2, 41.7 % not zero
        labels    4: 1.25 per row, 1 never used, 1 row without labels

      labels per row
        labels  rows
             0     1  ████████████████████
             1     1  ████████████████████
             2     2  ████████████████████████████████████████

      rows per label
        rows  labels
           0       1  ████████████████████
           1       2  ████████████████████████████████████████
           2       0
           3       1  ████████████████████

      most frequent labels
        rows  share  label
           3   75 %  long name <2>
           1   25 %  cats <0>
           1   25 %  dogs <1>
      "
    `)
  })

  it('shows how long the texts are', async () => {
    const { stdout } = await inspect(
      folder.file('texts.jsonl', '{"id":"a","text":"four"}\n{"id":"b","text":"sixsix"}\n'),
    )
    expect(stdout).toMatchInlineSnapshot(`
      "texts.jsonl
        format  jsonl
        rows    2, with ids
        texts   5 characters on average

      length of texts
        characters  texts
                 4      1  ████████████████████████████████████████
                 5      0
                 6      1  ████████████████████████████████████████
      "
    `)
  })

  it('shows dense values', async () => {
    const { stdout } = await inspect(folder.file('numbers.csv', 'x,y\n1,0\n2.5,-3\n'))
    expect(stdout).toMatchInlineSnapshot(`
      "numbers.csv
        format    csv
        rows      2
        features  2, dense, 32-bit floats
        values    -3 to 2.5, 75 % not zero
      "
    `)
  })

  it('leaves out bad rows and shows them, where asked to', async () => {
    const file = folder.file('bad.svm', '1 1:1\n1 2:x\n1 1:2 1:3\n')
    const { code, stdout } = await inspect(file, '--skip-bad-rows')
    expect(code).toBe(0)
    expect(stdout).toMatch(/rows +1\n/)
    expect(stdout).toMatch(/skipped +2 bad rows\n/)
    expect(stdout).toMatch(/\nskipped rows\n {2}bad\.svm:2:5: .*\n {2}bad\.svm:3:7: .*\n$/)
  })

  it('gives a program one object, with numbers for features and labels', async () => {
    const { seconds, peakRssBytes, ...facts } = await inspectJson(folder.file('a.txt', xmc))
    expect(facts).toEqual({
      file: 'a.txt',
      kind: 'data',
      format: 'xmc',
      rows: 4,
      features: 3,
      labels: 4,
      entries: 5,
      ids: false,
      texts: 0,
      layout: 'sparse',
      type: 'f32',
      nonZero: 5,
      min: -1,
      max: 2,
      labelEntries: 5,
      rowsWithoutLabels: 1,
      unusedLabels: 1,
      topLabels: [
        { label: '2', rows: 3 },
        { label: '0', rows: 1 },
        { label: '1', rows: 1 },
      ],
      skipped: 0,
    })
    expect(seconds).toBeGreaterThanOrEqual(0)
    expect(peakRssBytes).toBeGreaterThan(1e6)
  })

  it('says 0 where there are no features or labels', async () => {
    const facts = await inspectJson(folder.file('only.jsonl', '{"text":"hello"}\n'))
    expect(facts).toMatchObject({ features: 0, labels: 0, entries: 0, texts: 1, textCharacters: 5 })
  })

  it('obeys the flags of reading', async () => {
    const csv = 'key;headline;body;topics\n1;a;bc;x/y\n2;d;ef;y\n'
    const flags = ['--id-column', 'key', '--text-column', 'headline', '--text-column', 'body']
    const labels = ['--label-column', 'topics', '--label-separator', '/']
    const facts = await inspectJson(folder.file('news.data', csv), '--format', 'csv', ...flags, ...labels)
    expect(facts).toMatchObject({ format: 'csv', rows: 2, ids: true, texts: 2, textCharacters: 8, labels: 2 })
    const zeroBased = folder.file('zero.svm', '1 0:1 4:1\n')
    expect(await inspectJson(zeroBased, '--index-base', '0')).toMatchObject({ features: 5 })
  })

  it('reads a pipe, whose format only the reader sees', async () => {
    const pipe = folder.at('pipe')
    execFileSync('mkfifo', [pipe])
    createWriteStream(pipe).end(xmc)
    expect(await inspectJson(pipe)).toMatchObject({ format: null, rows: 4 })
  })
})

describe('vicinal inspect, on a model', () => {
  it('shows method, options and tensors', async () => {
    copyFileSync(golden, folder.at('golden.vicinal'))
    const { code, stdout, stderr } = await inspect(folder.at('golden.vicinal'))
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatchInlineSnapshot(`
      "golden.vicinal
        method  golden
        format  vicinal model, version 1
        size    909 bytes

      options
        k        3
        metric   cosine
        weights  [0.25,0.75]

      contents
        labelNames  3 items
        pipeline    null

      tensors
        f64     F64      3  24 bytes
        scalar  F64          8 bytes
        empty   F32  0 × 4   0 bytes
        f32     F32  3 × 2  24 bytes
        i32     I32      2   8 bytes
        u32     U32      1   4 bytes
        i16     I16      1   2 bytes
        u16     U16      1   2 bytes
        i8      I8       2   2 bytes
        u8      U8       3   3 bytes
      "
    `)
  })

  it('gives a program one object', async () => {
    copyFileSync(golden, folder.at('golden.vicinal'))
    const facts = await inspectJson(folder.at('golden.vicinal'))
    expect(facts).toMatchObject({ kind: 'model', format: 'vicinal', formatVersion: 1, method: 'golden', bytes: 909 })
    expect(facts.tensors).toContainEqual({ name: 'f32', dtype: 'F32', shape: [3, 2], bytes: 24 })
    expect(Object.keys(facts)).toEqual(expect.arrayContaining(['options', 'meta', 'seconds', 'peakRssBytes']))
  })
})

describe('vicinal inspect --tree', () => {
  const model = folder.at('books.model')
  const data = folder.file('titles.jsonl', titles)

  const small = ['--set', 'trees=3', '--set', 'leafSize=2']

  beforeAll(async () => {
    const { code, stderr } = await vicinal(['train', data, '--method', 'gpt', ...small, '--out', model])
    expect([code, stderr]).toEqual([0, expect.any(String)])
  })

  const describedTree = (): Promise<DescribedNode> => inspectJson(model, '--tree', '0')

  it('gives a program the tree', async () => {
    const root = await describedTree()
    expect(root).toMatchObject({ rows: 12, labels: expect.any(Array) })
    expect(root.labels[0]).toEqual({ label: 'shipping', rows: 4 })
    expect(root.split?.terms.map(({ feature }) => feature)).toEqual(expect.arrayContaining([expect.any(String)]))
    expect(root.split && root.split.left.rows + root.split.right.rows).toBe(12)
  })

  it('prints the tree', async () => {
    const { code, stdout, stderr } = await inspect(model, '--tree', '0')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^12 rows {2}.*[←→].*\n├ below .*\n(.*\n)*└ at least .*\n/)
    expect(stdout).toBe(treeText(await describedTree()))
  })

  it('shows as many levels as asked for', async () => {
    const { stdout } = await inspect(model, '--tree', '0', '--levels', '2')
    expect(stdout).toMatch(/^12 rows .*\n├ .*\n└ .*\n$/)
    expect(stdout).toMatch(/: … \d leaves, \d+ rows /)
    expect(stdout).toBe(treeText(await describedTree(), { mostLevels: 2 }))
  })

  it('shows each tree', async () => {
    expect((await inspect(model, '--tree', '1')).stdout).not.toBe((await inspect(model, '--tree', '0')).stdout)
  })

  it('draws the tree into a file, and says so', async () => {
    const svg = folder.at('tree.svg')
    const { code, stdout, stderr } = await inspect(model, '--tree', '0', '--levels', '2', '--svg', svg)
    expect([code, stderr]).toEqual([0, 'wrote tree.svg\n'])
    expect(stdout).toMatch(/^12 rows /)
    expect(readFileSync(svg, 'utf8')).toBe(
      treeSvg(await describedTree(), { title: 'Tree 0 of books.model', mostLevels: 2 }),
    )
  })

  it('overwrites a drawing only where asked to', async () => {
    const svg = folder.file('taken.svg', 'precious')
    expect(await inspect(model, '--tree', '0', '--svg', svg)).toEqual({
      code: 4,
      stdout: '',
      stderr: 'vicinal: taken.svg: already exists\n  hint: Choose another path, or overwrite it with --force.\n',
    })
    expect(readFileSync(svg, 'utf8')).toBe('precious')
    expect((await inspect(model, '--tree', '0', '--svg', svg, '--force')).code).toBe(0)
    expect(readFileSync(svg, 'utf8')).toMatch(/^<svg /)
  })

  it('refuses a model without trees', async () => {
    const lcif = folder.at('lcif.model')
    await vicinal(['train', data, '--method', 'lcif', '--out', lcif])
    expect(await inspect(lcif, '--tree', '0', '--svg', folder.at('none.svg'))).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'vicinal: lcif.model: a model of the method lcif has no trees to show\n' +
        '  hint: Train one with --method gpt or --method forest.\n',
    })
    expect(existsSync(folder.at('none.svg'))).toBe(false)
  })

  it.each([
    [
      'a data file',
      () => [data, '--tree', '0'],
      2,
      'titles.jsonl: not a model file, and --tree needs one',
      'Train one with --method gpt or --method forest.',
    ],
    [
      'a missing file',
      () => [folder.at('none.model'), '--tree', '0'],
      4,
      'none.model: no such file',
      'Check the path.',
    ],
    [
      'a tree that does not exist',
      () => [model, '--tree', '3', '--svg', folder.at('none.svg')],
      2,
      'books.model: --tree is 3, but the model has 3 trees',
      'Choose one from 0 to 2.',
    ],
    [
      'a drawing of no tree',
      () => [model, '--svg', folder.at('none.svg')],
      2,
      '--svg works only together with --tree',
      'Add --tree 0 for the first tree of a model.',
    ],
    [
      'levels of no tree',
      () => [data, '--levels', '3'],
      2,
      '--levels works only together with --tree',
      'Add --tree 0 for the first tree of a model.',
    ],
    [
      'no levels',
      () => [model, '--tree', '0', '--levels', '0'],
      2,
      "option '--levels <n>' argument '0' is invalid. Expected a whole number from 1 to 1000.",
      'Run the command with --help to see its options.',
    ],
  ])('refuses %s', async (_, argv, code, message, hint) => {
    const [file = '', ...flags] = argv()
    expect(await inspect(file, ...flags)).toEqual({
      code,
      stdout: '',
      stderr: `vicinal: ${message}\n  hint: ${hint}\n`,
    })
  })
})

describe('vicinal inspect, on what is wrong', () => {
  it.each([
    ['a missing file', 4, () => folder.at('none.txt'), 'vicinal: none.txt: no such file\n  hint: Check the path.\n'],
    [
      'a folder without texts',
      3,
      () => folder.folder('no-texts'),
      'vicinal: no-texts is a folder without texts\n  hint: A folder of texts has files such as a.txt, with labels in a.tsv or a.key.\n',
    ],
    [
      'an empty file',
      3,
      () => folder.file('empty.txt', ''),
      'vicinal: empty.txt is empty\n  hint: Is it the right file?\n',
    ],
    [
      'a bad row',
      3,
      () => folder.file('row.txt', '2 3 2\n0 0:1\n5 1:1\n'),
      'vicinal: row.txt:3:1: label 5 is out of range, expected labels from 0 to 1\n',
    ],
  ])('reports %s and ends with %d', async (_, code, file, stderr) => {
    expect(await inspect(file())).toEqual({ code, stdout: '', stderr })
  })

  it('reports a truncated gzip file as bad data', async () => {
    const { code, stderr } = await inspect(folder.file('cut.txt.gz', gzipSync(xmc.repeat(100)).subarray(0, 60)))
    expect(code).toBe(3)
    expect(stderr).toMatch(/^vicinal: cut\.txt\.gz: .*\n( {2}hint: .*\n)?$/)
  })

  it('reports contents of no known format', async () => {
    const { code, stderr } = await inspect(folder.file('noise.bin', Uint8Array.of(200, 1, 0, 255, 9)))
    expect(code).toBe(4)
    expect(stderr).toMatch(
      /^vicinal: noise\.bin has an unrecognized format .*\n {2}hint: Name the format with --format: .*\n$/,
    )
  })

  it('reports a model of another program', async () => {
    const header = '{"__metadata__":{"format":"pt"}}'
    const length = new Uint8Array(new BigUint64Array([BigInt(header.length)]).buffer)
    const file = folder.file('other.safetensors', Buffer.concat([length, Buffer.from(header)]))
    const { code, stderr } = await inspect(file)
    expect(code).toBe(4)
    expect(stderr).toMatch(
      /^vicinal: other\.safetensors: a safetensors file of another program \("pt"\).*\n {2}hint: .*\n$/,
    )
  })

  it('reports a damaged model', async () => {
    const file = folder.file('cut.vicinal', readFileSync(golden).subarray(0, 850))
    const { code, stderr } = await inspect(file)
    expect(code).toBe(4)
    expect(stderr).toMatch(/^vicinal: cut\.vicinal: truncated: .*\n {2}hint: .*\n$/)
  })
})
