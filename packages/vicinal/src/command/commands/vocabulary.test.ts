// Annif's data on the command line: labels are URIs, and a vocabulary names them in Finnish, Swedish and English.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestFolder, vicinal } from '../test-run.ts'

const folder = new TestFolder()
afterAll(() => folder.remove())

const uri = (code: string) => `http://www.yso.fi/onto/yso/${code}`
const vocabulary = folder.file(
  'yso.ttl',
  `@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix y: <http://www.yso.fi/onto/yso/> .
y:p1 a skos:Concept ; skos:prefLabel "laivat"@fi, "fartyg"@sv, "ships"@en .
y:p2 a skos:Concept ; skos:prefLabel "ruoka"@fi, "food"@en .
y:p3 a skos:Concept ; skos:prefLabel "vanhat laivat"@fi, "old ships"@en ; owl:deprecated true .
`,
)
const rows = [
  ['Laivat Itämerellä', 'p1'],
  ['Höyrylaivat ja purjelaivat Itämerellä', 'p1 p3'],
  ['Laivat ja satamat', 'p1'],
  ['Ruoka ja juoma', 'p2'],
  ['Hyvä ruoka kotona', 'p2 p9'],
  ['Ruoka kaupungissa', 'p2'],
]
const uris = (codes: string) =>
  codes
    .split(' ')
    .map(code => `<${uri(code)}>`)
    .join(' ')
const data = folder.file('short.tsv', rows.map(([text, codes]) => `${text}\t${uris(codes!)}\n`).join(''))
const model = folder.at('yso.model')

async function run(...argv: string[]) {
  const { code, stdout, stderr } = await vicinal(argv)
  return { code, stdout: folder.plain(stdout), stderr: folder.plain(stderr) }
}

let trained: Awaited<ReturnType<typeof run>>
beforeAll(async () => {
  trained = await run('train', data, '--vocabulary', vocabulary, '--set', 'weighting=none', '--out', model)
})

describe('labels with a vocabulary', () => {
  it('are reported if the vocabulary does not have them, or calls them deprecated', () => {
    expect(trained.code).toBe(0)
    expect(trained.stderr).toContain(`short.tsv: 1 label is not in the vocabulary: ${uri('p9')}\n`)
    expect(trained.stderr).toContain(`short.tsv: 1 label is deprecated in the vocabulary: ${uri('p3')}\n`)
  })

  it('are dropped with --only-vocabulary, and this is said', async () => {
    const out = folder.at('only.model')
    const only = await run('train', data, '--vocabulary', vocabulary, '--only-vocabulary', '--out', out, '--json')
    expect(JSON.parse(only.stdout).vocabulary).toEqual({
      ...{ language: 'en', languages: ['fi', 'sv', 'en'] },
      ...{ unknown: 0, deprecated: 0, unnamed: 0, dropped: 2 },
    })
    expect(only.stderr).toContain('2 labels were dropped: not in the vocabulary, or deprecated')
  })

  it('have id and name in predictions, in the language asked for', async () => {
    const { stdout } = await run('predict', model, '--text', 'Laivat', '--top', '1')
    expect(JSON.parse(stdout)).toEqual({
      id: 0,
      labels: [{ label: uri('p1'), name: 'ships', score: expect.any(Number) }],
    })
    const finnish = await run('predict', model, '--text', 'Laivat', '--top', '1', '--language', 'fi')
    expect(JSON.parse(finnish.stdout).labels[0].name).toBe('laivat')
    const swedish = await run('predict', model, '--text', 'Ruoka', '--top', '1', '--language', 'sv')
    expect(JSON.parse(swedish.stdout).labels[0]).not.toHaveProperty('name')
  })

  it('have it in the report of labels, in a language that the model knows', async () => {
    const { code, stdout } = await run('evaluate', model, data, '--per-label', '--language', 'fi')
    expect([code, stdout]).toEqual([0, expect.stringContaining(`laivat <${uri('p1')}>`)])
  })

  it('have them in explanations, which take a name too', async () => {
    const { stdout } = await run('explain', model, '--text', 'Laivat', '--label', 'laivat', '--language', 'fi')
    expect(stdout).toMatch(`laivat <${uri('p1')}>  `)
    const unknown = await run('explain', model, '--text', 'Laivat', '--label', 'laiva', '--language', 'fi')
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('Did you mean "laivat"')])
  })

  it('have them in reports', async () => {
    const { stdout } = await run('evaluate', model, data, '--per-label')
    expect(stdout).toContain(`ships <${uri('p1')}>\n`)
    const json = JSON.parse((await run('evaluate', model, data, '--per-label', '--json')).stdout)
    expect(json.perLabel[0]).toMatchObject({ label: uri('p1'), name: 'ships', support: 3 })
    expect((await run('inspect', data, '--vocabulary', vocabulary, '--language', 'fi')).stdout).toContain(
      `laivat <${uri('p1')}>\n`,
    )
  })

  it('can be renamed by another vocabulary', async () => {
    const csv = folder.file('new.csv', `uri,label_en\n${uri('p1')},vessels\n`)
    const { stdout, stderr } = await run('predict', model, '--text', 'Laivat', '--top', '1', '--vocabulary', csv)
    expect(JSON.parse(stdout).labels[0]).toMatchObject({ label: uri('p1'), name: 'vessels' })
    expect(stderr).toContain('the model: 3 labels are not in the vocabulary')
  })

  it.each([
    [['predict', model, '--text', 'x', '--language', 'de'], 'the vocabulary has no names in "de"'],
    [['train', data, '--language', 'fi', '--out', 'x'], 'you gave language, but no vocabulary'],
    [['predict', model], 'there is nothing to label, expected one of them'],
    [['predict', model, data, '--text', 'x'], 'you gave a file and --text, expected one of them'],
  ])('%j is refused', async (argv, message) => {
    const { code, stderr } = await run(...argv)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})

describe('a folder of full texts', () => {
  it('is trained on, evaluated and labeled like a file; names in .key files are found in the vocabulary', async () => {
    const texts = folder.folder('full')
    rows.forEach(([text, codes], i) => {
      writeFileSync(join(texts, `d${i}.txt`), text!)
      writeFileSync(join(texts, `d${i}.key`), codes!.startsWith('p1') ? 'laivat\n' : 'ruoka\n')
    })
    const out = folder.at('full.model')
    const flags = ['--vocabulary', vocabulary, '--language', 'fi']
    expect((await run('train', texts, ...flags, '--set', 'weighting=none', '--out', out)).code).toBe(0)
    const [first] = (await run('predict', out, texts, '--top', '1')).stdout.split('\n')
    expect(JSON.parse(first!)).toMatchObject({ id: 'd0', labels: [{ label: uri('p1'), name: 'laivat' }] })
    expect((await run('evaluate', out, texts, ...flags)).stdout).toContain('1.0000')
    expect((await run('inspect', texts)).stdout).toMatch(/rows +6, with ids/)
    const english = await run('train', texts, '--vocabulary', vocabulary, '--out', folder.at('english.model'))
    expect(english.stderr).toContain('  2 of them: names in "fi"; to use them, add --language fi\n')
  })
})
