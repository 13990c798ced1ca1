import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jsonLines, TestFolder, titles, typed, vicinal } from '../test-run.ts'

const folder = new TestFolder()
afterAll(() => folder.remove())

const model = folder.at('titles.model')
const vectors = folder.at('vectors.model')

beforeAll(async () => {
  const plain = ['--set', 'weighting=none', '--set', 'neighbors=5']
  await vicinal(['train', folder.file('titles.jsonl', titles), '--out', model, ...plain])
  const rows = '4 3 2\n0 0:1\n0 0:1 1:1\n1 2:1\n1 1:1 2:1\n'
  await vicinal(['train', folder.file('vectors.txt', rows), '--out', vectors, ...plain])
})

async function predict(argv: readonly string[], ...lines: string[]) {
  const { code, stdout, stderr } = await vicinal(['predict', ...argv], { stdin: typed(...lines) })
  return {
    code,
    stderr: folder.plain(stderr),
    lines: jsonLines(stdout),
  }
}

const names = ({ labels }: { labels: { label: string }[] }) => labels.map(({ label }) => label)

describe('vicinal predict', () => {
  it('prints a line of JSON a row, best label first', async () => {
    const data = folder.file('new.jsonl', '{"id":"a","text":"ships"}\n{"id":"b","text":"cooking mushrooms"}\n')
    const { code, stderr, lines } = await predict([model, data, '--top', '2'])
    expect([code, stderr]).toEqual([0, ''])
    expect(lines.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(names(lines[0])[0]).toBe('shipping')
    expect(names(lines[1]).sort()).toEqual(['cooking', 'mushrooms'])
    for (const { labels } of lines) {
      expect(labels).toHaveLength(2)
      expect(labels[0].score).toBeGreaterThanOrEqual(labels[1].score)
      expect(labels[0]).toEqual({ label: expect.any(String), score: Number(labels[0].score.toPrecision(6)) })
    }
  })

  it('numbers rows without ids, over batches too', async () => {
    const data = folder.file('many.csv', `text\n${'ships\n'.repeat(5000)}`)
    const { lines } = await predict([model, data, '--top', '1'])
    expect(lines.map(({ id }) => id)).toEqual(Array.from({ length: 5000 }, (_, row) => row))
    expect(new Set(lines.map(line => JSON.stringify(line.labels))).size).toBe(1)
  })

  it('gives the two best neighbors and words as reasons', async () => {
    const { lines } = await predict([model, '-', '--explain', '--top', '1'], 'ships in harbors\n')
    const [{ label, because }] = lines[0].labels
    expect(label).toBe('shipping')
    expect(because.neighbors).toHaveLength(2)
    expect(because.neighbors[0]).toEqual({
      id: expect.stringMatching(/^t\d+$/),
      text: expect.stringContaining('ships'),
      share: expect.any(Number),
    })
    expect(because.features[0]).toEqual({
      feature: expect.stringMatching(/^(ships|harbors|in)$/),
      share: expect.any(Number),
    })
  })

  it('keeps to the labels that pass the threshold, where asked to', async () => {
    const { lines } = await predict(
      [model, '-', '--thresholded', '--top', '8'],
      'cooking for two\nnothing known here\n',
    )
    expect(names(lines[0])).toContain('cooking')
    expect(lines[0].labels.length).toBeLessThan(8)
  })

  it('takes vectors where the model was trained on vectors', async () => {
    const data = folder.file('new.txt', '2 3 2\n 0:1\n 2:1\n')
    expect((await predict([vectors, data, '--top', '1'])).lines.map(names)).toEqual([['0'], ['1']])
  })
})

describe('vicinal predict -', () => {
  it('takes a text a line, as they come', async () => {
    const { lines } = await predict([model, '-', '--top', '1'], 'ships\ncook', 'ing\n')
    expect(lines.map(line => [line.id, ...names(line)])).toEqual([
      [0, 'shipping'],
      [1, 'cooking'],
    ])
  })

  it('takes JSON records with a text and an id', async () => {
    const { lines } = await predict([model, '-', '--top', '1'], '{"id":"x","text":"ships"}\n{"title":"cooking"}\n')
    expect(lines.map(line => [line.id, ...names(line)])).toEqual([
      ['x', 'shipping'],
      [1, 'cooking'],
    ])
  })

  it('takes any format that is named', async () => {
    const { lines } = await predict([vectors, '-', '--top', '1', '--format', 'xmc'], '1 3 2\n 2:1\n')
    expect(lines.map(names)).toEqual([['1']])
  })

  it('prints nothing for nothing', async () => {
    expect(await predict([model, '-'])).toEqual({ code: 0, stderr: '', lines: [] })
  })
})

describe('vicinal predict refuses', () => {
  it.each([
    [
      'texts for a model of vectors',
      () => [vectors, folder.at('titles.jsonl')],
      3,
      'titles.jsonl holds texts, and the model was fitted on vectors',
    ],
    [
      'lines of text for a model of vectors',
      () => [vectors, '-'],
      3,
      'stdin has lines of text, but the model was fitted on vectors',
    ],
    [
      'vectors for a model of texts',
      () => [model, folder.at('vectors.txt')],
      3,
      'vectors.txt has no texts, and the model was fitted on texts',
    ],
    [
      'a model that is none',
      () => [folder.at('titles.jsonl'), '-'],
      4,
      'titles.jsonl: not a Vicinal model file: it looks like JSON text',
    ],
    ['a model that is not there', () => [folder.at('none.model'), '-'], 4, 'none.model: no such file'],
    [
      'to leave out lines of a stream',
      () => [model, '-', '--skip-bad-rows'],
      2,
      '--skip-bad-rows needs --format when the data comes from stdin',
    ],
    [
      'no labels at all',
      () => [model, '-', '--top', '0'],
      2,
      "option '--top <n>' argument '0' is invalid. Expected a whole number from 1 to 1000.",
    ],
  ])('%s', async (_, argv, exit, message) => {
    const { code, stderr } = await predict(argv(), 'ships\n')
    expect([code, stderr.split('\n')[0]]).toEqual([exit, `vicinal: ${message}`])
  })

  it('a bad line, by its number', async () => {
    const { code, stderr, lines } = await predict([model, '-'], '{"text":"ships"}\n{"text":\n')
    expect([code, lines.length]).toEqual([3, 0])
    expect(stderr).toMatch(/^vicinal: \(stdin\):2:\d+: the line is not JSON/)
  })
})
