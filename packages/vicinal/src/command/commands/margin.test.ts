// The commands that label and search by distance: `--method margin` and `--kind net`.

import { afterAll, describe, expect, it } from 'vitest'
import { TestFolder, vicinal } from '../test-run.ts'

const folder = new TestFolder()
afterAll(() => folder.remove())

const east = ['Ivanov', 'Petrov', 'Antonov', 'Orlov', 'Popov', 'Pavlov', 'Volkov', 'Zaitsev', 'Semenov', 'Morozov']
const west = ['Miller', 'Muller', 'Keller', 'Becker', 'Fischer', 'Weber', 'Wagner', 'Schneider', 'Meyer', 'Bauer']
const labeled = [...east.map(name => `${name}\teast`), ...west.map(name => `${name}\twest`)]
const data = folder.file('names.tsv', `${labeled.join('\n')}\n`)
const names = folder.file('names.lines', `${[...east, ...west].join('\n')}\n`)

describe('names by margin, on the command line', () => {
  const model = folder.at('names.model')

  it('train, and say what is proven', async () => {
    const { code, stderr } = await vicinal(['train', data, '--method', 'margin', '--out', model])
    expect(code).toBe(0)
    expect(stderr).toMatch(/\ntrained margin on 20 rows with 2 labels in /)
    expect(stderr).toMatch(
      /\n20 of 20 rows kept; gap [\d.]+ by levenshtein, chosen by validation\nno useful bound on the error/,
    )
  })

  it.each([
    ['gap=0', 'no bound on the error: there is no bound without a gap'],
    ['distance=angle', 'no bound on the error: the distance was learned from the training texts'],
    ['gap=2', 'no useful bound on the error: the rows are too few for how spread out they are'],
  ])('say why nothing of use is proven, with %s', async (setting, reason) => {
    const argv = ['train', data, '--method', 'margin', '--set', setting, '--out', folder.at('unproven'), '--force']
    expect((await vicinal(argv)).stderr.split('\n')[3]).toBe(reason)
  })

  it('say if the most frequent label alone does as well as what is proven', async () => {
    const same = folder.file('same.tsv', Array.from({ length: 500 }, (_, i) => `aaaaaa\t${i % 5 ? 'a' : 'b'}\n`).join('')) // biome-ignore format: one file
    const argv = ['train', same, '--method', 'margin', '--set', 'gap=3', '--out', folder.at('same.model')]
    expect((await vicinal(argv)).stderr.split('\n')[3]).toMatch(
      /^no useful bound on the error: 0\.3\d\d is proven, and always answering the most frequent label gives 0\.200$/,
    )
  })

  it('say what is proven, how surely and for which items', async () => {
    const many = folder.file('many.tsv', Array.from({ length: 1000 }, (_, i) => (i % 2 ? 'aaaaaa\ta\n' : 'bbbbbb\tb\n')).join('')) // biome-ignore format: one file
    const { stderr } = await vicinal(['train', many, '--method', 'margin', '--out', folder.at('many.model')])
    expect(stderr.split('\n')[3]).toMatch(
      /^proven: the error on new items is at most 0\.0\d\d, with probability 0\.95, for items drawn like the rows$/,
    )
  })

  it('predict one name a line, and say why', async () => {
    const asked = folder.file('asked.lines', 'Möller\nIvanow\n')
    const { stdout } = await vicinal(['predict', model, asked, '--explain', '--top', '1'])
    const [first, second] = stdout.trim().split('\n').map(line => JSON.parse(line).labels[0]) // biome-ignore format: one idea
    expect([first.label, second.label]).toEqual(['west', 'east'])
    expect(second.because.neighbors[0]).toMatchObject({ text: 'Ivanov', distance: 1 })
    expect(second.because.margin).toBeGreaterThan(0)
  })

  it('evaluate, explain, inspect and tune as with any method', async () => {
    const { stdout } = await vicinal(['evaluate', model, data, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ method: 'margin', metrics: { 'p@1': 1, accuracy: 1 } })
    const explained = await vicinal(['explain', model, '--text', 'Muller', '--label', 'west'])
    expect(explained.stdout).toMatch(/^west {2}1\.000 {2}margin 1\.000\n.*Muller, at 0/)
    expect((await vicinal(['inspect', model])).stdout).toMatch(/learned from +20 texts with 2 labels/)
    const tuned = await vicinal(['tune', data, '--method', 'margin', '--json'])
    expect(JSON.parse(tuned.stdout).points).toHaveLength(3)
  })

  it('refuse what margin does not have', async () => {
    const argv = ['train', data, '--method', 'margin', '--set', 'neighbors=3', '--out', folder.at('no')]
    const { code, stderr } = await vicinal(argv)
    expect([code, stderr]).toEqual([2, expect.stringContaining('margin has no option "neighbors"')])
  })
})

describe('nets, on the command line', () => {
  it('index and search texts by how they are spelled', async () => {
    const out = folder.at('names.index')
    const made = await vicinal(['index', names, '--kind', 'net', '--metric', 'levenshtein', '--out', out])
    expect([made.code, made.stderr]).toEqual([0, expect.stringMatching(/^indexed 20 texts \(net, levenshtein\) in /)])
    const asked = folder.file('one.lines', 'Mueller\n')
    const { stdout } = await vicinal(['search', out, asked, '--k', '2'])
    expect(JSON.parse(stdout).neighbors).toEqual([{ id: 11, text: 'Muller', distance: 1 }, { id: 10, text: 'Miller', distance: 2 }]) // biome-ignore format: one list
    expect((await vicinal(['inspect', out])).stdout).toMatch(/holds +20 items/)
    const { stdout: curve } = await vicinal(['curve', out, asked, '--k', '2', '--json'])
    expect(JSON.parse(curve).points.at(-1).recall).toBe(1)
  })

  it('index vectors by other distances', async () => {
    const vectors = folder.file('points.jsonl', '{"vector": [0, 0]}\n{"vector": [3, 4]}\n{"vector": [5, 0]}\n')
    const out = folder.at('points.index')
    await vicinal(['index', vectors, '--kind', 'net', '--metric', 'manhattan', '--out', out])
    const asked = folder.file('origin.jsonl', '{"vector": [0, 0]}\n')
    const { stdout } = await vicinal(['search', out, asked])
    expect(JSON.parse(stdout).neighbors.map(({ distance }: { distance: number }) => distance)).toEqual([0, 5, 7])
  })

  it('refuse a distance that does not fit', async () => {
    const argv = ['index', names, '--kind', 'net', '--metric', 'euclidean', '--out', folder.at('none.index')]
    expect(await vicinal(argv)).toMatchObject({ code: 2, stderr: expect.stringContaining('levenshtein') })
  })
})
