// Tries hostile models in processes of their own, a few thousand each, and counts those that end or hang their process too.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { sampleModels } from './sample-models.ts'

export interface Failure {
  readonly i: number
  readonly model: string
  readonly kind: string
  readonly step: string
  readonly what: unknown
  readonly changes?: readonly string[]
}

/** A model that takes so long hangs. */
const patienceMs = 10_000
/** Processes are renewed after so many: what they leak would slow the others. */
const perProcess = 4_000

/** Where the bundled program lies, beside the packages that it loads. */
const modules = resolve(import.meta.dirname, '../../node_modules')

/** Saves the sample models, and makes the program that tries hostile ones. */
async function prepare(): Promise<string> {
  mkdirSync(modules, { recursive: true })
  const folder = mkdtempSync(join(modules, '.hostile-'))
  for (const sample of sampleModels) await sample.save(join(folder, sample.name))
  await build({
    entryPoints: [join(import.meta.dirname, 'models-child.ts')],
    outfile: join(folder, 'child.mjs'),
    ...{ bundle: true, format: 'esm', platform: 'node', conditions: ['@vicinal/source'], logLevel: 'error' },
    external: ['hyparquet', 'hyparquet-compressors', 'h5wasm', 'snowball-stemmers'],
  })
  return folder
}

/** Tries the models [first, first + count); returns what failed. */
export async function tryModels(first: number, count: number): Promise<Failure[]> {
  const folder = await prepare()
  try {
    let from = first
    while (from < first + count) from = await runSome(folder, from, Math.min(from + perProcess, first + count))
    const file = join(folder, 'failures')
    if (!existsSync(file)) return []
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    return lines.map(line => JSON.parse(line) as Failure)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs one process over [from, to); returns the first model that is still to be tried. */
async function runSome(folder: string, from: number, to: number): Promise<number> {
  const progress = join(folder, 'progress')
  writeFileSync(progress, `${from} start`)
  const child = spawn(process.execPath, [join(folder, 'child.mjs'), folder, String(from), String(to)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-600)
  })
  let hung = false
  const watch = setInterval(() => {
    if (Date.now() - statSync(progress).mtimeMs < patienceMs) return
    hung = true
    child.kill('SIGKILL')
  }, 500)
  const [code, signal] = await once(child, 'exit')
  clearInterval(watch)
  if (code === 0) return to
  const [at = '0', ...step] = readFileSync(progress, 'utf8').trim().split(' ')
  if (code !== 3) {
    const what = hung ? `more than ${patienceMs} ms` : `${signal ?? code} ${errors}`
    const model = sampleModels[Number(at) % sampleModels.length]?.name ?? ''
    const failure: Failure = { i: Number(at), model, kind: hung ? 'hang' : 'crash', step: step.join(' '), what }
    appendFileSync(join(folder, 'failures'), `${JSON.stringify(failure)}\n`)
  }
  return Number(at) + 1
}
