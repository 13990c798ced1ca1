import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, cpSync, createWriteStream, openSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BuiltCommand, packageFolder, startScript } from '../built-command.cases.ts'

const vicinal = new BuiltCommand()
const { folder } = vicinal
const rows = '0 0:1\n'.repeat(200_000)
const stopped = 'vicinal: stopped before the work was done\n'
const store = join(folder, 'store')
let pipes = 0

beforeAll(() => vicinal.build())
afterAll(() => vicinal.remove())

function makePipe(): string {
  const pipe = join(folder, `pipe-${pipes++}`)
  execFileSync('mkfifo', [pipe])
  return pipe
}

/** Starts `inspect` on a pipe that promises more rows than it gets; resolves when the process has begun to read it. */
async function startReading() {
  const pipe = makePipe()
  const started = vicinal.start(['inspect', pipe, '--format', 'xmc'])
  const feed = createWriteStream(pipe)
  feed.on('error', () => {}) // the reader goes away: that is what is tested
  await new Promise(resolve => feed.write(`1000000000 1 1\n${rows}`, resolve)) // far more than a pipe holds unread
  return { ...started, feed }
}

/** Waits until a process has opened the file. */
async function hasOpened(pid: number | undefined, file: string): Promise<void> {
  const links = () => readdirSync(`/proc/${pid}/fd`).map(fd => readlinkOrNothing(`/proc/${pid}/fd/${fd}`))
  while (!links().includes(file)) await new Promise(setImmediate)
}

function readlinkOrNothing(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return '' // closed meanwhile
  }
}

describe('the vicinal process', () => {
  it('prints to stdout and ends with the exit code', async () => {
    const good = vicinal.start(['--version'])
    expect(await good.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(await good.exit).toEqual([0, null])
    const bad = vicinal.start(['inspect', join(folder, 'none.txt')])
    expect(await bad.exit).toEqual([4, null])
    expect(await bad.stderr).toBe(`vicinal: ${folder}/none.txt: no such file\n  hint: Check the path.\n`)
  })

  it('ends quietly when nobody reads its output any more', async () => {
    const { child, exit, stderr } = vicinal.start(['--help'])
    child.stdout?.destroy()
    expect([await exit, await stderr]).toEqual([[0, null], ''])
  })

  it('says in one line that stdout is on a full disk, and ends with 4', async () => {
    const full = openSync('/dev/full', 'w')
    const plain = vicinal.start(['--help'], ['ignore', full, 'pipe'])
    const said = 'vicinal: (stdout): no space left on the disk\n  hint: Free some space, or write elsewhere.\n'
    expect([await plain.exit, await plain.stderr]).toEqual([[4, null], said])
    const data = join(folder, 'some.lines')
    writeFileSync(data, 'one\ntwo\n')
    const json = vicinal.start(['inspect', data, '--json'], ['ignore', full, 'pipe'])
    expect(await json.exit).toEqual([4, null])
    expect(JSON.parse(await json.stderr)).toMatchObject({ error: { code: 'FILE_ACCESS', where: { file: '(stdout)' } } })
    closeSync(full)
  })

  it('says so where it is not built', async () => {
    cpSync(join(packageFolder, 'bin'), join(folder, 'fresh', 'bin'), { recursive: true })
    const { exit, stderr } = startScript(join(folder, 'fresh', 'bin', 'vicinal.mjs'), ['--help'], 'pipe')
    expect(await exit).toEqual([1, null])
    expect(await stderr).toBe('vicinal: is not built\n  hint: In a checkout, run `npm run build` first.\n')
  })
})

describe('a signal', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s stops the work with %i', async (signal, code) => {
    const { child, exit, stderr, feed } = await startReading()
    child.kill(signal)
    const more = setInterval(() => feed.write(rows), 20)
    expect([await exit, await stderr]).toEqual([[code, null], stopped])
    clearInterval(more)
  })

  it('is heard while a pipe is silent', async () => {
    const { child, exit, stderr, feed } = await startReading()
    child.kill('SIGINT')
    expect([await exit, await stderr]).toEqual([[130, null], stopped])
    feed.destroy()
  })

  it('is heard while nobody has opened a pipe to write', async () => {
    const pipe = makePipe()
    const { child, exit, stderr } = vicinal.start(['inspect', pipe, '--format', 'lines'])
    await hasOpened(child.pid, pipe)
    child.kill('SIGINT')
    expect([await exit, await stderr]).toEqual([[130, null], stopped])
  })

  it('is heard while stdin is silent', async () => {
    expect(await vicinal.start(['memory', 'create', store]).exit).toEqual([0, null])
    const made = vicinal.start(['memory', 'insert', store, '--text', 'a red door', '--value', '1'])
    expect(await made.exit).toEqual([0, null])
    const { child, exit, stderr } = vicinal.start(['memory', 'query', store, '-'], 'pipe')
    child.stdin?.write('a red door\n')
    if (child.stdout) await once(child.stdout, 'data')
    child.kill('SIGINT')
    expect([await exit, await stderr]).toEqual([[130, null], stopped])
  })

  it('is heard while stdin of predict is silent', async () => {
    const data = join(folder, 'few.tsv')
    writeFileSync(data, 'the red door\tdoor\nthe blue sky\tsky\n')
    expect(await vicinal.start(['train', data, '--out', join(folder, 'few.model')]).exit).toEqual([0, null])
    const { child, exit, stderr } = vicinal.start(['predict', join(folder, 'few.model'), '-'], 'pipe')
    child.stdin?.write('a red door\n')
    if (child.stdout) await once(child.stdout, 'data')
    child.kill('SIGINT')
    expect([await exit, await stderr]).toEqual([[130, null], stopped])
  })

  /** A command that does not obey, told `times` times; resolves to how it ended and after how many milliseconds. */
  async function tellDeaf(times: number) {
    const script = join(folder, 'dist', 'deaf.mjs')
    const deaf = 'runProcess(() => new Promise(() => setInterval(() => process.stdout.write("."), 20)))'
    writeFileSync(script, `import { runProcess } from './command.mjs'\n${deaf}\n`)
    const { child, exit } = startScript(script, [], 'pipe')
    const dot = () => (child.stdout ? once(child.stdout, 'data') : undefined)
    await dot()
    const start = performance.now()
    for (let i = 0; i < times; i++) {
      child.kill('SIGINT')
      await Promise.race([dot(), exit])
    }
    return { exit: await exit, millis: performance.now() - start }
  }

  it('ends a process that does not obey, after a moment, or at the second time at once', async () => {
    const once = await tellDeaf(1)
    expect(once.exit).toEqual([null, 'SIGINT'])
    expect(once.millis).toBeGreaterThan(600)
    const twice = await tellDeaf(2)
    expect(twice.exit).toEqual([null, 'SIGINT'])
    expect(twice.millis).toBeLessThan(once.millis)
  })
})
