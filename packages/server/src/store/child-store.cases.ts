// Runs scripts that use the store in processes of their own: for the tests that end, stop or starve them.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/** Writes a script that has the stores; returns its path. */
export async function writeScript(folder: string, source: string): Promise<string> {
  await build({
    entryPoints: [join(import.meta.dirname, '../index.ts')],
    outfile: join(folder, 'store.mjs'),
    ...{ bundle: true, format: 'esm', platform: 'node', conditions: ['@vicinal/source'], logLevel: 'silent' },
  })
  const script = join(folder, 'script.mjs')
  writeFileSync(script, `import { CollectionStore, MemoryStore } from './store.mjs'\n${source}`)
  return script
}

export interface Child {
  readonly process: ChildProcess
  /** Resolves at the first output. */
  readonly ready: Promise<void>
  /** Resolves once it has printed so many lines, or has ended. */
  printed(lines: number): Promise<void>
  /** All output, once it has ended. */
  readonly output: Promise<string>
  /** The errors that it printed, by now. */
  errors(): string
}

export function startChild(command: string, words: readonly string[]): Child {
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr, lines] = ['', '', 0]
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    lines += text.split('\n').length - 1
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    stderr += text
  })
  return {
    process: child,
    ready: new Promise(ready => child.stdout.once('data', () => ready())),
    async printed(wanted) {
      const ended = once(child.stdout, 'end')
      while (lines < wanted && !child.stdout.readableEnded) await Promise.race([once(child.stdout, 'data'), ended])
    },
    output: new Promise(done => child.once('close', () => done(stdout))),
    errors: () => stderr,
  }
}
