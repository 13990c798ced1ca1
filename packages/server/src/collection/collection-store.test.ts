import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MemoryStore } from '../store/memory-store.ts'
import { CollectionStore } from './collection-store.ts'

let folder: string
let made = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'collection-store-'))
})
afterAll(() => rm(folder, { recursive: true }))

const nextPath = () => join(folder, `store-${made++}`)

describe('CollectionStore', () => {
  it('gives the same documents from the log, and from a snapshot and the log', async () => {
    const path = nextPath()
    const store = await CollectionStore.create(path, { snapshotOperations: 7, metric: 'euclidean' })
    for (let i = 0; i < 25; i++) await store.upsert({ id: i % 10, text: `word${i}`, vector: [i, 1 / 3] })
    await store.remove(3)
    expect(await store.check()).toEqual([])
    const { operations, logged } = store.stats()
    expect([operations, logged < 26]).toEqual([26, true])
    const before = store.list().map(({ id }) => store.get(id))
    await store.close()
    const again = await CollectionStore.open(path)
    expect(again.list().map(({ id }) => again.get(id))).toEqual(before)
    expect(again.settings.metric).toBe('euclidean')
    await again.close()
  })

  it('keeps the vectors that embed made, and does not ask for them again', async () => {
    const path = nextPath()
    let calls = 0
    const embed = async (texts: readonly string[]) => {
      calls++
      return texts.map(({ length }) => [1, length])
    }
    const store = await CollectionStore.create(path, { embed })
    await store.upsert({ id: 1, text: 'four' })
    await store.upsert({ id: 2, text: 'no vector' }, { embed: false })
    await store.close()
    const again = await CollectionStore.open(path, { embed })
    expect(calls).toBe(1)
    expect([again.get(1)?.vector?.length, again.get(2)?.vector]).toEqual([2, undefined])
    expect((await again.search({ text: 'four' }))[0]?.id).toBe(1)
    await again.close()
    const without = await CollectionStore.open(path)
    await expect(without.upsert({ id: 3, text: 'new' })).rejects.toThrow('without the embed that made its vectors')
    await without.upsert({ id: 3, text: 'new' }, { embed: false })
    expect(without.count()).toBe(3)
    await without.close()
  })

  it('is written by one process and read beside it, and says so to whoever opens it as something else', async () => {
    const path = nextPath()
    const store = await CollectionStore.create(path)
    await store.upsert({ id: 1, text: 'one' })
    await expect(CollectionStore.open(path)).rejects.toMatchObject({ name: 'EngineError' })
    const reader = await CollectionStore.open(path, { readOnly: true })
    await store.upsert({ id: 2, text: 'two' })
    expect(reader.count()).toBe(1)
    await expect(reader.upsert({ id: 3 })).rejects.toThrow('open read-only')
    await reader.close()
    await store.close()
    expect(() => store.count()).toThrow('the store is closed')
    await expect(MemoryStore.open(path)).rejects.toThrow('is the store of a collection')
    const memory = nextPath()
    await (await MemoryStore.create(memory)).close()
    await expect(CollectionStore.open(memory)).rejects.toThrow('is the store of a memory')
    await expect(CollectionStore.create(path)).rejects.toMatchObject({ code: 'FILE_EXISTS' })
    await expect(CollectionStore.open(nextPath())).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
  })
})
