// index, search, curve and inspect with the forest for sparse vectors, which goes by the name of the one for dense ones.

import { Random } from '@vicinal/core'
import { afterAll, describe, expect, it } from 'vitest'
import { npy, TestFolder, vicinal } from '../test-run.ts'

const folder = new TestFolder()
afterAll(() => folder.remove())

const random = new Random(3)
/** Rows about one of ten subjects, which have most of their features from its own; feature 200 is everybody's. */
const texts = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    const own = Array.from({ length: 6 }, () => 1 + (i % 10) + 10 * random.below(19))
    const features = [...new Set([...own, 1 + random.below(190)])].sort((a, b) => a - b)
    return `0 ${features.map(feature => `${feature}:${1 + random.below(3)}`).join(' ')} 200:0.01\n`
  }).join('')
const data = folder.file('texts.svm', texts(300))
const queries = folder.file('queries.svm', texts(20))
const dense = folder.file('dense.npy', npy([[1, 1], [4, 1]])) // biome-ignore format: rows as rows
const made = folder.at('texts.index')
const forest = ['--kind', 'forest', '--set', 'trees=4', '--set', 'epochs=3']

describe('a sparse forest in the command', () => {
  it('is what --kind forest means for sparse vectors', async () => {
    const { code, stderr } = await vicinal(['index', data, '--out', made, ...forest])
    expect([code, stderr]).toEqual([
      ...[0, expect.stringMatching(/^indexed 300 vectors of 200 dimensions \(sparse-forest, cosine\) in /)],
    ])
    const plain = JSON.parse(
      (await vicinal(['index', dense, '--out', folder.at('d'), '--kind', 'forest', '--json'])).stdout,
    )
    expect(plain.kind).toBe('forest')
  })

  it('takes the options of its own, and says which they are', async () => {
    const flags = [...forest, '--grower', 'kd', '--metric', 'dot', '--set', 'candidates=50', '--seed', '4', '--json']
    const { code, stdout } = await vicinal(['index', data, '--out', folder.at('kd.index'), ...flags])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'sparse-forest',
      options: { grower: 'kd', metric: 'dot', candidates: 50, trees: 4, seed: 4 },
    })
    const wrong = await vicinal(['index', data, '--out', folder.at('no.index'), ...forest, '--set', 'view=rows'])
    expect([wrong.code, wrong.stderr.split('\n')[0]]).toEqual([2, 'vicinal: sparse-forest has no option "view"'])
    const nowhere = ['index', folder.at('missing'), '--out', folder.at('no.index'), '--kind', 'forest']
    const early = await vicinal([...nowhere, '--set', 'leaves=3'])
    expect([early.code, early.stderr.split('\n')[0]]).toEqual([2, 'vicinal: sparse-forest has no option "leaves"'])
  })

  it('refuses dense vectors under its own name', async () => {
    const { code, stderr } = await vicinal(['index', dense, '--out', folder.at('no.index'), '--kind', 'sparse-forest'])
    expect([code, stderr.split('\n')[0]]).toEqual([
      ...[3, 'vicinal: the vectors are dense, the index kind "sparse-forest" takes sparse ones'],
    ])
  })

  it('finds most of what an inverted index finds', async () => {
    const exact = folder.at('exact.index')
    await vicinal(['index', data, '--out', exact])
    const found = async (file: string) => {
      const { stdout } = await vicinal(['search', file, queries, '--k', '5'])
      const lines = stdout.trim().split('\n')
      return lines.flatMap(line =>
        JSON.parse(line).neighbors.map(({ id }: { id: number }) => `${lines.indexOf(line)} ${id}`),
      )
    }
    const [some, all] = [await found(made), new Set(await found(exact))]
    expect([some.length, all.size]).toEqual([100, 100])
    expect(some.filter(pair => all.has(pair)).length).toBeGreaterThanOrEqual(95)
  })

  it('has a curve of recall against time, up to nearly all', async () => {
    const { code, stdout } = await vicinal(['curve', made, queries, '--k', '5', '--json'])
    const best = JSON.parse(stdout).points.at(-1)
    expect([code, Object.keys(best.options)]).toEqual([0, ['trees', 'probes', 'threshold', 'candidates']])
    expect(best.recall).toBeGreaterThanOrEqual(0.95)
    expect(best.candidates).toBeGreaterThanOrEqual(5)
  })

  it('is told about by inspect', async () => {
    const { stdout } = await vicinal(['inspect', made])
    expect(folder.plain(stdout)).toMatch(
      /^texts\.index\n {2}index +sparse-forest, cosine\n {2}holds +300 vectors of 200 dimensions\n/,
    )
    expect(JSON.parse((await vicinal(['inspect', made, '--json'])).stdout)).toMatchObject({
      ...{ kind: 'index', method: 'sparse-forest' },
      meta: { rows: 300, columns: 200, forest: expect.any(String) },
    })
  })
})
