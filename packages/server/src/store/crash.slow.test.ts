// A process writes, with snapshots all the time, and is killed at any moment: see crash-rounds.cases.ts.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Random } from '@vicinal/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeScript } from './child-store.cases.ts'
import { callers, crashOften, rounds } from './crash-rounds.cases.ts'
import { MemoryStore } from './memory-store.ts'

const writer = `
  import { writeSync } from 'node:fs'
  const [, , path, round] = process.argv
  const store = await MemoryStore.open(path, { snapshotOperations: 25 })
  const ids = Array.from(store.memories(), ({ id }) => id)
  let calls = 0
  const pick = () => Math.floor(Math.random() * ids.length)
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
${callers}`

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
  const expected = new Map<string, Kept>()
  await crashOften<MemoryStore, Line>({
    script,
    path,
    random: new Random(7),
    open: () => MemoryStore.open(path),
    make: line => make(expected, line),
    compare(store) {
      const found = Array.from(store.memories(), ({ id, key, value, rewards, reward }) => {
        return [id, { key, value, rewards, reward }] as const
      })
      expect(new Map(found)).toEqual(new Map(Array.from(expected, ([id, kept]) => [id, asTold(kept)])))
    },
  })
})
