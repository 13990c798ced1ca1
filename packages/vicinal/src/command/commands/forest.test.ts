// index, search and curve with a forest: the kind that has efforts to choose from.

import { Random } from '@vicinal/core'
import { afterAll, describe, expect, it } from 'vitest'
import { fvecs, TestFolder, vicinal } from '../test-run.ts'

const folder = new TestFolder()
afterAll(() => folder.remove())

const random = new Random(3)
const centers = Array.from({ length: 30 }, () => Array.from({ length: 12 }, () => 5 * random.normal()))
const points = (count: number) =>
  Array.from({ length: count }, (_, i) => (centers[i % 30] ?? []).map(value => value + random.normal()))
const data = folder.file('points.fvecs', fvecs(points(3000)))
const queries = folder.file('queries.fvecs', fvecs(points(50)))
const made = folder.at('points.index')

describe('a forest in the command', () => {
  it('is the default for dense vectors, and says how it will search', async () => {
    const { code, stderr } = await vicinal(['index', data, '--out', made, '--target-recall', '0.9'])
    expect(code).toBe(0)
    expect(stderr).toMatch(/^indexed 3,000 vectors of 12 dimensions \(forest, euclidean\) in [\d.]+ s\n/)
    expect(stderr).toMatch(
      /\na search visits \d+ trees?( and \d+ more of their leaves)?(, walks along links past \d+ rows)?, compares \d+ of (\d+ candidates|them), and finds 0\.9\d+ of the 10 nearest neighbors of held-out rows\n/,
    )
  })

  const few = ['trees=1', 'leafSize=2', 'labelNeighbors=1'].flatMap(setting => ['--set', setting])
  const short = ['index', data, '--out', folder.at('short.index'), '--force', ...few, '--target-recall', '0.999']

  it('says so if it compares all rows', async () => {
    const { code, stderr } = await vicinal(short)
    expect(code).toBe(0)
    expect(stderr).toContain('\na search compares all rows: the forest was no faster at the target recall\n')
  })

  it('says so if it stopped short of the target', async () => {
    const { code, stderr } = await vicinal([...short, '--set', 'maxTuningSeconds=0'])
    expect(code).toBe(0)
    expect(stderr).toContain('below the target 0.999. Allow more tuning time (--set maxTuningSeconds=n)')
  })

  it('gives the tuning with --json', async () => {
    const { stdout } = await vicinal(['index', data, '--out', folder.at('json.index'), '--json'])
    const { kind, options, tuning } = JSON.parse(stdout)
    expect([kind, options.grower, options.targetRecall, tuning.reached]).toEqual(['forest', 'kd', 0.95, true])
    expect(tuning.curve.map(({ recall }: { recall: number }) => recall)).toEqual(
      tuning.curve.map(({ recall }: { recall: number }) => recall).toSorted((a: number, b: number) => a - b),
    )
  })

  it('finds what an exact index finds, nearly always', async () => {
    const all = folder.at('exact.index')
    await vicinal(['index', data, '--out', all, '--kind', 'exact'])
    const found = async (file: string) =>
      (await vicinal(['search', file, queries])).stdout
        .trim()
        .split('\n')
        .flatMap(line => JSON.parse(line).neighbors.map(({ id }: { id: number }) => `${JSON.parse(line).id} ${id}`))
    const truth = new Set(await found(all))
    const share = (await found(made)).filter(pair => truth.has(pair)).length / truth.size
    expect(share).toBeGreaterThan(0.9) // measured 0.93
  })

  it('has a curve of the efforts it was tuned over', async () => {
    const { code, stdout } = await vicinal(['curve', made, queries, '--json'])
    const { k, queries: count, points: curve } = JSON.parse(stdout)
    expect([code, k, count]).toEqual([0, 10, 50])
    expect(Object.keys(curve[0].options)).toEqual(['trees', 'threshold', 'probes', 'rerank', 'walk', 'exact'])
    expect(curve.at(-1).recall).toBeGreaterThan(0.9)
    expect(curve[0].candidates).toBeLessThan(3000)
  })

  it('refuses a threshold for lookup, which would make it voting', async () => {
    const looked = folder.at('lookup.index')
    await vicinal(['index', data, '--out', looked, '--set', 'rule=lookup', '--set', 'trees=4'])
    const { code, stderr } = await vicinal(['search', looked, queries, '--set', 'threshold=0.3'])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("threshold is 0.3, but the rule 'lookup' has no threshold"),
    ])
    expect((await vicinal(['curve', looked, queries, '--json'])).code).toBe(0)
  })

  it('refuses a grower that it does not know', async () => {
    const { code, stderr } = await vicinal(['index', data, '--out', folder.at('x.index'), '--grower', 'oak'])
    expect(code).toBe(2)
    expect(stderr).toContain(
      "grower is 'oak', expected one of random-projection, kd, chronological, pca, classification",
    )
  })
})
