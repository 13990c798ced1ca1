import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Id, Random } from '@vicinal/core'
import type { MemoryKey } from '@vicinal/core/memory'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MemoryStore } from './memory-store.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-'))
})
afterEach(() => rm(folder, { recursive: true }))

let now = 1000
const clock = () => now

const keys: Record<string, (random: Random) => MemoryKey> = {
  text: random => Array.from({ length: 5 }, () => `word${random.below(50)}`).join(' '),
  dense: random => Array.from({ length: 6 }, () => random.normal()),
  sparse: random => ({ indices: [random.below(9), 10 + random.below(9)], values: [1, random.float()] }),
}

/** One of all the calls there are, drawn; what it answers. */
async function call(store: MemoryStore, random: Random, keyOf: (random: Random) => MemoryKey): Promise<unknown> {
  const kind = random.float()
  const [key, other] = [keyOf(random), keyOf(random)]
  const hits = store.query(key, { k: 3, explore: 0.3 })
  const [hit] = hits
  if (!hit || kind < 0.4) return store.insert(other, { kind }, { expiresAt: now + 500, metadata: { kind } })
  if (kind < 0.6) await store.update(hit, random.float())
  else if (kind < 0.7) await store.learn(key, (_, id) => (id === hit.id ? 1 : 0))
  else if (kind < 0.8) await store.update(hit.id, { value: kind })
  else if (kind < 0.9) await store.upsert(other, kind, { id: hit.id })
  else await store.remove(hit.id)
  return hits
}

async function calls(store: MemoryStore, seed: number, count: number, keyOf: (random: Random) => MemoryKey) {
  const random = new Random(seed)
  const answers: unknown[] = []
  for (let i = 0; i < count; i++) {
    now++
    answers.push(await call(store, random, keyOf))
  }
  return answers
}

describe.each(Object.entries(keys))('a store with %s keys, backed up and restored,', (_kind, keyOf) => {
  it('answers and learns as the first one, to the last bit', async () => {
    const store = await MemoryStore.create(join(folder, 'first'), { clock, trees: 2, capacity: 150 })
    await calls(store, 1, 300, keyOf)
    await store.backup(join(folder, 'backup'))
    const restored = await MemoryStore.restore(join(folder, 'backup'), join(folder, 'second'), { clock })
    expect([...restored.memories()]).toEqual([...store.memories()])
    const at = now
    const answers = await calls(store, 2, 200, keyOf)
    now = at
    expect(await calls(restored, 2, 200, keyOf)).toEqual(answers)
    expect([...restored.memories()]).toEqual([...store.memories()])
    for (const one of [store, restored]) {
      expect(await one.check()).toEqual([])
      await one.close()
    }
  })
})

describe('a backup', () => {
  it('is the memory as it was when it began, whatever changes meanwhile', async () => {
    const store = await MemoryStore.create(join(folder, 'first'), { clock })
    await store.insertMany(Array.from({ length: 3000 }, (_, i) => ({ key: `note ${i} of many`, value: i, id: i })))
    const before = [...store.memories()]
    const backup = store.backup(join(folder, 'backup'))
    const removed: Promise<boolean>[] = []
    for (let id: Id = 0; id < 1000; id++) removed.push(store.remove(id))
    await Promise.all([backup, ...removed])
    await store.close()
    const restored = await MemoryStore.restore(join(folder, 'backup'), join(folder, 'second'), { clock })
    expect([...restored.memories()]).toEqual(before)
    await restored.close()
  })

  it('stops at the signal and leaves no file; replaces one only if asked to', async () => {
    const store = await MemoryStore.create(join(folder, 'first'), { clock })
    await store.insert('the red door', 'locked')
    const file = join(folder, 'backup')
    await expect(store.backup(file, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' })
    await store.backup(file)
    await expect(store.backup(file)).rejects.toMatchObject({ code: 'FILE_EXISTS' })
    await store.backup(file, { overwrite: true })
    await store.close()
  })
})

it('leaves nothing behind where restoring is stopped, at any moment', async () => {
  const store = await MemoryStore.create(join(folder, 'old'))
  await store.insertMany(Array.from({ length: 3000 }, (_, i) => ({ key: `word${i % 91} word${i}`, value: i })))
  await store.backup(join(folder, 'backup'))
  await store.close()
  for (let isStopped = true, turns = 0; isStopped; turns++) {
    const stop = new AbortController()
    let left = turns
    const timer = setInterval(() => left-- === 0 && stop.abort(), 0)
    const restored = await MemoryStore.restore(join(folder, 'backup'), join(folder, 'new'), {
      signal: stop.signal,
    }).catch(error => error)
    clearInterval(timer)
    isStopped = !(restored instanceof MemoryStore)
    if (isStopped) {
      expect(restored).toMatchObject({ code: 'ABORTED' })
      expect((await readdir(folder)).sort()).toEqual(['backup', 'old'])
    } else {
      expect(turns).toBeGreaterThan(2)
      expect(restored.size).toBe(3000)
      await restored.close()
    }
  }
})
