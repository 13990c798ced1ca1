// The commands that label, with forests: `--method gpt` and `--method forest --grower …`.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestFolder, titles, vicinal } from '../test-run.ts'

const folder = new TestFolder()
afterAll(() => folder.remove())

const data = folder.file('titles.jsonl', titles)
const model = folder.at('gpt.model')
/** With the paper's l1, a dozen titles would all be in one leaf. */
const few = ['leafSize=2', 'l1=0.1', 'trees=10'].flatMap(option => ['--set', option])

beforeAll(async () => {
  const { code, stderr } = await vicinal(['train', data, '--method', 'gpt', ...few, '--out', model])
  expect([code, stderr]).toEqual([0, expect.stringMatching(/\ntrained gpt on 12 rows with 8 labels in /)])
})

describe('forests on the command line', () => {
  it('evaluate a model as any other', async () => {
    const { code, stdout } = await vicinal(['evaluate', model, data, '--json'])
    const result = JSON.parse(stdout)
    expect(code).toBe(0)
    expect(result.metrics['p@1']).toBeGreaterThan(0.8)
  })

  it('predict, with the rows of the leaves as reasons', async () => {
    const { stdout } = await vicinal(['predict', model, data, '--top', '1', '--explain'])
    const lines = stdout.trim().split('\n')
    expect(lines).toHaveLength(12)
    for (const line of lines) {
      const [best] = JSON.parse(line).labels
      expect(best.because.neighbors.length).toBeGreaterThan(0)
      expect(best.because.features).toEqual([])
    }
  })

  it('explain by neighbors and by the ways through trees', async () => {
    const { code, stdout } = await vicinal(['explain', model, '--text', 'ships in the harbors', '--top', '1'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^shipping {2}0\.\d+\n/)
    expect(stdout).toMatch(/\n {2}near {2}0\.\d+ .+ships/)
    expect(stdout.match(/\n {2}tree {2}0\.\d+ .*\d: ([‹›] \S+ )+\d+ rows?/g)?.length).toBeGreaterThan(0)
    const { stdout: json } = await vicinal(['explain', model, '--text', 'ships', '--top', '1', '--json'])
    expect(JSON.parse(json).labels[0].paths).toHaveLength(10)
  })

  it('train by other growers, whose files are not mistaken for an index', async () => {
    const out = folder.at('kd.model')
    const { stderr } = await vicinal(['train', data, '--method', 'forest', '--grower', 'pca', ...few, '--out', out])
    expect(stderr).toMatch(/\ntrained forest on 12 rows/)
    const { stdout } = await vicinal(['inspect', out])
    expect(stdout).toMatch(/\n {2}learned from +12 texts with 8 labels\n[\s\S]*\n {2}grower +pca\n/)
    const { code, stderr: refused } = await vicinal(['search', out, data])
    expect([code, refused]).toEqual([
      expect.any(Number),
      expect.stringContaining('holds a ForestClassifier, not an index'),
    ])
    expect(code).toBeGreaterThan(0)
  })

  it('tune what is not given', async () => {
    const argv = ['tune', data, '--method', 'forest', '--grower', 'kd', '--set', 'weighting=none', ...few, '--json']
    const { code, stdout } = await vicinal(argv)
    expect(code).toBe(0)
    const { method, options, points } = JSON.parse(stdout)
    expect([method, options.grower, options.weighting, options.trees]).toEqual(['forest', 'kd', 'none', 10])
    expect(points.length).toBeGreaterThan(10)
  })

  it('refuse a grower where there is none to choose', async () => {
    const out = folder.at('none.model')
    const { code, stderr } = await vicinal(['train', data, '--method', 'gpt', '--grower', 'kd', '--out', out])
    expect([code, stderr.split('\n')[0]]).toEqual([2, 'vicinal: gpt has no option "grower"'])
  })
})
