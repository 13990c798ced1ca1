import { readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BuiltCommand, packageFolder } from './built-command.cases.ts'
import { type LongCommand, listLongCommands, makeLongData } from './long-work.cases.ts'
import { TestFolder } from './test-run.ts'

const vicinal = new BuiltCommand()
const folder = new TestFolder()
const stopped = 'vicinal: stopped before the work was done'
/** From the signal to the end of the process. */
const mostMillis = 1000
/** How much work, in milliseconds of processor time, is done before the signal; a start takes some 300 of them. */
const moments = { 1: 900, 2: 2500 } as const

beforeAll(async () => {
  await vicinal.build()
  symlinkSync(resolve(packageFolder, '..', '..', 'data'), join(vicinal.folder, 'dist', 'data'))
  await makeLongData(folder.path)
}, 600_000)
afterAll(() => {
  vicinal.remove()
  folder.remove()
})

/** Processor time of a process so far, in milliseconds; undefined when it is over. */
function workOf(pid: number | undefined): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return undefined
  }
}

const pause = () => new Promise(resolve => setTimeout(resolve, 5))
const isBusy = () => loadavg()[0]! > availableParallelism()
/** On a busy machine ten seconds may pass before the signal. */
const withoutProgress = (text: string) => text.replaceAll(/^\d+ % after .*\n/gm, '')
const temporary = () => readdirSync(tmpdir()).filter(name => name.startsWith('vicinal-demo-'))

/** How the command ended, how long that took, and which files are there that were not before. */
async function interrupt({ argv, short, keeps }: LongCommand, threads: 1 | 2) {
  const before = new Set([...readdirSync(folder.path), ...temporary()])
  const { child, exit, stderr } = vicinal.start([...argv, '--threads', `${threads}`], ['ignore', 'ignore', 'pipe'])
  while ((workOf(child.pid) ?? Number.POSITIVE_INFINITY) < (short ?? moments[threads])) await pause()
  const begin = { millis: performance.now(), work: workOf(child.pid) ?? 0 }
  child.kill('SIGINT')
  let work = begin.work
  for (
    let now = workOf(child.pid);
    now !== undefined && child.exitCode === null && child.signalCode === null;
    now = workOf(child.pid)
  ) {
    work = Math.max(work, now)
    await pause()
  }
  const ended = await exit
  const millis = performance.now() - begin.millis
  const left = [...readdirSync(folder.path), ...temporary()].filter(name => !before.has(name))
  for (const name of left) rmSync(folder.at(name), { recursive: true, force: true })
  return {
    ended,
    millis,
    work: work - begin.work,
    said: withoutProgress(await stderr),
    left: left.filter(name => name !== keeps),
  }
}

describe('Ctrl-C', () => {
  const cases = listLongCommands(folder.path).flatMap(command => {
    return ([1, 2] as const).map(threads => ({ name: command.name, threads, command }))
  })

  it.each(cases)(
    'stops $name within a second, threads: $threads',
    async ({ threads, command }) => {
      const { ended, millis, work, said, left } = await interrupt(command, threads)
      expect(work).toBeLessThan(mostMillis)
      // On a busy machine the second may be over before the command got its turn: then it ends without a word.
      if (isBusy() && ended[1] === 'SIGINT') return
      expect({ ended, left }).toEqual({ ended: [130, null], left: [] })
      expect(said.startsWith(stopped)).toBe(true)
      expect(said.slice(stopped.length).trimEnd()).toMatch(command.hint ?? /^$/)
      if (!isBusy()) expect(millis).toBeLessThan(mostMillis)
    },
    180_000,
  )
})
