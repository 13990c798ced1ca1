import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fvecs, idx, jsonLines, npy, TestFolder, titles, typed, vicinal } from '../test-run.ts'

const folder = new TestFolder()
afterAll(() => folder.remove())

const named = folder.at('named.index')
const plain = folder.at('plain.index')
const sparse = folder.at('sparse.index')
const rows = [[1, 1], [4, 1], [1, 5]] // biome-ignore format: rows as rows
const queries = folder.file('queries.fvecs', fvecs([[1, 1], [4, 5]])) // biome-ignore format: rows as rows

beforeAll(async () => {
  const ids = folder.file('named.jsonl', rows.map((row, i) => `{"id":"v${i}","vector":[${row}]}\n`).join(''))
  const features = folder.file('sparse.txt', '3 4 1\n0 0:1\n0 0:3 1:4\n0 2:1\n')
  await vicinal(['index', ids, '--out', named, '--kind', 'exact'])
  await vicinal(['index', folder.file('plain.npy', npy(rows)), '--out', plain, '--kind', 'exact'])
  await vicinal(['index', features, '--out', sparse, '--kind', 'inverted'])
})

async function search(argv: readonly string[], ...lines: string[]) {
  const { code, stdout, stderr } = await vicinal(['search', ...argv], { stdin: typed(...lines) })
  return {
    code,
    stderr: folder.plain(stderr),
    lines: jsonLines(stdout),
  }
}

const neighbors = (...pairs: [id: string | number, distance: number][]) =>
  pairs.map(([id, distance]) => ({ id, distance }))

describe('vicinal search', () => {
  it('prints a line of JSON a query, nearest first, with the ids of the data', async () => {
    expect(await search([named, queries])).toEqual({
      code: 0,
      stderr: '',
      lines: [
        { id: 0, neighbors: neighbors(['v0', 0], ['v1', 3], ['v2', 4]) },
        { id: 1, neighbors: neighbors(['v2', 3], ['v1', 4], ['v0', 5]) },
      ],
    })
  })

  it('names neighbors by row where the data had no ids, and only k of them', async () => {
    const { lines } = await search([plain, queries, '--k', '1'])
    expect(lines).toEqual([
      { id: 0, neighbors: neighbors([0, 0]) },
      { id: 1, neighbors: neighbors([2, 3]) },
    ])
  })

  it('prints the same with --json and with other numbers of threads', async () => {
    const expected = await search([named, queries])
    expect(await search([named, queries, '--json'])).toEqual(expected)
    for (const threads of ['1', '2']) expect(await search([named, queries, '--threads', threads])).toEqual(expected)
  })

  it.each([
    ['queries.npy', npy([[4, 5]])],
    ['queries.idx', idx([[4, 5]])],
    ['queries.csv', 'x,y\n4,5\n'],
    ['queries.jsonl', '{"vector":[4,5]}\n'],
  ])('takes queries from %s', async (name, contents) => {
    const { lines } = await search([plain, folder.file(name, contents)])
    expect(lines).toEqual([{ id: 0, neighbors: neighbors([2, 3], [1, 4], [0, 5]) }])
  })

  it('searches with the options that --set gives', async () => {
    const near = folder.at('near.index')
    await vicinal(['index', folder.file('line.npy', npy([[0, 0], [20, 0], [0, 1]])), '--out', near, '--kind', 'net']) // biome-ignore format: rows as rows
    const asked = folder.file('asked.npy', npy([[0, 0.6]]))
    expect((await search([near, asked, '--k', '1'])).lines[0].neighbors).toEqual(neighbors([2, 0.4]))
    // With so much tolerance the root of the net will do.
    const rough = await search([near, asked, '--k', '1', '--set', 'tolerance=9'])
    expect(rough.lines[0].neighbors[0].distance).toBeGreaterThan(0.4)
    expect(
      (await search([sparse, folder.file('one.txt', '1 4 1\n0 1:1\n'), '--set', 'algorithm=wand'])).lines,
    ).toHaveLength(1)
  })

  it('names queries by the ids that they have', async () => {
    const asked = folder.file('asked.jsonl', '{"id":"p","vector":[1,1]}\n{"id":"q","vector":[4,1]}\n')
    const { lines } = await search([plain, asked, '--k', '1'])
    expect(lines.map(({ id }) => id)).toEqual(['p', 'q'])
  })

  it('numbers queries over batches, and rounds distances to six digits', async () => {
    const many = folder.file('many.fvecs', fvecs(Array.from({ length: 2500 }, (_, i) => [i, 3])))
    const { lines } = await search([plain, many, '--k', '1'])
    expect(lines.map(({ id }) => id)).toEqual(Array.from({ length: 2500 }, (_, i) => i))
    expect(lines[2499].neighbors).toEqual(neighbors([1, 2495]))
    expect(lines[0].neighbors).toEqual(neighbors([0, 2.23607]))
  })

  it('finds sparse neighbors, only those that share a feature', async () => {
    const svm = folder.file('queries.svm', '1 1:5\n1 3:2\n1 4:1\n')
    const { lines } = await search([sparse, svm])
    expect(lines.map(line => line.neighbors)).toEqual([
      ...[neighbors([0, 0], [1, expect.closeTo(0.4, 6)]), neighbors([2, 0]), []],
    ])
  })
})

describe('vicinal search -', () => {
  it('reads JSON lines with a vector each, however they are cut', async () => {
    const { code, lines } = await search([named, '-', '--k', '1'], '{"vector":[1,1]}\n{"vec', 'tor":[4,5]}\n')
    expect([code, lines.map(line => line.neighbors[0].id)]).toEqual([0, ['v0', 'v2']])
  })

  it('takes ids and sparse vectors', async () => {
    const { lines } = await search([sparse, '-'], '{"id":"q","vector":{"indices":[2],"values":[7]}}\n')
    expect(lines).toEqual([{ id: 'q', neighbors: neighbors([2, 0]) }])
  })

  it('reads any format that is named', async () => {
    const { lines } = await search([plain, '-', '--format', 'csv', '--k', '1'], 'x,y\n4,1\n')
    expect(lines).toEqual([{ id: 0, neighbors: neighbors([1, 0]) }])
  })

  it('takes sparse vectors with features that the index has never seen', async () => {
    const { code, lines } = await search([sparse, '-'], '{"vector":{"indices":[2,99],"values":[7,0]}}\n')
    expect([code, lines]).toEqual([0, [{ id: 0, neighbors: neighbors([2, 0]) }]])
  })

  it('says which line is bad', async () => {
    const { code, stderr, lines } = await search([plain, '-'], '{"vector":[1,1]}\n{"vector":[1]}\n')
    expect([code, lines]).toEqual([3, []])
    expect(stderr).toMatch(/^vicinal: \(stream\):2/)
  })
})

describe('vicinal search refuses', () => {
  const nan = folder.file('nan.fvecs', fvecs([[1, 1], [Number.NaN, 1]])) // biome-ignore format: rows as rows
  const wide = folder.file('wide.npy', npy([[1, 2, 3]]))
  const wideSparse = folder.file('wide.txt', '1 9 1\n0 8:1\n')
  const texts = folder.file('titles.jsonl', titles)

  it.each([
    [
      'k of 0',
      () => [plain, queries, '--k', '0'],
      2,
      "option '--k <n>' argument '0' is invalid. Expected a whole number from 1 to 10000.",
    ],
    ['other dimensions', () => [plain, wide], 3, 'each query has 3 dimensions, this index has 2'],
    [
      'sparse queries of dense rows',
      () => [plain, wideSparse],
      3,
      'the vectors of wide.txt are sparse, the index takes dense ones',
    ],
    [
      'dense queries of sparse rows',
      () => [sparse, wide],
      3,
      'the vectors of wide.npy are dense, the index takes sparse ones',
    ],
    [
      'options that the kind of index does not have',
      () => [sparse, wideSparse, '--set', 'tolerance=1'],
      2,
      'a search of the index kind inverted has no option "tolerance"',
    ],
    [
      'values that options cannot have',
      () => [sparse, folder.file('one.txt', '1 4 1\n0 1:1\n'), '--set', 'algorithm=best'],
      2,
      "algorithm is 'best', expected one of auto, taat, wand, partitioned, threshold",
    ],
    ['texts', () => [plain, texts], 3, 'titles.jsonl has no vectors'],
    ['an index that is not there', () => [folder.at('no.index'), queries], 4, 'no.index: no such file'],
    ['queries that are not there', () => [plain, folder.at('no.npy')], 4, 'no.npy: no such file'],
    [
      'an index that is none',
      () => [texts, queries],
      4,
      'titles.jsonl: not a Vicinal model file: it looks like JSON text',
    ],
  ])('%s', async (_, argv, exit, message) => {
    const { code, stderr, lines } = await search(argv())
    expect([code, stderr.split('\n')[0], lines]).toEqual([exit, `vicinal: ${message}`, []])
  })

  it('numbers that are none, by row and column', async () => {
    const { code, stderr } = await search([plain, nan])
    expect([code, stderr]).toEqual([3, expect.stringContaining('nan.fvecs: row 1, column 0 is NaN')])
  })

  it('a model that is no index, saying which commands take it', async () => {
    await vicinal(['train', texts, '--out', folder.at('titles.model'), '--set', 'weighting=none'])
    const { code, stderr } = await search([folder.at('titles.model'), queries])
    expect([code, stderr]).toEqual([
      2,
      'vicinal: titles.model: holds an LcifClassifier, not an index\n' +
        '  hint: It is a classifier: use it with vicinal predict, evaluate or explain.\n',
    ])
  })

  it('to go on after Ctrl-C', async () => {
    const stopped = await vicinal(['search', plain, queries], { signal: AbortSignal.abort() })
    expect(stopped).toEqual({ code: 130, stdout: '', stderr: 'vicinal: stopped before the work was done\n' })
  })
})
