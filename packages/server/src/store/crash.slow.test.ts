// A process writes, with snapshots all the time, and is killed at any moment, again and again over one store. What it was about to do
// and what was acknowledged it says before and after each call; so whatever is there after a kill can be told exactly: the memory
// after some number of its calls, with all that were acknowledged among them.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Random } from '@vicinal/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startChild, writeScript } from './child-store.cases.ts'
import { MemoryStore } from './memory-store.ts'

const rounds = 200
/** What a process may print before it is killed: two lines a call. */
const mostLines = 300

const writer = `
  import { writeSync } from 'node:fs'
  const [, , path, round] = process.argv
  const store = await MemoryStore.open(path, { snapshotOperations: 25 })
  const ids = Array.from(store.memories(), ({ id }) => id)
  const tell = line => writeSync(1, JSON.stringify(line) + '\\n')
  let calls = 0
  const pick = () => Math.floor(Math.random() * ids.length)
  const words = () => Array.from({ length: 4 }, () => 'word' + Math.floor(Math.random() * 40)).join(' ')
  function call() {
    const choice = Math.random()
    if (choice < 0.5 && ids.length < 150 || ids.length < 5) {
      const [id, key] = [round + '-' + calls, words()]
      ids.push(id)
      return [{ do: 'insert', id, key, value: { round, text: key.repeat(3) } }, line => store.insert(line.key, line.value, { id })]
    }
    if (choice < 0.75) {
      const id = ids.splice(pick(), 1)[0]
      return [{ do: 'remove', id }, () => store.remove(id)]
    }
    const [hit] = store.query(words(), { explore: 0.5, k: 1 })
    if (!hit) return call()
    return [{ do: 'update', id: hit.id, reward: Math.round(Math.random() * 4) / 4 }, ({ reward }) => store.update(hit, reward)]
  }
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

interface Kept {
  readonly key: string
  readonly value: unknown
  readonly rewards: number[]
}

type Line =
  | { readonly do: 'insert'; readonly id: string; readonly key: string; readonly value: unknown }
  | { readonly do: 'update'; readonly id: string; readonly reward: number }
  | { readonly do: 'remove'; readonly id: string }

function make(memories: Map<string, Kept>, line: Line): void {
  const kept = memories.get(line.id)
  if (line.do === 'insert') memories.set(line.id, { key: line.key, value: line.value, rewards: [] })
  else if (line.do === 'remove') memories.delete(line.id)
  else kept?.rewards.push(line.reward)
}

/** What the store should say of a memory. Rewards are quarters, so their sum is exact in any order. */
function asTold({ key, value, rewards }: Kept) {
  const reward = rewards.length === 0 ? null : rewards.reduce((sum, one) => sum + one) / rewards.length
  return { key, value, rewards: rewards.length, reward }
}

/** Calls in their order, and how many of them must have happened. The last line may be half a line. */
function readLines(output: string): { calls: Line[]; acknowledged: number } {
  const lines = output
    .slice(0, output.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
  const calls = lines.filter(line => 'do' in line)
  return { calls, acknowledged: Math.max(0, ...lines.map(line => (line.acknowledged ?? -1) + 1)) }
}

let folder: string
let path: string
let script: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-'))
  path = join(folder, 'notes')
  script = await writeScript(folder, writer)
  await (await MemoryStore.create(path, { trees: 2, leafFactor: 1 })).close()
})
afterAll(() => rm(folder, { recursive: true }))

it(`loses nothing acknowledged and shows nothing half-written after ${rounds} kills`, {
  timeout: 600_000,
}, async () => {
  const random = new Random(7)
  const expected = new Map<string, Kept>()
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
    const { calls, acknowledged } = readLines(await child.output)
    expect(child.errors()).toBe('')
    const store = await MemoryStore.open(path)
    const facts = await store.stats()
    const made = facts.operations - operations
    expect(made).toBeGreaterThanOrEqual(acknowledged)
    expect(made).toBeLessThanOrEqual(calls.length)
    for (const line of calls.slice(0, made)) make(expected, line)
    const found = Array.from(store.memories(), ({ id, key, value, rewards, reward }) => {
      return [id, { key, value, rewards, reward }] as const
    })
    expect(new Map(found)).toEqual(new Map(Array.from(expected, ([id, kept]) => [id, asTold(kept)])))
    expect(await store.check()).toEqual([])
    await store.close()
    if (facts.logged < facts.operations - operations) snapshots++
    operations = facts.operations
    acknowledgedInAll += acknowledged
  }
  expect(acknowledgedInAll).toBeGreaterThan(10 * rounds)
  expect(snapshots).toBeGreaterThan(rounds / 4)
})
