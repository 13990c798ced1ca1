import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readVocabulary } from './read-vocabulary.ts'

const read = (text: string, options = {}) => readVocabulary(new TextEncoder().encode(text), options)

describe("Annif's TSV", () => {
  it('gives uris names, and ignores notations; a uri alone is deprecated', async () => {
    const found = await read('\ufeff<http://x/1>\tlaivat\t42.42\r\n<http://x/2>\thöyrylaivat\r\n<http://x/3>\r\n', {
      language: 'fi',
    })
    expect([found.size, found.language, found.nameOf('http://x/1'), found.nameOf('http://x/2', 'fi')]).toEqual([
      3,
      'fi',
      'laivat',
      'höyrylaivat',
    ])
    expect([found.isDeprecated('http://x/3'), found.isDeprecated('http://x/1')]).toEqual([true, false])
  })

  it('may be gzipped, and ids need no brackets', async () => {
    const found = await readVocabulary(gzipSync('p3\tlight reading\np4\tfiction and poetry\n'))
    expect([found.nameOf('p4'), found.language]).toEqual(['fiction and poetry', ''])
  })

  it.each([
    ['an id twice', '<a>\tx\n<a>\ty\n', ':2:1: the id a appears twice'],
    ['no name', 'a\tx\nb\n', ':2:1: found no name'],
    ['an empty line', 'a\tx\n\nb\ty\n', ':2:1: the line is empty'],
    ['a tab among names alone', 'x\ny\tz\n', ':2:1: the line has a tab'],
    ['nothing', '\ufeff', 'has no concepts'],
  ])('refuses %s', async (_, text, words) => {
    await expect(read(text)).rejects.toThrow(words)
  })
})

describe('names in the order of labels', () => {
  it('are the names of the numbers', async () => {
    const found = await read('cat\nblack dog\n')
    expect([found.nameOf('0'), found.nameOf('1'), found.nameOf('2')]).toEqual(['cat', 'black dog', undefined])
  })
})

describe("Annif's CSV", () => {
  const csv =
    'uri,notation,label_en,label_fi\nhttp://x/1,42,"ships, and\nboats",laivat\n<http://x/2>,,,\nhttp://x/3,,,perinne\n'

  it('has a column of names a language', async () => {
    const found = await read(csv)
    expect([found.languages, found.nameOf('http://x/1'), found.nameOf('http://x/1', 'fi')]).toEqual([
      ['en', 'fi'],
      'ships, and\nboats',
      'laivat',
    ])
    expect([found.isDeprecated('http://x/2'), found.nameOf('http://x/3'), found.nameOf('http://x/3', 'fi')]).toEqual([
      true,
      undefined,
      'perinne',
    ])
  })

  it('may be separated by tabs, where its header was read as a concept called "label_fi"', async () => {
    const tsv = (text: string, options = {}) => readVocabulary(new File([text], 'names.tsv'), options)
    const found = await tsv('\ufeffuri\tlabel_fi\tlabel_en\r\nu1\tlaivat\tships\r\n')
    expect([found.size, found.nameOf('u1'), found.nameOf('u1', 'fi')]).toEqual([1, 'ships', 'laivat'])
    const plain = await tsv('uri\tlabel\nu1\tlaivat\n', { language: 'fi' })
    expect([plain.size, plain.nameOf('u1', 'fi')]).toEqual([1, 'laivat'])
    expect((await tsv('http://x/uri\turi\nu2\tlabel\n')).size).toBe(2)
  })

  it('may be separated by semicolons', async () => {
    expect((await read('uri;label_sv\r\nu1;fartyg\r\n')).nameOf('u1')).toBe('fartyg')
  })

  it.each([
    ['no names', 'uri,title\na,b\n', 'the columns are "uri", "title", expected uri and label_en'],
    ['a uri twice', 'uri,label_en\na,b\na,c\n', ':3:1: the uri a appears twice'],
    ['a short row', 'uri,label_en\na\n', 'the row has 1 cells, expected 2'],
    ['an empty uri', 'uri,label_en\n,x\n', ':2:1: the uri is empty'],
    ['an open quote', 'uri,label_en\na,"b\n', ':2:3'],
  ])('refuses %s', async (_, text, words) => {
    await expect(read(text)).rejects.toThrow(words)
  })
})
