import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestFolder, titles, vicinal } from '../test-run.ts'

const folder = new TestFolder()
afterAll(() => folder.remove())

const model = folder.at('titles.model')

beforeAll(async () => {
  const data = folder.file('titles.jsonl', titles)
  const options = ['weighting=none', 'neighbors=5', 'neighborPower=2', 'featurePower=2', 'mix=0.7']
  await vicinal(['train', data, '--out', model, ...options.flatMap(option => ['--set', option])])
})

const explain = (...argv: string[]) => vicinal(['explain', model, ...argv])

describe('vicinal explain', () => {
  it('shows the best labels with the neighbors and words that speak for them', async () => {
    const { code, stdout, stderr } = await explain('--text', 'ships in the harbors', '--top', '2')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatchInlineSnapshot(`
      "shipping  0.576
        near  0.275  █████▊  container ships in old harbors
        near  0.106  ██▎     sailing ships and their harbors
        near  0.087  █▊      ships of the baltic sea
        word  0.070  █▌      ships
        word  0.026  ▌       harbors
        word  0.010  ▎       in
              0.003  ▏       1 more

      harbors  0.481
        near  0.275  ██████▉  container ships in old harbors
        near  0.118  ███      the harbors of the baltic coast
        word  0.052  █▎       harbors
        word  0.021  ▌        in
        word  0.010  ▎        the
        word  0.006  ▏        ships
      "
    `)
  })

  it('explains the labels that are named', async () => {
    const { stdout } = await explain('--text', 'ships in the harbors', '--label', 'fish', '--label', 'cooking')
    expect(stdout).toMatch(/^fish {2}0\.\d{3}\n {2}word .* ships\n[\s\S]*\n\ncooking {2}0\.\d{3}\n/)
  })

  it('says so where nothing speaks for a label', async () => {
    expect((await explain('--text', 'ships', '--label', 'forests')).stdout).toBe(
      'forests  0.000\n  no evidence for it\n',
    )
  })

  it('gives all reasons with --json, which add up to the score', async () => {
    const { stdout } = await explain('--text', 'ships in the harbors', '--top', '1', '--json')
    const { text, labels } = JSON.parse(stdout)
    expect([text, labels.length, labels[0].label]).toEqual(['ships in the harbors', 1, 'shipping'])
    const { score, neighbors, features } = labels[0]
    const sum = [...neighbors, ...features].reduce((sum, { share }) => sum + share, 0)
    expect(sum).toBeCloseTo(score, 5)
  })

  it('names the nearest labels where one is not known', async () => {
    const { code, stderr } = await explain('--text', 'ships', '--label', 'shiping')
    expect(code).toBe(2)
    expect(stderr).toMatch(/^vicinal: .*"shiping".*\n {2}hint: .*shipping.*\n$/)
  })

  it.each([
    [[], 'neither --text nor --vector is given, expected one of them'],
    [['--text', 'ships', '--vector', '[1]'], '--text and --vector are both given, expected one of them'],
    [['--vector', '1, 2'], "--vector is '1, 2', expected a JSON array of numbers"],
    [['--vector', '["1"]'], `--vector is '["1"]', expected a JSON array of numbers`],
    [['--vector', '[1, 2]'], 'the item is [1, 2], but the model was fitted on texts'],
  ])('refuses %j', async (argv, message) => {
    const { code, stderr } = await explain(...argv)
    expect([code, stderr.split('\n')[0]]).toEqual([2, `vicinal: ${message}`])
  })

  it('explains the labels of a vector, as docs/vectors.md promises', async () => {
    const songs = folder.at('songs.model')
    const rows = [
      { id: 'a', vector: [0.1, -3], labels: ['calm'] },
      { id: 'b', vector: [0.2, -2.5], labels: ['calm'] },
      { id: 'c', vector: [5, 4], labels: ['loud'] },
    ]
    const data = folder.file('songs.jsonl', rows.map(row => `${JSON.stringify(row)}\n`).join(''))
    await vicinal(['train', data, '--out', songs])
    const { code, stdout, stderr } = await vicinal(['explain', songs, '--vector', '[0.1, -2.9]', '--top', '1'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^calm {2}0\.\d{3}\n {2}near .* item a, at /)
    const { vector, labels } = JSON.parse(
      (await vicinal(['explain', songs, '--vector', '[0.1, -2.9]', '--label', 'loud', '--json'])).stdout,
    )
    expect([vector, labels.length, labels[0].label]).toEqual([[0.1, -2.9], 1, 'loud'])
    const wrong = await vicinal(['explain', songs, '--vector', '[1]'])
    expect([wrong.code, wrong.stderr.split('\n')[0]]).toEqual([3, expect.stringContaining('1')])
  })

  it('needs a model of texts', async () => {
    const vectors = folder.at('vectors.model')
    await vicinal(['train', folder.file('v.txt', '2 2 2\n0 0:1\n1 1:1\n'), '--out', vectors, '--set', 'weighting=none'])
    const { code, stderr } = await vicinal(['explain', vectors, '--text', 'ships'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^vicinal: a text was given, but the model was fitted on vectors\n/)
  })
})
