// Every method in Bun and in Deno, from the built packages, with threads. Set BUN and DENO to their paths if they are not on the PATH.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Engine } from '@vicinal/core'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyAnswer } from './runtimes.cases.ts'

const runtimes = [
  { name: 'bun', program: process.env.BUN ?? 'bun', args: [] },
  { name: 'deno', program: process.env.DENO ?? 'deno', args: ['run', '--allow-all'] },
].map(runtime => ({ ...runtime, version: versionOf(runtime.program) }))

/** Undefined if it is not installed. */
function versionOf(program: string): string | undefined {
  try {
    return execFileSync(program, ['--version'], { encoding: 'utf8' }).split('\n')[0]
  } catch {
    console.warn(`No ${program} found, so its test does not run.`)
    return undefined
  }
}

const program = `
import { Engine } from '@vicinal/core'
import { everyAnswer } from './runtimes.cases.ts'
const engine = new Engine()
const answers = await everyAnswer(() => engine)
await engine.close()
console.log(JSON.stringify({ shared: engine.shared, answers }))`

describe('the built packages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vicinal-runtimes-'))
  const outfile = join(folder, 'program.mjs')
  beforeAll(async () => {
    const stdin = { contents: program, resolveDir: import.meta.dirname }
    await build({ stdin, outfile, bundle: true, format: 'esm', platform: 'node' })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  for (const { name, version, program, args } of runtimes) {
    it.skipIf(!version)(`answer in ${name} as in Node, with threads`, async () => {
      const printed = execFileSync(program, [...args, outfile], { encoding: 'utf8' })
      expect(JSON.parse(printed)).toEqual({ shared: true, answers: await everyAnswer(() => new Engine()) })
    })
  }
})
