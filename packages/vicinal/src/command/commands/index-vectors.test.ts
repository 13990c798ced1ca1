import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { defaultIndexKind } from '@vicinal/core/internals'
import { afterAll, describe, expect, it } from 'vitest'
import { fvecs, idx, npy, TestFolder, vicinal } from '../test-run.ts'

const folder = new TestFolder()
afterAll(() => folder.remove())

const rows = [[1, 1], [4, 1], [1, 5]] // biome-ignore format: rows as rows
const data = folder.file('corner.npy', npy(rows))
const named = folder.file('named.jsonl', '{"id":"a","vector":[1,1]}\n{"id":"b","vector":[4,1]}\n')
const sparse = folder.file('sparse.txt', '3 4 1\n0 0:1 1:1\n0 1:2\n0 2:1 3:1\n')
const exact = ['--kind', 'exact']

async function index(...argv: string[]) {
  const { code, stdout, stderr } = await vicinal(['index', ...argv])
  return { code, stdout: folder.plain(stdout), stderr: folder.plain(stderr) }
}

describe('vicinal index', () => {
  it('writes an index and says so in two lines', async () => {
    const { code, stdout, stderr } = await index(data, '--out', folder.at('a.index'), ...exact)
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toMatch(
      /^indexed 3 vectors of 2 dimensions \(exact, euclidean\) in [\d.]+ s\nwrote a\.index, \d+ bytes\n$/,
    )
  })

  it('prints one object with --json', async () => {
    const out = folder.at('b.index')
    const { code, stdout, stderr } = await index(named, '--out', out, '--json', ...exact, '--metric', 'cosine')
    expect([code, stderr]).toEqual([0, ''])
    const result = JSON.parse(stdout)
    expect(result).toEqual({
      kind: 'exact',
      columns: { vector: 'vector', id: 'id' },
      options: { metric: 'cosine' },
      rows: 2,
      dims: 2,
      seconds: expect.any(Number),
      indexBytes: readFileSync(out).length,
      peakRssBytes: expect.any(Number),
    })
    expect(Object.keys(result)).toEqual([
      'kind',
      'columns',
      'options',
      'rows',
      'dims',
      'seconds',
      'indexBytes',
      'peakRssBytes',
    ])
  })

  it.each([
    ['corner.fvecs', fvecs(rows)],
    ['corner.idx', idx(rows)],
    ['corner.npy.gz', gzipSync(npy(rows))],
    ['corner.csv', 'x,y\n1,1\n4,1\n1,5\n'],
    ['corner.jsonl', rows.map(row => `{"vector":${JSON.stringify(row)}}\n`).join('')],
  ])('makes the same of %s as of corner.npy', async (name, contents) => {
    const nearest = async (out: string) => (await vicinal(['search', out, data])).stdout
    const [one, other] = [folder.at(`${name}.index`), folder.at(`${name}.npy.index`)]
    await index(data, '--out', other, ...exact)
    expect((await index(folder.file(name, contents), '--out', one, ...exact)).code).toBe(0)
    expect(await nearest(one)).toBe(await nearest(other))
    expect((await nearest(one)).split('\n')).toHaveLength(4)
  })

  it('chooses the kind by the data', async () => {
    for (const [file, layout] of [
      [data, 'dense'],
      [sparse, 'sparse'],
    ] as const) {
      // biome-ignore format: one list
      const { stdout } = await index(file, '--out', folder.at(`${layout}.index`), '--json')
      expect(JSON.parse(stdout).kind).toBe(defaultIndexKind(layout).name)
    }
  })

  it('indexes sparse vectors, with the options that --set and the flags name', async () => {
    const svm = folder.file('sparse.svm', '1 1:1 2:1\n1 2:2\n')
    const flags = ['--kind', 'inverted', '--metric', 'dot', '--set', 'partitionBest=3', '--json']
    const { code, stdout } = await index(svm, '--out', folder.at('s.index'), ...flags)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ kind: 'inverted', rows: 2, dims: 2 },
      options: { metric: 'dot', partitionBest: 3 },
    })
  })

  it('gives the same file whatever the threads', async () => {
    const facts = async (threads: string) => {
      const out = folder.at(`threads-${threads}.index`)
      await index(data, '--out', out, ...exact, '--threads', threads)
      const { tensors, options } = JSON.parse((await vicinal(['inspect', out, '--json'])).stdout)
      return { tensors, options, found: (await vicinal(['search', out, data])).stdout }
    }
    expect(await facts('2')).toEqual(await facts('1'))
  })

  it('writes what inspect can tell about', async () => {
    await index(named, '--out', folder.at('i.index'), ...exact, '--metric', 'dot')
    const { stdout } = await vicinal(['inspect', folder.at('i.index')])
    expect(folder.plain(stdout)).toMatch(
      /^i\.index\n {2}index +exact, dot\n {2}holds +2 vectors of 2 dimensions\n[\s\S]*\n {2}metric +dot\n/,
    )
    await index(sparse, '--out', folder.at('j.index'))
    const facts = JSON.parse((await vicinal(['inspect', folder.at('j.index'), '--json'])).stdout)
    expect(facts).toMatchObject({
      ...{ kind: 'index', method: 'inverted' },
      options: { metric: 'cosine' },
      meta: { rows: 3, columns: 4, buildSeconds: expect.any(Number) },
    })
  })

  it('overwrites only where asked to, and finds out before it reads', async () => {
    folder.file('c.index', 'precious')
    expect(await index(folder.at('missing.npy'), '--out', folder.at('c.index'), ...exact)).toEqual({
      code: 4,
      stdout: '',
      stderr: 'vicinal: c.index: already exists\n  hint: Choose another path, or overwrite it with --force.\n',
    })
    expect((await index(data, '--out', folder.at('c.index'), '--force', ...exact)).code).toBe(0)
  })

  it('counts the bad rows it skipped', async () => {
    const bad = folder.file('bad.jsonl', '{"vector":[1,1]}\n{"vector":[1]}\n')
    const { code, stderr } = await index(bad, '--out', folder.at('d.index'), '--skip-bad-rows', ...exact)
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^bad\.jsonl: 1 bad row skipped\nbad\.jsonl: vectors from "vector"\nindexed 1 vector /),
    ])
  })

  it('leaves no file where it was stopped', async () => {
    const { code, stderr } = await vicinal(['index', data, '--out', folder.at('stopped.index'), ...exact], {
      signal: AbortSignal.abort(),
    })
    expect([code, stderr]).toEqual([130, 'vicinal: stopped before the work was done\n'])
    expect(readdirSync(folder.path).filter(name => name.startsWith('stopped'))).toEqual([])
  })
})

describe('vicinal index refuses', () => {
  const out = folder.at('none.index')
  const nan = folder.file('nan.fvecs', fvecs([[1, 1], [4, Number.NaN]])) // biome-ignore format: rows as rows
  const zero = folder.file('zero.npy', npy([[1, 1], [0, 0]])) // biome-ignore format: rows as rows
  const texts = folder.file('texts.jsonl', '{"text":"a"}\n')
  const twice = folder.file('twice.jsonl', '{"id":"a","vector":[1]}\n{"id":"a","vector":[2]}\n')

  it.each([
    [[data, ...exact, '--grower', 'pca'], 'exact has no option "grower"'],
    [[data, ...exact, '--set', 'trees=3'], 'exact has no option "trees"'],
    [[data, ...exact, '--set', 'metric'], '--set metric has no value, expected name=value'],
    [[data, ...exact, '--set', 'metric=far'], "metric is 'far', expected one of euclidean, cosine, dot"],
    [[sparse, '--kind', 'inverted', '--metric', 'euclidean'], "metric is 'euclidean', expected one of cosine, dot"],
    [
      [data, '--target-recall', '95'],
      "option '--target-recall <share>' argument '95' is invalid. Expected a number above 0 and at most 0.999999. To find all true neighbors, use --kind exact.",
    ],
    [[data, '--k', '0'], "option '--k <n>' argument '0' is invalid. Expected a whole number from 1 to 10000."],
  ])('%j, as wrong usage', async (argv, message) => {
    const { code, stderr } = await index(...argv, '--out', out)
    expect([code, stderr.split('\n')[0]]).toEqual([2, `vicinal: ${message}`])
  })

  it.each([
    [[sparse, ...exact], 'the vectors are sparse, the index kind "exact" takes dense ones'],
    [[data, '--kind', 'inverted'], 'the vectors are dense, the index kind "inverted" takes sparse ones'],
    [[texts, ...exact], 'texts.jsonl has no vectors'],
    [[zero, ...exact, '--metric', 'cosine'], 'row 1 is all zeros, so it has no direction, which cosine needs'],
    [[twice, ...exact], 'the id "a" appears twice: in rows 0 and 1'],
  ])('%j, as bad data', async (argv, message) => {
    const { code, stderr } = await index(...argv, '--out', out)
    expect([code, stderr.split('\n')[0]]).toEqual([3, `vicinal: ${message}`])
    expect(existsSync(out)).toBe(false)
  })

  it('texts where no kind is given, naming the one that takes them', async () => {
    const { code, stderr } = await index(texts, '--out', out)
    expect([code, stderr]).toEqual([3, expect.stringContaining('hint: It has texts: --kind net indexes them')])
  })

  it('numbers that are none, by row and column', async () => {
    const { code, stderr } = await index(nan, '--out', out, ...exact)
    expect([code, stderr]).toEqual([3, expect.stringContaining('nan.fvecs: row 1, column 1 is NaN')])
  })

  it('an unknown kind, listing the known ones', async () => {
    const { code, stderr } = await index(data, '--out', out, '--kind', 'magic')
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^vicinal: option '--kind <name>' argument 'magic' is invalid\. Allowed choices are .*exact.*inverted.*\.\n/,
    )
  })

  it('wrong options of a kind before it reads', async () => {
    const { stderr } = await index(folder.at('missing.npy'), '--out', out, ...exact, '--grower', 'pca')
    expect(stderr).toMatch(/^vicinal: exact has no option "grower"\n {2}hint: Known: metric\.\n$/)
  })

  it('a file that is not there, and to run without a place for the index', async () => {
    const missing = await index(folder.at('missing.npy'), '--out', out, ...exact)
    expect([missing.code, missing.stderr]).toEqual([4, 'vicinal: missing.npy: no such file\n  hint: Check the path.\n'])
    const nowhere = await index(data, ...exact)
    expect([nowhere.code, nowhere.stderr.split('\n')[0]]).toEqual([
      ...[2, "vicinal: required option '--out <index>' not specified"],
    ])
    const misspelled = await index(data, '--kindd', 'exact')
    expect(misspelled.stderr).toBe("vicinal: unknown option '--kindd'\n  hint: Did you mean --kind?\n")
  })
})
