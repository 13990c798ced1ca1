import { readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BuiltCommand } from './built-command.cases.ts'
import { type LongCommand, listLongCommands, makeLongData } from './long-work.cases.ts'
import { TestFolder } from './test-run.ts'

const vicinal = new BuiltCommand()
const folder = new TestFolder()
const stopped = 'vicinal: stopped before the work was done'
/** From the signal to the end of the process. */
const mostMillis = 1000
/** When to interrupt, after the start: on one thread while it reads, on two while it works. */
const moments = { 1: 1500, 2: 3000 } as const

beforeAll(async () => {
  await Promise.all([vicinal.build(), makeLongData(folder.path)])
}, 300_000)
afterAll(() => {
  vicinal.remove()
  folder.remove()
})

const temporary = () => readdirSync(tmpdir()).filter(name => name.startsWith('vicinal-demo-'))

/** How the command ended, how long that took, and what is there that was not before. */
async function interrupt({ argv }: LongCommand, threads: 1 | 2) {
  const before = new Set(readdirSync(folder.path))
  const temporaryBefore = new Set(temporary())
  const { child, exit, stderr } = vicinal.start([...argv, '--threads', `${threads}`], ['ignore', 'ignore', 'pipe'])
  const early = await Promise.race([exit, new Promise(resolve => setTimeout(resolve, moments[threads]))])
  if (early) return { early, said: await stderr }
  const start = performance.now()
  child.kill('SIGINT')
  const [code, signal] = await exit
  const millis = performance.now() - start
  const left = readdirSync(folder.path).filter(name => !before.has(name))
  for (const name of left) rmSync(folder.at(name), { recursive: true })
  return {
    code,
    signal,
    millis,
    said: await stderr,
    left: [...left, ...temporary().filter(name => !temporaryBefore.has(name))],
  }
}

describe('Ctrl-C', () => {
  const cases = listLongCommands(folder.path).flatMap(command => ([1, 2] as const).map(threads => [command.name, threads, command] as const)) // biome-ignore format: one line

  it.each(cases)('stops %s within a second, with %i threads', async (_name, threads, command) => {
    const { millis, said, ...rest } = await interrupt(command, threads)
    expect(rest).toEqual({ code: 130, signal: null, left: [] })
    expect(said.startsWith(stopped)).toBe(true)
    expect(said.slice(stopped.length).trimEnd()).toMatch(command.hint ?? /^$/)
    expect(millis).toBeLessThan(mostMillis)
  })
})
