import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fvecs, npy, TestFolder, vicinal } from '../test-run.ts'

const folder = new TestFolder()
afterAll(() => folder.remove())

const index = folder.at('line.index')
const sparse = folder.at('sparse.index')
const features = folder.file('sparse.txt', '3 4 1\n0 0:1\n0 0:3 1:4\n0 2:1\n')
const line = Array.from({ length: 30 }, (_, i) => [i * i, i])
const queries = folder.file('queries.fvecs', fvecs([[0, 0], [5, 5], [100, 1], [700, 9]])) // biome-ignore format: rows as rows

const truthFiles = () => readdirSync(folder.path).filter(name => name.includes('.truth-'))

const makeIndex = (rows: number[][]) =>
  vicinal(['index', folder.file('line.npy', npy(rows)), '--out', index, '--kind', 'exact', '--force'])

beforeAll(async () => {
  await makeIndex(line)
  await vicinal(['index', features, '--out', sparse, '--kind', 'inverted'])
})
beforeEach(() => {
  for (const name of truthFiles()) rmSync(folder.at(name))
})

async function curve(...argv: string[]) {
  const { code, stdout, stderr } = await vicinal(['curve', ...argv])
  return { code, stdout: folder.plain(stdout), stderr: folder.plain(stderr) }
}

async function curveJson(...argv: string[]) {
  const { code, stdout } = await curve(...argv, '--json')
  expect(code).toBe(0)
  return JSON.parse(stdout)
}

describe('vicinal curve', () => {
  it('prints a table of recall and time', async () => {
    const { code, stdout } = await curve(index, queries, '--k', '3')
    expect(code).toBe(0)
    expect(stdout.replace(/built in [\d.]+ s/, 'built in # s').replace(/ +[\d.,]+( +30)/, ' #$1')).toBe(
      [
        'line.index',
        `  index    exact, euclidean, 30 rows, ${readFileSync(index).length} bytes, built in # s`,
        '  queries  queries.fvecs, 4 rows, 3 neighbors each',
        '',
        '  recall  µs/query  candidates',
        '  1.0000 #          30',
        '',
      ].join('\n'),
    )
  })

  it('prints one object with --json', async () => {
    const result = await curveJson(index, queries)
    expect(result).toEqual({
      k: 10,
      queries: 4,
      buildSeconds: expect.any(Number),
      indexBytes: readFileSync(index).length,
      points: [{ recall: 1, microsPerQuery: expect.any(Number), candidates: 30, options: {} }],
    })
    expect(result.points[0].microsPerQuery).toBeGreaterThan(0)
    expect(Object.keys(result)).toEqual(['k', 'queries', 'buildSeconds', 'indexBytes', 'points'])
  })

  it('measures sparse indexes too, and more neighbors than there are', async () => {
    expect(await curveJson(sparse, features, '--k', '50')).toMatchObject({
      ...{ k: 50, queries: 3 },
      points: [{ recall: 1, candidates: 3 }],
    })
  })

  it('takes the first queries, or some at random, by seed', async () => {
    expect((await curveJson(index, queries, '--queries', '2')).queries).toBe(2)
    expect((await curveJson(index, queries, '--sample', '3')).queries).toBe(3)
    const kept = async (...argv: string[]) => (await curve(index, queries, ...argv)).stderr.match(/truth-\w+/)?.[0]
    // The file's name tells which queries were asked.
    const [one, again, other] = [
      await kept('--sample', '1'),
      await kept('--sample', '1', '--seed', '1'),
      await kept('--sample', '1', '--seed', '3'),
    ]
    expect(again).toBe(one)
    expect(other).not.toBe(one)
    const first = folder.file('first.fvecs', fvecs([[0, 0], [5, 5]])) // biome-ignore format: rows as rows
    expect(await kept('--queries', '2')).toBe((await curve(index, first)).stderr.match(/truth-\w+/)?.[0])
  })
})

describe('the true neighbors', () => {
  it('are computed once, and read the second time', async () => {
    const first = await curve(index, queries)
    const [file] = truthFiles()
    expect(first.stderr).toBe(`true neighbors kept in ${file}\n`)
    expect((await curve(index, queries)).stderr).toBe(`true neighbors from ${file}\n`)
    expect(truthFiles()).toEqual([file])
  })

  it('are computed anew where the file is damaged', async () => {
    await curve(index, queries)
    const [file] = truthFiles()
    const bytes = readFileSync(folder.at(file ?? ''))
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
    writeFileSync(folder.at(file ?? ''), bytes)
    expect((await curve(index, queries)).stderr).toBe(`true neighbors kept in ${file}\n`)
  })

  it('are computed anew for another k, other queries, or an index made anew', async () => {
    await curve(index, queries)
    expect((await curve(index, queries, '--k', '2')).stderr).toMatch(/kept in/)
    expect((await curve(index, queries, '--queries', '3')).stderr).toMatch(/kept in/)
    await makeIndex(line.map(([x = 0, y = 0]) => [-x, y]))
    const stale = await curve(index, queries)
    expect(stale.stderr).toMatch(/kept in/)
    expect(stale.stdout).toMatch(/1\.0000/)
    await makeIndex(line)
  })
})

describe('vicinal curve --svg', () => {
  it('draws the curve into a file', async () => {
    const svg = folder.at('curve.svg')
    const { code, stderr } = await curve(index, queries, '--svg', svg)
    expect([code, stderr]).toEqual([0, expect.stringMatching(/\nwrote curve\.svg\n$/)])
    const drawn = readFileSync(svg, 'utf8')
    expect(drawn).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*>\n[\s\S]*<\/svg>\n?$/)
    expect(drawn).toContain('recall@10')
    expect(drawn.match(/<circle /g)).toHaveLength(2) // the point, and one in the legend
    expect(unclosed(drawn)).toEqual([])
    expect(drawn).not.toMatch(/NaN|undefined|Infinity/)
  })

  it('overwrites only where asked to, and finds out before it measures', async () => {
    const svg = folder.file('taken.svg', 'precious')
    expect(await curve(folder.at('no.index'), queries, '--svg', svg)).toEqual({
      code: 4,
      stdout: '',
      stderr: 'vicinal: taken.svg: already exists\n  hint: Choose another path, or overwrite it with --force.\n',
    })
    expect((await curve(index, queries, '--svg', svg, '--force')).code).toBe(0)
    expect(readFileSync(svg, 'utf8')).toMatch(/^<svg /)
  })
})

describe('vicinal curve refuses', () => {
  const wide = folder.file('wide.npy', npy([[1, 2, 3]]))
  const nan = folder.file('nan.fvecs', fvecs([[1, 1], [1, Number.NaN]])) // biome-ignore format: rows as rows

  it.each([
    [
      [index, queries, '--k', '0'],
      2,
      "option '--k <n>' argument '0' is invalid. Expected a whole number from 1 to 10000.",
    ],
    [[index, queries, '--queries', '5'], 2, '--queries is 5, but queries.fvecs has 4 rows'],
    [[index, queries, '--sample', '5'], 2, '--sample is 5, but queries.fvecs has 4 rows'],
    [
      [index, queries, '--sample', '2', '--queries', '2'],
      2,
      "option '--sample <n>' cannot be used with option '--queries <n>'",
    ],
    [[index, wide], 3, 'each query has 3 dimensions, this index has 2'],
    [[index, features], 3, 'the vectors of sparse.txt are sparse, the index takes dense ones'],
    [[folder.at('no.index'), queries], 4, 'no.index: no such file'],
    [[index, folder.at('no.npy')], 4, 'no.npy: no such file'],
    [[queries, queries], 4, expect.stringMatching(/^vicinal: queries\.fvecs: not a Vicinal model file/)],
  ])('%j', async (argv, exit, message) => {
    const { code, stdout, stderr } = await curve(...argv)
    const expected = typeof message === 'string' ? `vicinal: ${message}` : message
    expect([code, stdout, stderr.split('\n')[0]]).toEqual([exit, '', expected])
    expect(truthFiles()).toEqual([])
  })

  it('numbers that are none, by row and column', async () => {
    const { code, stderr } = await curve(index, nan)
    expect([code, stderr]).toEqual([3, expect.stringContaining('nan.fvecs: row 1, column 1 is NaN')])
  })

  it('to go on after Ctrl-C, and leaves no file', async () => {
    const argv = ['curve', index, queries, '--svg', folder.at('stopped.svg')]
    const stopped = await vicinal(argv, { signal: AbortSignal.abort() })
    expect(stopped).toEqual({ code: 130, stdout: '', stderr: 'vicinal: stopped before the work was done\n' })
    expect(readdirSync(folder.path).filter(name => name.startsWith('stopped'))).toEqual([])
    expect(truthFiles()).toEqual([])
  })
})

/** Names of elements that are opened and not closed, or the other way round. */
function unclosed(xml: string): string[] {
  const open: string[] = []
  for (const [, slash, name = '', empty] of xml.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)) {
    if (slash && open.at(-1) === name) open.pop()
    else if (!empty) open.push(name)
  }
  return open
}
