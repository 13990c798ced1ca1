// The command as people run it: bin/vicinal.mjs in a process of its own, over a bundle made for this test.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
// Inside the package, so that its dependencies are found.
mkdirSync(join(root, 'node_modules'), { recursive: true })
const folder = mkdtempSync(join(root, 'node_modules', '.process-test-'))

beforeAll(async () => {
  cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true })
  await build({
    entryPoints: [join(root, 'src', 'command', 'main.ts')],
    outfile: join(folder, 'dist', 'command.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
    external: ['commander', 'h5wasm', 'hyparquet', 'snowball-stemmers'],
    logLevel: 'error',
  })
})
afterAll(() => rmSync(folder, { recursive: true }))

function start(...argv: string[]) {
  return startScript(join(folder, 'bin', 'vicinal.mjs'), argv)
}

function startScript(script: string, argv: readonly string[]) {
  const child = spawn(process.execPath, [script, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] })
  return { child, exit: once(child, 'exit'), stderr: text(child.stderr) }
}

/** Starts `inspect` on a pipe that promises more rows than it gets; resolves when the process has begun to read it. */
async function startReading() {
  const pipe = join(folder, `pipe-${pipes++}`)
  execFileSync('mkfifo', [pipe])
  const started = start('inspect', pipe, '--format', 'xmc')
  const feed = createWriteStream(pipe)
  feed.on('error', () => {}) // the reader goes away: that is what is tested
  await new Promise(resolve => feed.write(`1000000000 1 1\n${rows}`, resolve)) // far more than a pipe holds unread
  return { ...started, feed }
}

const rows = '0 0:1\n'.repeat(200_000)
let pipes = 0

describe('the vicinal process', () => {
  it('prints to stdout and ends with the exit code', async () => {
    const good = start('--version')
    expect(await text(good.child.stdout)).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(await good.exit).toEqual([0, null])
    const bad = start('inspect', join(folder, 'none.txt'))
    expect(await bad.exit).toEqual([4, null])
    expect(await bad.stderr).toBe(`vicinal: ${folder}/none.txt: no such file\n  hint: Check the path.\n`)
  })

  it('ends quietly when nobody reads its output any more', async () => {
    const { child, exit, stderr } = start('--help')
    child.stdout.destroy()
    expect([await exit, await stderr]).toEqual([[0, null], ''])
  })

  it('says so where it is not built', async () => {
    cpSync(join(root, 'bin'), join(folder, 'fresh', 'bin'), { recursive: true })
    const { exit, stderr } = startScript(join(folder, 'fresh', 'bin', 'vicinal.mjs'), ['--help'])
    expect(await exit).toEqual([1, null])
    expect(await stderr).toBe('vicinal: is not built\n  hint: In a checkout, run `npm run build` first.\n')
  })
})

describe('Ctrl-C', () => {
  it('stops the work with 130', async () => {
    const { child, exit, stderr, feed } = await startReading()
    child.kill('SIGINT')
    const more = setInterval(() => feed.write(rows), 20)
    expect([await exit, await stderr]).toEqual([[130, null], 'vicinal: stopped before the work was done\n'])
    clearInterval(more)
  })

  it('kills work that waits for a silent pipe, after a moment', async () => {
    const { child, exit, feed } = await startReading()
    child.kill('SIGINT')
    expect(await exit).toEqual([null, 'SIGINT'])
    feed.destroy()
  })

  it('kills at the second time', async () => {
    const { child, exit, feed } = await startReading()
    const again = setInterval(() => child.kill('SIGINT'), 20)
    expect(await exit).toEqual([null, 'SIGINT'])
    clearInterval(again)
    feed.destroy()
  })
})
