// Kills a writing process at any moment, again and again over one store. The process says what it is about to do, and what was acknowledged.
// So what is on disk after a kill must follow from the first calls, with all that were acknowledged among them.

import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '@vicinal/core'
import { expect } from 'vitest'
import { startChild } from './child-store.cases.ts'

export const rounds = 200
/** What a process may print before it is killed: two lines a call. */
const mostLines = 300

/** The end of a writer's script: eight callers of `call`, which returns the line to print and what then makes the change. */
export const callers = `
  const tell = line => writeSync(1, JSON.stringify(line) + '\\n')
  const words = () => Array.from({ length: 4 }, () => 'word' + Math.floor(Math.random() * 40)).join(' ')
  async function work() {
    for (;;) {
      const [line, make] = call()
      const number = calls++
      tell(line)
      await make(line)
      tell({ acknowledged: number })
    }
  }
  for (let i = 0; i < 8; i++) work()`

interface Store {
  stats(): Counts | Promise<Counts>
  check(): Promise<string[]>
  close(): Promise<void>
}

interface Counts {
  readonly operations: number
  readonly logged: number
}

/** What is tested: how to open the store, what a call changes, and a comparison of the store with all changes so far. */
interface Crashing<S extends Store, Line> {
  readonly script: string
  readonly path: string
  readonly random: Random
  open(): Promise<S>
  make(line: Line): void
  compare(store: S): void
}

/** Kills the writer 200 times, and checks the store each time. */
export async function crashOften<S extends Store, Line>(tested: Crashing<S, Line>): Promise<void> {
  const { script, path, random } = tested
  let [operations, acknowledgedInAll, snapshots] = [0, 0, 0]
  for (let round = 0; round < rounds; round++) {
    const child = startChild(process.execPath, [script, path, `${round}`])
    // One in five while it is still opening the store, the others after so many lines: however fast the machine is.
    if (random.float() < 0.2) await pause(250 * random.float())
    else {
      await child.printed(random.below(mostLines))
      await pause(5 * random.float())
    }
    child.process.kill('SIGKILL')
    const { calls, acknowledged } = readLines<Line>(await child.output)
    expect(child.errors()).toBe('')
    const store = await tested.open()
    const counts = await store.stats()
    const made = counts.operations - operations
    expect(made).toBeGreaterThanOrEqual(acknowledged)
    expect(made).toBeLessThanOrEqual(calls.length)
    for (const line of calls.slice(0, made)) tested.make(line)
    tested.compare(store)
    expect(await store.check()).toEqual([])
    await store.close()
    if (counts.logged < made) snapshots++
    operations = counts.operations
    acknowledgedInAll += acknowledged
  }
  expect(acknowledgedInAll).toBeGreaterThan(10 * rounds)
  expect(snapshots).toBeGreaterThan(rounds / 4)
}

/** Calls in their order, and how many of them must have happened. The last line may be half a line. */
function readLines<Line>(output: string): { calls: Line[]; acknowledged: number } {
  const lines = output
    .slice(0, output.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
  const calls = lines.filter(line => 'do' in line)
  return { calls, acknowledged: Math.max(0, ...lines.map(line => (line.acknowledged ?? -1) + 1)) }
}
