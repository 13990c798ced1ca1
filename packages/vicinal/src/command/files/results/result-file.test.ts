import { existsSync, readFileSync } from 'node:fs'
import { readDataset } from 'vicinal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestFolder, titles, vicinal } from '../../test-run.ts'

const folder = new TestFolder()
afterAll(() => folder.remove())

const data = folder.file('titles.jsonl', titles)
const model = folder.at('titles.model')
const names = folder.file('names.csv', 'uri,label_en\nshipping,"Ships, ""big""\nand small"\n')
const books = folder.at('books.collection')
const documents = folder.file(
  'books.jsonl',
  '{"id":"b1","text":"Baltic, history","year":1987}\n{"id":2,"text":"Baltic ships"}\n{"id":"b3","text":"Forests"}\n',
)

beforeAll(async () => {
  await vicinal(['train', data, '--out', model, '--set', 'weighting=none'])
  await vicinal(['index', documents, '--out', books])
})

async function run(...argv: string[]) {
  const { code, stdout, stderr } = await vicinal(argv)
  return { code, stdout, stderr: folder.plain(stderr) }
}

const read = (name: string) => readFileSync(folder.at(name), 'utf8')

describe('--out of predict', () => {
  it('writes the lines of stdout to .jsonl', async () => {
    const { stdout } = await run('predict', model, data)
    const written = await run('predict', model, data, '--out', folder.at('a.jsonl'))
    expect([read('a.jsonl'), written.stdout]).toEqual([stdout, ''])
    expect(written.stderr).toContain('wrote a.jsonl, ')
  })

  it('writes a row per label to .csv, quoted where needed', async () => {
    await run('predict', model, '--text', 'ships', '--top', '1', '--vocabulary', names, '--out', folder.at('a.csv'))
    expect(read('a.csv')).toMatch(/^id,rank,label,name,score\n0,1,shipping,"Ships, ""big""\nand small",0\.\d+\n$/)
    await run('predict', model, '--text', 'ships', '--text', 'zzz', '--explain', '--out', folder.at('b.csv'))
    expect(read('b.csv')).toMatch(/^id,rank,label,score,because\n0,1,shipping,0\.\d+,"\{""neighbors"".*\n/)
  })

  it('writes the same rows to .parquet', async () => {
    await run('predict', model, data, '--top', '2', '--out', folder.at('a.csv'), '--force')
    await run('predict', model, data, '--top', '2', '--out', folder.at('a.parquet'))
    const options = { textColumns: ['id', 'rank', 'label', 'score'] }
    const [csv, parquet] = [
      await readDataset(folder.at('a.csv'), options),
      await readDataset(folder.at('a.parquet'), options),
    ]
    expect(parquet.rows).toBeGreaterThan(12)
    expect(parquet.texts).toEqual(csv.texts)
  })

  it('leaves out labels below --min-score', async () => {
    const all = JSON.parse((await run('predict', model, '--text', 'ships of the baltic')).stdout).labels
    const middle = all[1].score
    const { stdout } = await run('predict', model, '--text', 'ships of the baltic', '--min-score', String(middle))
    expect(JSON.parse(stdout).labels).toEqual(all.filter(({ score }: { score: number }) => score >= middle))
  })

  it.each([
    ['an extension it does not know', ['--out', folder.at('x.xlsx')], 2, 'Name a .jsonl, .csv or .parquet file.'],
    ['a file that is there', ['--out', folder.at('titles.jsonl')], 4, 'titles.jsonl: already exists'],
    ['a score that is none', ['--min-score', 'high'], 2, 'Expected a number.'],
  ])('refuses %s', async (_, flags, code, message) => {
    expect(await run('predict', model, data, ...flags)).toMatchObject({
      code,
      stderr: expect.stringContaining(message),
    })
  })

  it('leaves no file behind if it fails', async () => {
    const { code } = await run('predict', model, folder.at('none.jsonl'), '--out', folder.at('none.csv'))
    expect([code, existsSync(folder.at('none.csv'))]).toEqual([4, false])
  })
})

describe('--out of search', () => {
  it('writes documents with their texts', async () => {
    await run('search', books, '--text', 'baltic history', '--out', folder.at('hits.csv'))
    const [head, first, second] = read('hits.csv').split('\n')
    expect(head).toBe('rank,id,score,distance,text,metadata,words')
    expect(first).toMatch(/^1,b1,[\d.]+,,"Baltic, history","\{""year"":1987\}",(history baltic|baltic history)$/)
    expect(second).toMatch(/^2,2,[\d.]+,,Baltic ships,,baltic$/)
  })

  it('writes the documents of every query, in order', async () => {
    const queries = folder.file('q.jsonl', '{"id":"q1","text":"forests"}\n{"text":"baltic"}\n')
    await run('search', books, queries, '--k', '1', '--out', folder.at('q.csv'))
    expect(
      read('q.csv')
        .split('\n')
        .slice(1, 3)
        .map(line => line.split(',').slice(0, 3)),
    ).toEqual([
      ['q1', '1', 'b3'],
      ['0', '1', expect.any(String)],
    ])
  })

  it('shows the texts of an index of texts, not only their numbers', async () => {
    const lines = folder.file('names.lines', 'sailing\nsails\nmushroom\n')
    const index = folder.at('names.index')
    await run('index', lines, '--kind', 'net', '--metric', 'levenshtein', '--out', index)
    const query = folder.file('query.lines', 'sailling\n')
    expect(JSON.parse((await run('search', index, query, '--k', '1')).stdout).neighbors).toEqual([
      { id: 0, text: 'sailing', distance: 1 },
    ])
    await run('search', index, query, '--k', '1', '--out', folder.at('n.csv'))
    expect(read('n.csv')).toBe('id,rank,neighbor,text,distance\n0,1,0,sailing,1\n')
  })

  it('leaves out documents below --min-score', async () => {
    expect((await run('search', books, '--text', 'baltic', '--min-score', '1000')).stdout).toBe('')
  })
})
