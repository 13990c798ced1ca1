// Runs hostile cases in processes of their own, a few thousand each, and counts those that end or hang their process too.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { noted } from './child-notes.ts'

export interface Failure {
  readonly i: number
  /** What the case was made of: a kind of model, a format. */
  readonly of: string
  readonly kind: string
  readonly step?: string
  readonly what: unknown
  readonly changes?: readonly string[]
}

export interface Trials {
  /** The program that tries the cases [from, to) of a folder: `node program folder from to …words`. See child-notes.ts. */
  readonly program: string
  readonly words?: readonly string[]
  /** Fills the folder. */
  prepare?(folder: string): Promise<void>
  /** What case `i` is made of. */
  nameOf(i: number): string
}

/** A case that takes so long hangs, on a machine with other work too. */
const patienceMs = 60_000
/** Processes are renewed after this many: what they leak would slow the others. */
const perProcess = 4_000

/** Where the bundled program lies, beside the packages that it loads. */
const modules = resolve(import.meta.dirname, '../../node_modules')

/** Tries the cases [first, first + count); returns what failed. */
export async function runTrials(trials: Trials, first: number, count: number): Promise<Failure[]> {
  const folder = mkdtempSync(join(modules, '.hostile-'))
  try {
    await trials.prepare?.(folder)
    await bundle(trials.program, folder)
    let from = first
    while (from < first + count) from = await runSome(trials, folder, from, Math.min(from + perProcess, first + count))
    const file = join(folder, 'failures')
    if (!existsSync(file)) return []
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    return lines.map(line => JSON.parse(line) as Failure)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function bundle(program: string, folder: string): Promise<void> {
  await build({
    entryPoints: [join(import.meta.dirname, program)],
    outfile: join(folder, 'child.mjs'),
    ...{ bundle: true, format: 'esm', platform: 'node', conditions: ['@vicinal/source'], logLevel: 'error' },
    external: ['hyparquet', 'hyparquet-compressors', 'h5wasm', 'snowball-stemmers'],
  })
}

/** Runs one process over [from, to); returns the first case that is still to be tried. */
async function runSome(trials: Trials, folder: string, from: number, to: number): Promise<number> {
  const progress = join(folder, 'progress')
  writeFileSync(progress, `${from} start`)
  const words = [join(folder, 'child.mjs'), folder, String(from), String(to), ...(trials.words ?? [])]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] })
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
  if (step[0] === 'start') throw new Error(`${trials.program} does not start: ${errors}`)
  if (code !== noted) {
    const what = hung ? `more than ${patienceMs} ms` : `${signal ?? code} ${errors}`
    const failure = {
      i: Number(at),
      of: trials.nameOf(Number(at)),
      kind: hung ? 'hang' : 'crash',
      step: step.join(' '),
    }
    appendFileSync(join(folder, 'failures'), `${JSON.stringify({ ...failure, what })}\n`)
  }
  return Number(at) + 1
}
