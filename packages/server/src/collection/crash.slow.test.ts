// A process upserts and removes, with snapshots all the time, and is killed at any moment, again and again over one store. It says what it is
// about to do and what was acknowledged; so what is there after a kill must be the documents after some number of its calls, with all
// that were acknowledged among them.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Random } from '@vicinal/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startChild, writeScript } from '../store/child-store.cases.ts'
import { CollectionStore } from './collection-store.ts'

const rounds = 200
/** What a process may print before it is killed: two lines a call. */
const mostLines = 300

const writer = `
  import { writeSync } from 'node:fs'
  const [, , path, round] = process.argv
  const store = await CollectionStore.open(path, { snapshotOperations: 25 })
  const ids = store.list().map(({ id }) => id)
  const tell = line => writeSync(1, JSON.stringify(line) + '\\n')
  let calls = 0
  const words = () => Array.from({ length: 4 }, () => 'word' + Math.floor(Math.random() * 40)).join(' ')
  function call() {
    const at = Math.floor(Math.random() * ids.length)
    if (ids.length > 5 && Math.random() < 0.3) {
      const [id] = ids.splice(at, 1)
      return [{ do: 'remove', id }, () => store.remove(id)]
    }
    const id = ids.length < 150 && Math.random() < 0.6 ? round + '-' + calls : ids[at] ?? 'first'
    if (!ids.includes(id)) ids.push(id)
    const document = { id, text: words(), vector: [Math.random(), 1, calls], metadata: { call: calls } }
    return [{ do: 'upsert', document }, () => store.upsert(document)]
  }
  async function work() {
    for (;;) {
      const [line, make] = call()
      const number = calls++
      tell(line)
      await make()
      tell({ acknowledged: number })
    }
  }
  for (let i = 0; i < 8; i++) work()`

interface Told {
  readonly id: string
  readonly text: string
  readonly vector: readonly number[]
}
type Line = { readonly do: 'upsert'; readonly document: Told } | { readonly do: 'remove'; readonly id: string }

/** Calls in their order, and how many of them must have happened. The last line may be half a line. */
function readLines(output: string): { calls: Line[]; acknowledged: number } {
  const whole = output.slice(0, output.lastIndexOf('\n') + 1)
  const lines = whole.split('\n').filter(Boolean)
  const parsed = lines.map(line => JSON.parse(line))
  const acknowledged = Math.max(0, ...parsed.map(line => (line.acknowledged ?? -1) + 1))
  return { calls: parsed.filter(line => 'do' in line), acknowledged }
}

let folder: string
let path: string
let script: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-'))
  path = join(folder, 'notes')
  script = await writeScript(folder, writer)
  await (await CollectionStore.create(path, { metric: 'euclidean' })).close()
})
afterAll(() => rm(folder, { recursive: true }))

it(`loses no acknowledged document and shows none half-written after ${rounds} kills`, {
  timeout: 600_000,
}, async () => {
  const random = new Random(11)
  const expected = new Map<string, Told>()
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
    const store = await CollectionStore.open(path)
    const facts = store.stats()
    const made = facts.operations - operations
    expect(made).toBeGreaterThanOrEqual(acknowledged)
    expect(made).toBeLessThanOrEqual(calls.length)
    for (const line of calls.slice(0, made)) {
      if (line.do === 'remove') expected.delete(line.id)
      else expected.set(line.document.id, line.document)
    }
    const found = store.list().map(({ id }) => {
      const document = store.get(id)
      return [id, { ...document, vector: Array.from(document?.vector ?? []) }] as const
    })
    const wanted = Array.from(
      expected,
      ([id, document]) => [id, { ...document, vector: document.vector.map(Math.fround) }] as const,
    )
    expect(new Map<unknown, unknown>(found)).toEqual(new Map<unknown, unknown>(wanted))
    expect(await store.check()).toEqual([])
    await store.close()
    if (facts.logged < made) snapshots++
    operations = facts.operations
    acknowledgedInAll += acknowledged
  }
  expect(acknowledgedInAll).toBeGreaterThan(10 * rounds)
  expect(snapshots).toBeGreaterThan(rounds / 4)
})
