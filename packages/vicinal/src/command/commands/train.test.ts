import { existsSync, readdirSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { TestFolder, titles, vicinal } from '../test-run.ts'

const folder = new TestFolder()
afterAll(() => folder.remove())

const data = folder.file('titles.jsonl', titles)

async function train(...argv: string[]) {
  const { code, stdout, stderr } = await vicinal(['train', ...argv])
  return { code, stdout: folder.plain(stdout), stderr: folder.plain(stderr) }
}

describe('vicinal train', () => {
  it('writes a model, and says which columns it used and what it wrote', async () => {
    const { code, stdout, stderr } = await train(data, '--out', folder.at('a.model'))
    expect([code, stdout]).toEqual([0, ''])
    const [columns, trained, wrote, ...rest] = stderr.split('\n')
    expect(columns).toBe('titles.jsonl: text from "text", labels from "labels", ids from "id"')
    expect(trained).toMatch(/^trained lcif on 12 rows with 8 labels in [\d.]+ s$/)
    expect(wrote).toMatch(/^wrote a\.model, [\d.]+ kB$/)
    expect(rest).toEqual([''])
    expect(existsSync(folder.at('a.model'))).toBe(true)
  })

  it('prints one object with --json, all options with their values', async () => {
    const { code, stdout, stderr } = await train(
      ...[data, '--out', folder.at('b.model'), '--json', '--seed', '7'],
      ...['--set', 'weighting=none', '--set', 'neighbors=3', '--set', 'text.stemmer=english'],
    )
    expect([code, stderr]).toEqual([0, ''])
    const result = JSON.parse(stdout)
    expect(Object.keys(result)).toEqual(['method', 'columns', 'options', 'seconds', 'modelBytes', 'peakRssBytes'])
    expect(result).toMatchObject({
      method: 'lcif',
      columns: { text: ['text'], labels: 'labels', id: 'id' },
      options: { weighting: 'none', neighbors: 3, featurePower: 2, seed: 7, text: { stemmer: 'english' } },
    })
    expect([result.seconds, result.modelBytes, result.peakRssBytes].every(Number.isFinite)).toBe(true)
  })

  it.each([
    [
      'subjects.csv',
      'No,Title,Subjects\n1,sea,a;b\n2,sky,b\n',
      'text from "Title", labels from "Subjects", split at ";"',
    ],
    [
      'cities.csv',
      'title,labels\nsea,New York\nsky,Paris\n',
      'text from "title", labels from "labels", split at white space',
    ],
    ['bare.tsv', 'sea\ta b\nsky\tb\n', 'text from "column 1", labels from "column 2", split at white space'],
    [
      'numbers.csv',
      'key,x,y,class\nk,1,2,a\nl,2,1,b\n',
      'features from 2 columns of numbers, labels from "class", ids from "key"',
    ],
    [
      'both.jsonl',
      '{"title":"a","vector":[1],"tags":["t"]}\n{"title":"b","vector":[2],"tags":["u"]}\n',
      'text from "title", labels from "tags"',
    ],
  ])('says which columns of %s it took', async (name, contents, said) => {
    const { stderr } = await train(folder.file(name, contents), '--out', folder.at(`${name}.model`))
    expect(stderr.split('\n')[0]).toBe(`${name}: ${said}`)
  })

  it('tells programs what labels were split at, and keeps cells whole if told', async () => {
    const file = folder.file('towns.csv', 'title,labels\nsea,New York\nsky,Paris\n')
    const split = JSON.parse((await train(file, '--out', folder.at('s.model'), '--json')).stdout)
    expect(split.columns.labelSeparator).toBe(' ')
    const whole = JSON.parse(
      (await train(file, '--out', folder.at('w.model'), '--label-separator', ';', '--json')).stdout,
    )
    expect(whole.columns.labelSeparator).toBeUndefined()
  })

  it('says which columns it was told to take', async () => {
    const file = folder.file('told.csv', 'text,abstract,topic\nsea,ships,a\nsky,birds,b\n')
    const told = ['--text-column', 'abstract', '--text-column', 'text', '--label-column', 'topic']
    const { stderr } = await train(file, '--out', folder.at('told.model'), ...told)
    expect(stderr.split('\n')[0]).toBe('told.csv: text from "abstract" and "text", labels from "topic"')
  })

  it('writes what inspect can tell about', async () => {
    await train(data, '--out', folder.at('i.model'))
    const { stdout } = await vicinal(['inspect', folder.at('i.model')])
    expect(folder.plain(stdout)).toMatch(
      /^i\.model\n {2}method +lcif\n {2}learned from +12 texts with 8 labels\n[\s\S]*\n {2}neighbors +100\n/,
    )
  })

  it.each(['instance', 'feature'])('trains by the method %s', async method => {
    const { code, stderr } = await train(data, '--out', folder.at(`${method}.model`), '--method', method)
    expect([code, stderr]).toEqual([0, expect.stringContaining(`trained ${method} on 12 rows`)])
  })

  it('overwrites only where asked to, and finds out before it reads', async () => {
    folder.file('c.model', 'precious')
    expect(await train(folder.at('missing.jsonl'), '--out', folder.at('c.model'))).toEqual({
      code: 4,
      stdout: '',
      stderr: 'vicinal: c.model: already exists\n  hint: Choose another path, or overwrite it with --force.\n',
    })
    expect((await train(data, '--out', folder.at('c.model'), '--force')).code).toBe(0)
  })

  it('counts the bad rows it skipped', async () => {
    const bad = folder.file('bad.jsonl', `${titles}{"id":1}\n`)
    const { stderr } = await train(bad, '--out', folder.at('d.model'), '--skip-bad-rows')
    expect(stderr).toMatch(/^bad\.jsonl: 1 bad row skipped\nbad\.jsonl: text from .*\ntrained lcif on 12 rows/)
  })

  it('leaves no file where it was stopped', async () => {
    const { code, stderr } = await vicinal(['train', data, '--out', folder.at('stopped.model')], {
      signal: AbortSignal.abort(),
    })
    expect([code, stderr]).toEqual([130, 'vicinal: stopped before the work was done\n'])
    expect(readdirSync(folder.path).filter(name => name.startsWith('stopped'))).toEqual([])
  })
})

describe('vicinal train refuses', () => {
  const out = ['--out', folder.at('none.model')]

  it.each([
    [
      ['--method', 'magic'],
      "option '--method <name>' argument 'magic' is invalid. Allowed choices are lcif, instance, feature, gpt, forest, memory, margin.",
    ],
    [['--set', 'neighbors'], '--set neighbors has no value, expected name=value'],
    [['--set', 'neighbours=5'], 'lcif has no option "neighbours"'],
    [['--set', 'neighbors=many'], '--set neighbors=many: expected a number such as 100'],
    [['--set', 'neighbors=0'], 'neighbors is 0, expected a whole number from 1 to 10000'],
    [['--set', 'weighting=heavy'], "weighting is 'heavy', expected one of none, idf, chi2, learned, auto"],
  ])('%j, as wrong usage', async (flags, message) => {
    const { code, stderr } = await train(data, ...out, ...flags)
    expect([code, stderr.split('\n')[0]]).toEqual([2, `vicinal: ${message}`])
  })

  it('an unknown option, listing the known ones', async () => {
    const { stderr } = await train(data, ...out, '--set', 'neighbours=5')
    expect(stderr).toMatch(
      /\n {2}hint: Did you mean "neighbors"\? Known: neighbors, neighborPower, .*, text\.stemmer, .*\.\n$/,
    )
  })

  it('a directory and a missing folder as the place of the model, in these words', async () => {
    const [into, missing] = [
      await train(data, '--out', folder.at('.')),
      await train(data, '--out', folder.at('no/a.model')),
    ]
    expect([into.code, into.stderr]).toEqual([4, expect.stringContaining('is a directory, expected a file\n')])
    expect([missing.code, missing.stderr]).toEqual([
      4,
      expect.stringContaining('does not exist\n  hint: Create the folder first'),
    ])
  })

  it('to run without a place for the model', async () => {
    const { code, stderr } = await train(data)
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^vicinal: required option '--out <model>' not specified\n/),
    ])
  })

  it('a misspelled --out, which is not merely missing', async () => {
    const { code, stderr } = await train(data, '--ouut', 'a.model')
    expect([code, stderr]).toEqual([2, "vicinal: unknown option '--ouut'\n  hint: Did you mean --out?\n"])
  })

  it('data without labels', async () => {
    const plain = folder.file('plain.jsonl', '{"text":"a"}\n')
    const { code, stderr } = await train(plain, ...out)
    expect([code, stderr]).toEqual([
      3,
      'vicinal: plain.jsonl has no labels to learn from\n  hint: Name the column that holds them with --label-column.\n',
    ])
  })
})
