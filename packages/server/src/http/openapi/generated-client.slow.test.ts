// A client generated from the OpenAPI document: it compiles with a program that uses it, and the program works against the service.

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createClient } from '@hey-api/openapi-ts'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Serving, serve } from '../serve.ts'
import { type Files, makeFiles } from '../service.cases.ts'

const run = promisify(execFile)
const tsc = fileURLToPath(import.meta.resolve('typescript/bin/tsc'))
let files: Files
let serving: Serving
let folder: string

beforeAll(async () => {
  files = await makeFiles()
  serving = await serve(files.paths, { port: 0 })
  folder = await mkdtemp(join(tmpdir(), 'vicinal-client-'))
})

afterAll(async () => {
  await serving.close()
  await files.remove()
  await rm(folder, { recursive: true })
})

/** As a user of the generated client would write it: the types of fields and answers come from the document. */
const program = `
import { client } from './client/client.gen'
import * as vicinal from './client'

client.setConfig({ baseUrl: process.argv[2] })
const suggested = await vicinal.modelPredict({ path: { name: 'tagger' }, body: { text: 'Old ships', top: 1 } })
const label: string | undefined = suggested.data?.labels[0]?.label
const found = await vicinal.modelLabels({ path: { name: 'tagger' }, query: { search: 'shi' } })
const inserted = await vicinal.memoryInsert({ path: { name: 'diary' }, body: { key: 'a red lamp', value: { a: 1 } } })
const hits = await vicinal.memoryQuery({ path: { name: 'diary' }, body: { key: 'lamp', k: 1 } })
const score: number | undefined = hits.data?.hits[0]?.score
const [hit] = hits.data?.hits ?? []
const rewarded = hit && await vicinal.memoryReward({ path: { name: 'diary' }, body: { hit, reward: 1 } }) // as it came
const documents = await vicinal.collectionSearch({ path: { name: 'notes' }, body: { text: 'ferry' } })
const near = await vicinal.indexSearch({ path: { name: 'shapes' }, body: { vector: [1, 0] } })
const annif = await vicinal.annifSuggest({ path: { project: 'tagger' }, body: { text: 'Old ships', limit: 1 } })
const wrong = await vicinal.modelPredict({ path: { name: 'nobody' }, body: { text: 'x' } })
const code: string | undefined = wrong.error?.code
console.log(JSON.stringify({
  label, code, isScored: typeof score === 'number', stored: inserted.data?.id === hits.data?.hits[0]?.id,
  labels: found.data?.labels.length, document: documents.data?.hits[0]?.id, near: near.data?.neighbors[0]?.id,
  rewards: rewarded?.data?.memory.rewards, uri: annif.data?.results[0]?.uri,
}))
`

const options = {
  compilerOptions: {
    ...{ strict: true, noEmit: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler' },
    ...{ lib: ['es2023', 'dom', 'dom.iterable'], types: ['node'], skipLibCheck: false },
    typeRoots: [fileURLToPath(new URL('../../../../../node_modules/@types', import.meta.url))],
  },
  include: ['*.ts', 'client'],
}

it('a generated client compiles, and works against the service', { timeout: 120_000 }, async () => {
  const document = await (await fetch(`${serving.url}/openapi.json`)).json()
  await mkdir(join(folder, 'client'))
  await createClient({
    input: document as never, // any JSON
    output: { path: join(folder, 'client') },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent', file: false },
  })
  await writeFile(join(folder, 'program.ts'), program)
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(options))
  const compiled = await run(process.execPath, [tsc, '-p', folder]).catch(error => error)
  expect(compiled.stdout).toBe('')
  const outfile = join(folder, 'program.mjs')
  await build({ entryPoints: [join(folder, 'program.ts')], outfile, bundle: true, platform: 'node', format: 'esm' })
  const { stdout } = await run(process.execPath, [outfile, serving.url])
  expect(JSON.parse(stdout)).toEqual({
    ...{ label: 'ships', code: 'UNKNOWN_NAME', isScored: true, stored: true },
    ...{ labels: 1, document: 'n1', near: 'apple', rewards: 1, uri: 'ships' },
  })
})
