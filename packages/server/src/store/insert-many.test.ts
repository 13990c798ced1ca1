import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Id } from '@vicinal/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { GivenMemory } from './insert-many.ts'
import { MemoryStore } from './memory-store.ts'

let folder: string
let store: MemoryStore
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-'))
  store = await MemoryStore.create(join(folder, 'notes'))
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

const notes = (count: number): GivenMemory[] =>
  Array.from({ length: count }, (_, i) => ({ key: `note ${i} of many`, value: i, id: `n${i}` }))

/** What another process finds on disk. */
async function onDisk(): Promise<number> {
  const reader = await MemoryStore.open(store.path, { readOnly: true })
  const { size } = reader
  await reader.close()
  return size
}

describe('MemoryStore.insertMany', () => {
  it('stores a list with all its options; resolves to the ids once everything is on disk', async () => {
    const ids = await store.insertMany([
      { key: 'the red door', value: 'locked', namespace: 'anna', metadata: { from: 'test' } },
      { key: 'the blue door', value: 'open', id: 'b', createdAt: 5, reward: 0.5, rewards: 2 },
    ])
    expect(ids).toEqual([0, 'b'])
    expect(await onDisk()).toBe(2)
    expect(store.get(0)).toMatchObject({ namespace: 'anna', metadata: { from: 'test' }, rewards: 0, reward: null })
    expect(store.get('b')).toMatchObject({ createdAt: 5, reward: 0.5, rewards: 2 })
    expect(await store.insertMany([])).toEqual([])
    expect(await store.check()).toEqual([])
  })

  it('takes any iterable, and tells which are on disk as it goes', async () => {
    const told: Id[][] = []
    const progress: unknown[] = []
    async function* stream() {
      for (const note of notes(1300)) yield note
    }
    const onInserted = (ids: readonly Id[]) => void told.push([...ids])
    const ids = await store.insertMany(stream(), { onInserted, onProgress: report => progress.push(report) })
    expect(ids).toEqual(notes(1300).map(({ id }) => id))
    expect(told.flat()).toEqual(ids)
    expect(told.length).toBeGreaterThan(1)
    expect(progress.at(-1)).toEqual({ what: 'inserting', done: 1300 })
    expect(await onDisk()).toBe(1300)
    expect(await store.insertMany(new Set([{ key: 'a set', value: 1 }]))).toHaveLength(1)
  })

  it('keeps those before one that is refused, and says which that is', async () => {
    const list = [...notes(600), { key: '', value: 'nothing to find it by' }, ...notes(3)]
    await expect(store.insertMany(list)).rejects.toThrow('memory 600 of the list: the key has no features')
    await expect(store.insertMany(list.slice(598))).rejects.toThrow(
      'memory 0 of the list: the id "n598" already exists',
    )
    expect(await onDisk()).toBe(600)
    await expect(store.insertMany([{ text: 'a', value: 1 } as never])).rejects.toThrow('it has no key')
    await expect(store.insertMany([{ key: 'a' } as never])).rejects.toThrow('it has no value')
    await expect(store.insertMany([null as never])).rejects.toThrow('memory 0 of the list: the memory is null')
  })

  it('stops at the signal with what it has stored, and if the source fails', async () => {
    const stop = new AbortController()
    const told: Id[] = []
    function* endless() {
      for (let i = 0; ; i++) {
        if (i === 700) stop.abort()
        yield { key: `note ${i}`, value: i }
      }
    }
    const onInserted = (ids: readonly Id[]) => void told.push(...ids)
    await expect(store.insertMany(endless(), { signal: stop.signal, onInserted })).rejects.toMatchObject({
      code: 'ABORTED',
    })
    expect(await onDisk()).toBe(told.length)
    function* failing() {
      yield { key: 'one more', value: 1 }
      throw new Error('no more lines')
    }
    await expect(store.insertMany(failing())).rejects.toThrow('no more lines')
    expect(await onDisk()).toBe(told.length + 1)
  })

  it.each([[undefined], ['text'], [5], [{ key: 'a', value: 1 }]])('refuses %o instead of memories', async given => {
    await expect(store.insertMany(given as never)).rejects.toThrow('expected a list of memories')
  })
})
