import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestFolder, typed, vicinal } from '../../test-run.ts'

const folder = new TestFolder()
afterAll(() => folder.remove())

const books = folder.at('books.collection')
const lines = [
  { id: 'b1', text: 'A history of the Baltic Sea', year: 1987, lang: 'en', vector: [1, 0] },
  { id: 'b2', text: 'Baltic shipping', year: 1995, lang: 'en', vector: [0.6, 0.8] },
  { id: 3, text: 'Itämeren historia', metadata: { year: 2001, lang: 'fi' }, vector: [0, 1] },
]
const data = folder.file('books.jsonl', lines.map(line => `${JSON.stringify(line)}\n`).join(''))

beforeAll(async () => {
  const { code, stderr } = await vicinal(['index', data, '--out', books])
  expect([code, stderr]).toEqual([0, expect.stringContaining('indexed 3 documents, 3 vectors')])
})

async function search(argv: readonly string[], ...stdin: string[]) {
  const { code, stdout, stderr } = await vicinal(['search', books, ...argv], {
    stdin: typed(...stdin.map(line => `${line}\n`)),
  })
  const found = stdout.split('\n').filter(Boolean)
  return { code, stderr: folder.plain(stderr), found: found.map(line => JSON.parse(line)) }
}

describe('a collection on the command line', () => {
  it('is searched by words, with the documents in the answer', async () => {
    const { code, found } = await search(['--text', 'baltic history'])
    expect(code).toBe(0)
    expect(found).toMatchObject([
      { id: 'b1', text: 'A history of the Baltic Sea', metadata: { year: 1987 }, words: ['history', 'baltic'] },
      { id: 'b2', words: ['baltic'] },
    ])
  })

  it.each([
    [['--text', 'baltic', '--filter', 'year>=1990'], ['b2']],
    [['--text', 'baltic', '--filter', 'year>=1980', '--filter', 'year<1990'], ['b1']],
    [['--text', 'baltic historia', '--filter', 'lang!=en'], [3]],
    [['--text', 'batlic', '--typos', '--k', '1'], ['b2']],
    [['--text', 'ship', '--prefix'], ['b2']],
    [['--like', 'b1', '--filter', 'lang=fi'], [3]],
  ])('%j finds %j', async (argv, ids) => {
    expect((await search(argv)).found.map(({ id }) => id)).toEqual(ids)
  })

  it('says on stderr that nothing was found, and what may help', async () => {
    const none = 'vicinal: no documents found\n'
    const hint = '  hint: --typos also finds words that differ by a typo.\n'
    expect(await search(['--text', 'batlic'])).toEqual({ code: 0, stderr: none + hint, found: [] })
    expect(await search(['--text', 'qqqqqqqq', '--typos'])).toEqual({ code: 0, stderr: none, found: [] })
    expect(await search(['--text', 'batlic', '--json'])).toEqual({ code: 0, stderr: '', found: [{ hits: [] }] })
  })

  it('is no model, and predict says which command takes it', async () => {
    const { code, stderr } = await vicinal(['predict', books, '--text', 'a'])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('hint: It is a collection: use it with vicinal search.'),
    ])
  })

  it('keeps documents whose ids are longer numbers than a double holds', async () => {
    const long = folder.file('long.jsonl', '{"id":9007199254740993,"text":"a"}\n{"id":9007199254740992,"text":"a"}\n')
    const out = folder.at('long.collection')
    expect((await vicinal(['index', long, '--out', out])).stderr).toContain('indexed 2 documents')
    const { stdout } = await vicinal(['search', out, '--text', 'a', '--json'])
    expect(JSON.parse(stdout).hits.map(({ id }: { id: unknown }) => id)).toEqual([
      '9007199254740993',
      '9007199254740992',
    ])
  })

  it('says how many documents of a file had the same id, instead of counting them twice', async () => {
    const twice = folder.file('twice.jsonl', '{"id":1,"text":"a"}\n{"id":1,"text":"b"}\n')
    const out = folder.at('twice.collection')
    const made = await vicinal(['index', twice, '--out', out])
    expect(made.stderr).toContain(
      'twice.jsonl: 1 document replaced an earlier one with the same id\nindexed 1 document,',
    )
    const added = await vicinal(['add', out, twice])
    expect(added.stderr).toBe('stored 2 documents, 2 of them in place of others; the collection has 1\n')
  })

  it.each([
    [
      'an array of objects',
      'all.json',
      '[\n {"id": "x", "text": "ships",\n  "year": 3},\n {"id": "y", "text": "sea"}\n]\n',
    ],
    ['a TSV table', 'all.tsv', 'id\ttext\tyear\r\nx\tships\t3\r\ny\tsea\t\r\n'],
    ['a CSV table with tabs', 'tabs.csv', '\ufeffid\ttext\tyear\nx\t"ships"\t3\ny\tsea\t\n'],
    ['a table with the row numbers of pandas', 'all.csv', ',id,text,year\n0,x,ships,3\n1,y,sea,\n'],
    [
      'lines with nulls',
      'all.jsonl',
      '{"id":"x","text":"ships","vector":null,"year":3}\n{"id":"y","text":null,"title":"sea"}\n',
    ],
  ])('is made of %s', async (_, name, content) => {
    const out = folder.at(`${name}.collection`)
    expect((await vicinal(['index', folder.file(name, content), '--out', out])).stderr).toContain('indexed 2 documents')
    const { stdout } = await vicinal(['search', out, '--text', 'ships sea', '--json'])
    const hits: { id: string; metadata?: object }[] = JSON.parse(stdout).hits
    expect(hits.map(({ id, metadata }) => [id, metadata])).toEqual([
      ['x', { year: 3 }],
      ['y', undefined],
    ])
  })

  it('takes texts, ids and vectors of a table as they are written', async () => {
    const csv = folder.file('e.csv', 'isbn,headline,embedding,n\n978,1984,"[0.5, 1]",12345678901234567890\n')
    const out = folder.at('e.collection')
    const made = await vicinal(['index', csv, '--out', out, '--text-column', 'headline', '--id-column', 'isbn'])
    expect(made.stderr).toContain('indexed 1 document, 1 vector')
    const { stdout } = await vicinal(['search', out, '--text', '1984', '--json'])
    expect(JSON.parse(stdout).hits).toMatchObject([{ id: '978', metadata: { n: '12345678901234567890' } }])
  })

  it.each([
    ['two columns of one name', 'id,text,text\n1,a,b\n', 'two columns are called "text"'],
    [
      'a vector that is none',
      'id,text,vector\n1,a,"[0.5]"\n2,b,"0.5 1"\n',
      '.csv:3:1: the vector of document "2" is \'0.5 1\'',
    ],
  ])('refuses %s, and says where', async (_, content, words) => {
    const out = folder.at('none.collection')
    expect((await vicinal(['index', folder.file('bad.csv', content), '--out', out])).stderr).toContain(words)
  })

  it('is made of titles and tables as they are', async () => {
    const csv = folder.file('t.csv', 'id,title,abstract,year,code\nc1,Baltic,"Ships, ice",1990,007\nc2,1984,,2001,8\n')
    const table = folder.at('table.collection')
    expect((await vicinal(['index', csv, '--out', table])).code).toBe(0)
    const found = async (...argv: string[]) =>
      (await vicinal(['search', table, ...argv])).stdout
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line))
    expect(await found('--text', 'ice')).toMatchObject([
      { id: 'c1', fields: { title: 'Baltic', abstract: 'Ships, ice' }, metadata: { year: 1990, code: '007' } },
    ])
    expect(await found('--text', '1984', '--filter', 'year>2000')).toMatchObject([
      { id: 'c2', fields: { title: '1984' } },
    ])
    const more = typed('{"key": "c3", "headline": "Harbors"}\n')
    const flags = ['--text-column', 'headline', '--id-column', 'key']
    expect((await vicinal(['add', table, '-', ...flags], { stdin: more })).code).toBe(0)
    expect(await found('--text', 'harbors')).toMatchObject([{ id: 'c3', fields: { headline: 'Harbors' } }])
  })

  it.each([
    [
      'has nothing to search',
      '{"id": "x", "name": "y"}',
      'the document has no text, fields or vector to search; it has id, name',
    ],
    [
      'lacks the field',
      '{"id": "x", "text": "y"}',
      'there is no field "headline"; the fields are id, text',
      '--text-column',
      'headline',
    ],
  ])('refuses a document that %s', async (_, line, message, ...flags) => {
    const bad = folder.file('bad.jsonl', `${line}\n`)
    const { code, stderr } = await vicinal(['index', bad, '--out', folder.at('bad.collection'), ...flags])
    expect([code, folder.plain(stderr)]).toEqual([3, expect.stringContaining(`bad.jsonl:1: ${message}`)])
  })

  it('says how to search for words that were taken for a file', async () => {
    const { code, stderr } = await search(['baltic history'])
    expect([code, stderr]).toEqual([4, expect.stringContaining('write --text "baltic history".')])
  })

  it('answers a line of JSON for every query of a file', async () => {
    const { found } = await search(['-', '--k', '1'], '{"text": "shipping"}', '{"id": "q", "vector": [0, 2]}')
    expect(found.map(({ id, hits }) => [id, hits[0].id])).toEqual([[0, 'b2'], ['q', 3]]) // biome-ignore format: pairs
  })

  it('grows and shrinks', async () => {
    const more = typed('{"id": "b2", "text": "Gone"}\n', '{"text": "Another Baltic book"}\n')
    expect((await vicinal(['add', books, '-'], { stdin: more })).stderr).toContain(
      'stored 2 documents, 1 of them in place of others; the collection has 4',
    )
    expect(new Set((await search(['--text', 'baltic'])).found.map(({ id }) => id))).toEqual(new Set(['b1', 4]))
    expect((await vicinal(['remove', books, 'b2', '3'])).stderr).toContain('removed 2 documents; the collection has 2')
    const { code, stderr } = await vicinal(['remove', books, 'b1', 'nobody'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('there is no document with the id "nobody"')])
    expect((await search(['--text', 'history'])).found).toHaveLength(1)
  })

  it('takes in Parquet files: dates and large numbers become what JSON has', async () => {
    const columns = [
      { name: 'id', data: ['p1', 'p2'], type: 'STRING' as const },
      { name: 'title', data: ['Ice roads', 'Ferries'], type: 'STRING' as const },
      { name: 'pages', data: [12n, 9007199254740993n], type: 'INT64' as const },
      { name: 'at', data: [new Date('2026-01-02'), new Date('2026-05-06')], type: 'TIMESTAMP' as const },
    ]
    const notes = folder.file('notes.parquet', new Uint8Array(parquetWriteBuffer({ columnData: columns })))
    const out = folder.at('notes.collection')
    expect((await vicinal(['index', notes, '--out', out])).stderr).toContain('indexed 2 documents')
    const { stdout } = await vicinal(['search', out, '--text', 'ferries', '--filter', 'at>=2026-03'])
    const metadata = { pages: '9007199254740993', at: '2026-05-06T00:00:00.000Z' }
    expect(JSON.parse(stdout)).toMatchObject({ id: 'p2', fields: { title: 'Ferries' }, metadata })
  })

  it.each([
    [['search', books], 'expected one of --text, --like and a file of queries'],
    [['search', books, '--text', 'a', '--filter', 'year'], "--filter is 'year', expected a name"],
    [['search', books, '--text', 'a', '--filter', 'year=>3'], "--filter is 'year=>3', expected a name"],
    [['search', books, '--text', 'a', '--filter', 'year>1', '--filter', 'year>2'], 'sets year twice'],
    [['search', books, '--text', 'a', '--filter', 'yaer>1'], 'no document has "yaer" in its metadata'],
    [['search', books, '--text', 'a', '--filter', 'year>=abc'], 'with the string "abc", but documents have a number'],
    [['search', books, '--text', 'a', '--filter', 'lang=5'], `To compare with a text, put it in double quotes`],
    [['index', data, '--out', folder.at('x.collection'), '--kind', 'exact'], 'a collection, which has no kind'],
  ])('%j is refused', async (argv, message) => {
    const { code, stderr } = await vicinal(argv)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})
