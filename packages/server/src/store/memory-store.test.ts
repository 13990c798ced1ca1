import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EngineError } from '@vicinal/core'
import { encodeModel } from '@vicinal/core/internals'
import { type Learner, MemoryTree } from '@vicinal/core/memory'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MemoryStore } from './memory-store.ts'

let folder: string
let path: string
let opened: MemoryStore[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-'))
  path = join(folder, 'notes')
})
afterEach(async () => {
  for (const store of opened) await store.close()
  opened = []
  await rm(folder, { recursive: true })
})

async function keep(opening: Promise<MemoryStore>): Promise<MemoryStore> {
  const store = await opening
  opened.push(store)
  return store
}

const clock = () => 1000
const create = (options: Parameters<typeof MemoryStore.create>[1] = {}) => keep(MemoryStore.create(path, options))
const reopen = (options: Parameters<typeof MemoryStore.open>[1] = {}) => keep(MemoryStore.open(path, options))

describe('MemoryStore', () => {
  it('has after opening what it had before closing', async () => {
    const store = await create()
    expect(await store.insert('ships of the baltic sea', { kind: 'note' })).toBe(0)
    expect(await store.insert('cooking with mushrooms', 'recipe', { id: 'm' })).toBe('m')
    const [hit] = store.query('a baltic ship', { k: 1 })
    expect(hit).toMatchObject({ id: 0, value: { kind: 'note' } })
    await store.update(hit as NonNullable<typeof hit>, 1)
    expect(await store.remove('m')).toBe(true)
    expect(await store.remove('m')).toBe(false)
    const before = store.get(0)
    await store.close()
    const again = await reopen()
    expect(again.size).toBe(1)
    expect(again.get(0)).toEqual(before)
    expect(before).toMatchObject({ reward: 1, rewards: 1 })
    expect(await again.check()).toEqual([])
  })

  it('shows a change to queries before it is on disk, and says when it is', async () => {
    const store = await create()
    const inserting = store.insert('ships', 1)
    expect(store.query('ships')).toMatchObject([{ id: 0 }])
    await store.flushed()
    const reader = await reopen({ readOnly: true })
    expect(reader.size).toBe(1)
    await inserting
  })

  it('refuses an async filter, and an async reward before anything is written', async () => {
    const store = await create()
    await store.insert('ships', 1)
    const filter = (async () => false) as unknown as () => boolean
    const rewardOf = (async () => 1) as unknown as () => number
    expect(() => store.query('ships', { filter })).toThrow('filter returned a promise')
    await expect(store.learn('ships', rewardOf)).rejects.toThrow('reward returned a promise')
    await store.close()
    expect(await (await reopen()).check()).toEqual([])
  })

  it('acknowledges in the order of the calls', async () => {
    const store = await create({ snapshotOperations: 7 })
    const order: number[] = []
    const inserts = Array.from({ length: 50 }, async (_, i) => {
      await store.insert(`word${i} shared`, i)
      order.push(i)
    })
    await Promise.all(inserts)
    expect(order).toEqual(Array.from({ length: 50 }, (_, i) => i))
  })

  it('learns from rewards by a function, and replays what it was told', async () => {
    const store = await create({ trees: 2 })
    for (let i = 0; i < 30; i++) await store.insert(`word${i} word${i % 5}`, i % 5)
    for (let i = 0; i < 10; i++)
      await store.learn(`word${i % 5} new`, value => (value === i % 5 ? 1 : 0), { except: i })
    expect((await store.stats()).rewards).toBeGreaterThan(0)
    expect(await store.check()).toEqual([])
  })

  it('goes on after a reward that a function would not tell', async () => {
    const store = await create()
    await store.insert('ships', 1)
    const refusal = new TypeError('no idea')
    const learning = store.learn('ships', () => {
      throw refusal
    })
    await expect(learning).rejects.toBe(refusal)
    await expect(store.learn('ships', () => 2)).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    await store.insert('more ships', 2)
    expect(await store.check()).toEqual([])
  })

  it('refuses changes within a reward, and opens again with all that was acknowledged', async () => {
    const store = await create()
    for (const text of ['ships of the baltic sea', 'ships in bottles', 'cooking']) await store.insert(text, 1)
    const within: Promise<unknown>[] = []
    await store.learn('ships', (value, id) => {
      within.push(store.insert(`note on ${id}`, value).catch((error: unknown) => error))
      return 1
    })
    const refused = await Promise.all(within)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.every(error => error instanceof EngineError)).toBe(true)
    await store.insert('the important one', 9, { id: 'i' })
    await store.close()
    const again = await reopen()
    expect([again.size, again.get('i')?.value, await again.check()]).toEqual([4, 9, []])
  })

  it('goes on after input that is nonsense', async () => {
    const store = await create()
    const nonsense = [
      () => store.insert({ indices: null, values: null } as never, 1),
      () => store.insert({ length: 5e9 } as never, 1),
      () => store.insert('ships', 1, null as never),
      () =>
        store.update({ id: 0, query: { key: 'x', explored: { tree: 'length', node: 0, side: 'left' } } } as never, 1),
      () => store.update(null as never, 1),
      () => store.learn('ships', null as never),
    ]
    await store.insert('ships', 1)
    for (const call of nonsense) await expect(call()).rejects.toThrow()
    expect(() => store.query('ships', null as never)).toThrow(EngineError)
    expect(await store.insert('still here', 2)).toBe(1)
    await store.close()
    expect((await reopen()).size).toBe(2)
  })

  it('keeps vectors to the bit, sparse and dense, and 64-bit numbers as the memory takes them', async () => {
    const keys = [[0.1, 0, 1 / 3], Float64Array.of(1e-3, 2, 0), Float32Array.of(0, 0, 7)]
    const store = await create()
    for (const key of keys) await store.insert(key, null)
    expect(await store.check()).toEqual([])
    await store.close()
    const sparse = await keep(MemoryStore.create(join(folder, 'sparse')))
    await sparse.insert({ indices: Uint32Array.of(3, 4_000_000_000), values: Float32Array.of(0.1, -2) }, 'far')
    const [hit] = sparse.query({ indices: Uint32Array.of(3), values: Float32Array.of(1) })
    await sparse.update(hit as NonNullable<typeof hit>, 0.25)
    expect(await sparse.check()).toEqual([])
  })

  it('takes back a hit that has travelled as JSON', async () => {
    const store = await create({ leafFactor: 0.5 })
    for (let i = 0; i < 40; i++) await store.insert(`word${i} word${i % 3}`, i)
    const [hit] = JSON.parse(JSON.stringify(store.query('word1', { explore: 1 })))
    await store.update(hit, 1)
    expect(await store.check()).toEqual([])
  })

  it('keeps half a surrogate pair, names of prototypes and keys in their order', async () => {
    const store = await create()
    const value = JSON.parse('{"b": 1, "__proto__": {"x": []}, "7": "\\ud800"}')
    await store.insert('half \ud83d a pair', value, { id: '\udc00' })
    await store.close()
    const again = await reopen()
    expect(JSON.stringify(again.get('\udc00')?.value)).toBe(JSON.stringify(value))
    expect(again.get('\udc00')?.key).toBe('half \ud83d a pair')
    expect(await again.check()).toEqual([])
  })

  it('drops the log when it makes a snapshot, and old snapshots with it', async () => {
    const store = await create({ snapshotOperations: 10 })
    for (let i = 0; i < 25; i++) {
      await store.insert(`word${i}`, i)
      if (i % 10 === 9) await store.check() // waits for snapshots under way
    }
    await store.close()
    const again = await reopen()
    expect(await again.stats()).toMatchObject({ operations: 25, logged: 5 })
    expect((await readdir(path)).filter(file => file.startsWith('snapshot'))).toEqual(['snapshot-20.memory'])
    await again.snapshot()
    expect(await again.stats()).toMatchObject({ operations: 25, logged: 0 })
    expect(await again.check()).toEqual([])
  })

  it('makes a snapshot also where the log has many bytes', async () => {
    const store = await create({ snapshotBytes: 1000 })
    await store.insert('short', 1)
    expect((await store.stats()).logged).toBe(1)
    await store.insert('long', 'x'.repeat(1000))
    await store.check() // waits for snapshots under way
    expect((await store.stats()).logged).toBe(0)
  })

  it('counts the bytes of the log also over closing and snapshots', async () => {
    const store = await create({ snapshotBytes: 3000 })
    await store.insert('first', 'x'.repeat(1000))
    await store.close()
    const again = await reopen({ snapshotBytes: 3000 })
    const { logBytes } = await again.stats()
    expect(logBytes).toBeGreaterThan(1000)
    await again.insert('second', 'x'.repeat(1000))
    expect((await again.stats()).logBytes).toBe(2 * logBytes + 1) // 'second' is a letter longer
    await again.insert('third', 'x'.repeat(1000))
    await again.check() // waits for snapshots under way
    expect(await again.stats()).toMatchObject({ logged: 0, logBytes: 0, operations: 3 })
  })

  it('goes on where a snapshot cannot be written, says so, and tries again', async () => {
    const store = await create({ snapshotOperations: 3 })
    await mkdir(join(path, 'snapshot-3.memory')) // in the way
    for (let i = 0; i < 4; i++) await store.insert(`word${i}`, i)
    await store.check() // waits for snapshots under way
    expect((await store.stats()).snapshotFailure).toContain('snapshot-3.memory: is a directory, expected a file')
    for (let i = 4; i < 7; i++) await store.insert(`word${i}`, i)
    expect(await store.check()).toEqual([])
    const facts = await store.stats()
    expect(facts).toMatchObject({ operations: 7, logged: 1 })
    expect(facts.snapshotFailure).toBeUndefined()
    await store.close()
    expect((await reopen()).size).toBe(7)
  })

  it('clears away what a killed process left', async () => {
    const store = await create()
    await store.insert('ships', 1)
    await store.close()
    await writeFile(join(path, 'snapshot-9.memory.tmp'), 'half')
    await writeFile(join(path, 'snapshot-7.memory'), 'never named')
    await writeFile(join(path, 'snapshot-7.memory-of-mine'), 'of somebody else')
    await reopen()
    const left = (await readdir(path)).filter(file => file.startsWith('snapshot'))
    expect(left).toEqual(['snapshot-0.memory', 'snapshot-7.memory-of-mine'])
  })

  it('gives a learner of your own back to the memory', async () => {
    const learner: Learner = { name: 'own', gradient: (sum, target) => 0.5 * (sum - target) }
    const store = await create({ learner, leafFactor: 0.5 })
    for (let i = 0; i < 30; i++) await store.insert(`word${i} word${i % 3}`, i)
    expect(await store.check()).toEqual([])
    await store.close()
    await expect(MemoryStore.open(path)).rejects.toBeInstanceOf(EngineError)
    expect((await reopen({ learner })).size).toBe(30)
  })

  it('gives the memory that the same calls give without a store', async () => {
    const [store, tree] = [await create({ seed: 5, clock }), MemoryTree.create({ seed: 5, clock })]
    for (let i = 0; i < 60; i++) {
      await store.insert(`word${i} word${i % 7}`, i)
      tree.insert(`word${i} word${i % 7}`, i)
    }
    await store.snapshot()
    const saved = await MemoryTree.load(join(path, 'snapshot-60.memory'))
    expect(encodeModel(saved.contents())).toEqual(encodeModel(tree.contents()))
  })
})

describe('a reader', () => {
  it('tells of the memory as it read it, also after snapshots of the writer', async () => {
    const store = await create()
    await store.insert('ships', 1)
    await store.insert('sails', 2)
    const reader = await reopen({ readOnly: true })
    await store.insert('masts', 3)
    await store.snapshot()
    expect(await reader.stats()).toMatchObject({ operations: 2, logged: 2 })
    expect((await reader.stats()).snapshotBytes).toBeGreaterThan(0)
  })

  it('ends its checks before it closes', async () => {
    await (await create()).insert('ships', 1)
    const reader = await reopen({ readOnly: true })
    const checks = [reader.check(), reader.check()]
    await reader.close()
    expect(await Promise.all(checks)).toEqual([[], []])
  })
})

describe('MemoryStore refuses', () => {
  it('to be made where something is', async () => {
    await create()
    await expect(MemoryStore.create(path)).rejects.toMatchObject({ code: 'FILE_EXISTS', where: { file: path } })
    await writeFile(join(folder, 'file'), '')
    await expect(MemoryStore.create(join(folder, 'file'))).rejects.toMatchObject({ code: 'FILE_EXISTS' })
    await expect(MemoryStore.create(join(folder, 'no', 'notes'))).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
    expect(await readdir(folder)).toEqual(['file', 'notes'])
  })

  it('to open what is no store', async () => {
    await expect(MemoryStore.open(path)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
    await expect(MemoryStore.open(folder)).rejects.toMatchObject({ code: 'UNKNOWN_FORMAT' })
  })

  it('options it does not know', async () => {
    await create()
    const wrong = { readonly: true } as object
    await expect(MemoryStore.open(path, wrong)).rejects.toMatchObject({ code: 'UNKNOWN_NAME' })
    const other = join(folder, 'other')
    await expect(MemoryStore.create(other, wrong)).rejects.toMatchObject({ code: 'UNKNOWN_NAME' })
    await expect(MemoryStore.create(other, { snapshotOperations: 0 })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    expect(await readdir(folder)).toEqual(['notes'])
  })

  it('bad changes before anything is logged', async () => {
    const store = await create()
    await store.insert('ships', 1, { id: 'a' })
    const [hit] = store.query('ships') as [ReturnType<MemoryStore['query']>[number]]
    const attempts = [
      () => store.update(hit, 1.5),
      () => store.update(hit, Number.NaN),
      () => store.update({ ...hit, id: 'b' }, 1),
      () => store.insert('ships', 2, { id: 'a' }),
      () => store.insert('', 2),
      () => store.insert([1, 2], 2),
      () => store.insert('ships', undefined as never),
      () => store.insert('ships', { x: Number.NaN }),
      () => store.insert('ships', 10n as never),
      () => store.update({ id: 'a' } as never, 1),
    ]
    for (const attempt of attempts) await expect(attempt()).rejects.toBeInstanceOf(EngineError)
    expect(await store.stats()).toMatchObject({ operations: 1, memories: 1 })
    expect(await store.check()).toEqual([])
  })

  it('changes where it is read only, and everything once closed', async () => {
    const store = await create()
    await store.insert('ships', 1)
    const reader = await reopen({ readOnly: true })
    await expect(reader.insert('more', 2)).rejects.toMatchObject({ code: 'FILE_ACCESS' })
    expect(reader.query('ships')).toMatchObject([{ value: 1 }])
    expect(await reader.check()).toEqual([])
    await store.insert('more', 2)
    await store.snapshot()
    expect(reader.size).toBe(1)
    expect(await reader.check()).toEqual([])
    await store.close()
    expect(() => store.query('ships')).toThrow('the store is closed')
    await expect(store.insert('ships', 1)).rejects.toThrow('the store is closed')
  })

  it('a second writer, and says who the first is', async () => {
    const store = await create()
    const second = MemoryStore.open(path)
    await expect(second).rejects.toMatchObject({ code: 'FILE_ACCESS' })
    await expect(second).rejects.toThrow(`process ${process.pid} is writing this store`)
    await store.insert('ships', 1)
    await store.close()
    expect((await reopen()).size).toBe(1)
  })

  it('all but one of many that want to write at once', async () => {
    await (await create()).close()
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => MemoryStore.open(path)))
    const won = attempts.flatMap(attempt => (attempt.status === 'fulfilled' ? [attempt.value] : []))
    opened.push(...won)
    expect(won.length).toBe(1)
    const named = async () => (await readdir(path)).map(name => name.replace(/^writer-.*\./, 'writer.')).sort()
    const files = ['log-1.bin', 'snapshot-0.memory', 'store.json', 'writer.json']
    expect(await named()).toEqual([...files, 'writer.sock'])
    await won[0]?.close()
    expect(await named()).toEqual([...files, 'log.closed'].sort())
  })

  it('no path for being long', async () => {
    path = join(folder, 'x'.repeat(150))
    const store = await create()
    await expect(MemoryStore.open(path)).rejects.toThrow('is writing this store')
    await store.close()
    expect((await readdir(path)).filter(file => file.endsWith('.sock'))).toEqual([])
  })
})
