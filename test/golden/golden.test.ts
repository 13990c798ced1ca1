// Files that people have: every golden model loads, and answers exactly as when it was written. A failure here means that a change
// breaks saved models, or changes their answers. Decide; README.md in this folder says how.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { indexKinds, methodNames } from 'vicinal'
import { describe, expect, it } from 'vitest'
import { askModel, formatVersion, type GoldenModel, goldenFolder } from './golden-models.ts'

/** Versions whose files are refused, with the code of the error. All others must load. */
const refused: Readonly<Record<string, string>> = {}

const today = `v${await formatVersion()}`
const versions = readdirSync(goldenFolder).filter(name => /^v\d+$/.test(name))

function modelsOf(version: string): GoldenModel[] {
  return JSON.parse(readFileSync(join(goldenFolder, version, 'answers.json'), 'utf8'))
}

it('has models of today’s format version (npm run golden makes them)', () => {
  expect(versions).toContain(today)
})

describe.each(versions)('golden models %s', version => {
  const models = modelsOf(version).map(model => [model.name, model] as const)

  it.each(models)('%s', async (name, { family, query, answers }) => {
    const asked = askModel(join(goldenFolder, version, `${name}.model`), family, query)
    if (refused[version]) await expect(asked).rejects.toMatchObject({ code: refused[version] })
    else expect(await asked).toEqual(answers)
  })
})

it('cover every index kind, every classifier, the memory and collections', () => {
  const answers = modelsOf(today).map(model => model.answers as { kind?: string; method?: string })
  expect(new Set(answers.flatMap(({ kind }) => kind ?? []))).toEqual(new Set(indexKinds()))
  expect(new Set(answers.flatMap(({ method }) => method ?? []))).toEqual(new Set(methodNames()))
  const families = modelsOf(today).map(({ family }) => family)
  expect(families).toEqual(expect.arrayContaining(['memory', 'collection']))
})
