import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readDataset } from '../read-dataset.ts'
import { Vocabulary } from '../vocabulary/vocabulary.ts'

const root = mkdtempSync(join(tmpdir(), 'folders-'))
afterAll(() => rmSync(root, { recursive: true }))

let count = 0
function folder(files: Record<string, string | Uint8Array>): string {
  const path = join(root, `f${count++}`)
  mkdirSync(path)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content)
  return path
}

const vocabulary = Vocabulary.create([
  { id: 'http://x/1', names: { fi: 'laivat' } },
  { id: 'http://x/2', names: { fi: 'meri' } },
])
const labelsOf = async (path: string, options = {}) => {
  const { labels, labelNames, rows } = await readDataset(path, options)
  return Array.from({ length: rows }, (_, i) => Array.from(labels!.row(i), label => labelNames![label]))
}

describe('a folder of full texts', () => {
  it('has a text a file, in the order of names, and labels beside it', async () => {
    const path = folder({
      'b.txt': '\ufeffHöyrylaivat\r\nItämerellä\r\n',
      'b.key': 'laivat\r\n\r\nmeri\r\n',
      'a.txt': 'Purjeet',
      'a.tsv': '<http://x/1>\tlaivat\n<http://x/2>\n',
      'a.key': 'not used: the TSV comes first',
      'README.md': 'ignored',
    })
    const { ids, texts, vocabulary: own } = await readDataset(path)
    expect([ids, texts]).toEqual([
      ['a', 'b'],
      ['Purjeet', 'Höyrylaivat\r\nItämerellä\r\n'],
    ])
    expect(await labelsOf(path)).toEqual([
      ['http://x/1', 'http://x/2'],
      ['laivat', 'meri'],
    ])
    expect(own?.nameOf('http://x/1')).toBe('laivat')
    expect(await labelsOf(path, { vocabulary })).toEqual([
      ['http://x/1', 'http://x/2'],
      ['http://x/1', 'http://x/2'],
    ])
  })

  it('does not leave out texts in folders within, or labels without a text', async () => {
    const path = folder({ 'a.txt': 'Purjeet', 'a.tsv': '<http://x/1>\tlaivat\n' })
    mkdirSync(join(path, 'images'))
    mkdirSync(join(path, '.git'))
    writeFileSync(join(path, '.git', 'b.txt'), 'hidden')
    writeFileSync(join(path, '._a.txt'), Uint8Array.of(0, 5, 22, 7))
    expect((await readDataset(path)).ids).toEqual(['a'])
    mkdirSync(join(path, 'more'))
    writeFileSync(join(path, 'more', 'b.txt'), 'Laivat')
    await expect(readDataset(path)).rejects.toThrow('more holds more texts, but folders within a folder are not read')
    const lonely = folder({ 'a.txt': 'Purjeet', 'a.key': '', 'b.tsv': '<http://x/1>\tlaivat\n' })
    await expect(readDataset(lonely)).rejects.toThrow('there is no b.txt to go with it')
  })

  it('may have an object a file, with id and labels', async () => {
    const path = folder({
      'x.json':
        '{"document_id":"d1","text":"Ships","subjects":[{"uri":"http://x/1","label":"laivat"}],"metadata":{"year":1}}',
      'y.txt': 'Sea',
      'y.key': '',
    })
    expect((await readDataset(path)).ids).toEqual(['d1', 'y'])
    expect(await labelsOf(path)).toEqual([['http://x/1'], []])
  })

  it('may have no labels at all', async () => {
    const { labels, rows } = await readDataset(folder({ 'a.txt': 'x', 'b.txt': 'y' }))
    expect([labels, rows]).toEqual([undefined, 2])
  })

  it('skips texts without labels only if asked', async () => {
    const path = folder({ 'a.txt': 'x', 'b.txt': 'y', 'b.key': 'meri\n' })
    await expect(readDataset(path)).rejects.toThrow('a.txt: the text has no labels, but others in the folder have')
    expect((await readDataset(path, { skipBadRows: true })).skipped).toMatchObject([{ line: 1 }])
  })

  it.each([
    ['no texts', { 'a.md': 'x' }, 'is a folder without texts'],
    ['labels without a text', { 'a.txt': 'x', 'b.key': 'y' }, 'b.key: there is no b.txt to go with it'],
    ['a text that is not UTF-8', { 'a.txt': new Uint8Array([65, 0xe4, 65]) }, 'a.txt:1:1: the text is not valid UTF-8'],
    [
      'labels that are not UTF-8',
      { 'a.txt': 'x', 'a.key': new Uint8Array([10, 0xe4]) },
      'a.key:2:1: the text is not valid UTF-8',
    ],
    ['broken JSON', { 'a.json': '{"text": ' }, 'a.json: the file is not JSON'],
    ['JSON without text', { 'a.json': '{}' }, 'a.json: the object has no "text"'],
    ['a subject twice as something else', { 'a.json': '{"text":"x","subjects":[7,{}]}' }, 'expected a name'],
  ])('refuses %s', async (_, files, words) => {
    await expect(readDataset(folder(files))).rejects.toThrow(words)
  })
})
