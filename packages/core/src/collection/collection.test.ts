import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { Engine } from '../kernels/engine.ts'
import { Random } from '../random.ts'
import { Collection } from './collection.ts'

describe('Collection', () => {
  it('comes back from a file as it was saved', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'collection-'))
    try {
      const notes = Collection.create({ stopWords: ['the'], metric: 'dot' })
      await notes.upsert({ id: 'a', text: 'the sea', vector: [1, 2] })
      await notes.save(join(folder, 'notes.collection'))
      const same = await Collection.load(join(folder, 'notes.collection'))
      expect(same.settings).toEqual(notes.settings)
      expect(await same.search({ text: 'the sea', vector: [1, 0] })).toEqual(
        await notes.search({ text: 'the sea', vector: [1, 0] }),
      )
      await expect(same.save(join(folder, 'notes.collection'))).rejects.toMatchObject({ code: 'FILE_EXISTS' })
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('is loaded while other code runs, until a signal', async () => {
    const engine = new Engine()
    const notes = Collection.create()
    const document = (_: unknown, id: number) => ({ id, text: `word${id % 97} word${id}`, vector: [id, 1] })
    await notes.upsertMany(Array.from({ length: 20_000 }, document))
    const bytes = notes.toBytes()
    const stop = new AbortController()
    let turns = 0
    const timer = setInterval(() => ++turns === 3 && stop.abort(), 0)
    try {
      const stopped = Collection.fromBytes(bytes, { engine, signal: stop.signal })
      await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' })
      expect(turns).toBeLessThan(6)
      expect(engine.arena.usedBytes).toBe(0)
      const whole = await Collection.fromBytes(bytes, { engine })
      expect(turns).toBeGreaterThan(6)
      expect(whole.toBytes()).toEqual(bytes)
    } finally {
      clearInterval(timer)
    }
  })

  it('knows the types of its metadata', async () => {
    const books = Collection.create<{ year: number; tags: string[] }>()
    await books.upsert({ id: 1, text: 'a', metadata: { year: 1990, tags: ['x'] } })
    const [hit] = await books.search({ text: 'a', filter: { year: { gte: 1990 }, tags: 'x' } })
    expectTypeOf(hit?.document.metadata?.year).toEqualTypeOf<number | undefined>()
    // @ts-expect-error: years are numbers
    expect(books.count({ year: { gte: '1990' } })).toBe(0)
    // @ts-expect-error: there is no such name
    expect(books.count({ yaer: 1990 })).toBe(0)
  })

  it('returns what nobody can change', async () => {
    const notes = Collection.create<{ tags: string[] }>()
    const tags = ['a']
    await notes.upsert({ id: 1, metadata: { tags } })
    tags.push('b')
    expect(notes.get(1)?.metadata).toEqual({ tags: ['a'] })
    expect(() => notes.get(1)?.metadata?.tags.push('c')).toThrow(TypeError)
  })

  it('may have vectors of another length once the last one is removed', async () => {
    const notes = Collection.create()
    await notes.upsert({ id: 1, vector: [1, 2] })
    await expect(notes.upsert({ id: 2, vector: [1, 2, 3] })).rejects.toThrow('3 dimensions, this collection has 2')
    notes.remove(1)
    await notes.upsert({ id: 2, vector: [1, 2, 3] })
    expect(notes.stats()).toMatchObject({ documents: 1, vectors: 1, dims: 3, index: 'exact' })
  })

  it('saves what it has when save is called, whatever changes while it saves', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'collection-'))
    try {
      const notes = Collection.create()
      const texts = Array.from({ length: 3000 }, (_, id) => `note ${id} of place${id % 7} and word${id % 501}`)
      await notes.upsertMany(texts.map((text, id) => ({ id, text, fields: { title: `title ${id % 10}` } })))
      for (let id = 0; id < 500; id++) notes.remove(id) // holes, too few to be closed
      const before = await Collection.fromBytes(notes.toBytes())
      const saving = notes.save(join(folder, 'notes.collection'))
      for (let turn = 0; turn < 20; turn++) {
        for (let id = turn * 100; id < turn * 100 + 100; id++) await notes.upsert({ id, text: `another ${id} place1` })
        for (let id = 2900 - turn * 10; id < 2910 - turn * 10; id++) notes.remove(id)
        await new Promise(resume => setImmediate(resume))
      }
      await notes.optimize()
      await saving
      const saved = await Collection.load(join(folder, 'notes.collection'))
      expect(saved.list()).toEqual(before.list())
      for (const text of ['place1 word17', 'note title', 'another', '2800']) {
        expect(await saved.search({ text, k: 50 })).toEqual(await before.search({ text, k: 50 }))
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('closes holes by itself, so that memory does not grow with every new version', async () => {
    const engine = new Engine()
    const notes = Collection.create({ engine })
    const random = new Random(1)
    const write = async (id: number) => {
      const words = Array.from({ length: 8 }, () => `w${random.below(500)}`)
      await notes.upsert({ id, text: words.join(' '), vector: [random.normal(), random.normal(), 1] })
    }
    for (let i = 0; i < 3000; i++) await write(i % 500)
    const used = engine.arena.usedBytes
    for (let i = 0; i < 12_000; i++) await write(i % 500)
    expect(engine.arena.usedBytes).toBeLessThan(1.5 * used)
    expect(notes.stats().holes).toBeLessThan(1600)
    const fresh = Collection.create()
    await fresh.upsertMany(notes.list().map(({ id }) => notes.get(id) as never))
    for (const text of ['w1 w2 w3', 'w77', 'w400 w10']) {
      expect(await notes.search({ text })).toEqual(await fresh.search({ text }))
    }
    notes.free()
    expect(engine.arena.usedBytes).toBe(0)
  })

  it.each([
    ['水', ['a', 'b']],
    ['京', ['c']],
    ['東', ['c']],
    ['東京', ['c']],
    ['京東', []],
    ['の', ['c']],
    ['กิน', ['d']],
    ['ข้', ['d']],
    ['ข้าว', ['d']],
    ['🎉', ['e']],
    ['👍🏿', ['e']],
    ['🇫🇮', ['e']],
  ])('finds %s in text without spaces, wherever it stands', async (text, ids) => {
    const notes = Collection.create()
    await notes.upsertMany([
      { id: 'a', text: '水' },
      { id: 'b', text: '我喝水。' },
      { id: 'c', text: '東京の大学 2024' },
      { id: 'd', text: 'กินข้าว' },
      { id: 'e', text: 'done🎉🎉 👍🏽 🇫🇮' },
    ])
    const found = await notes.search({ text })
    expect(found.map(({ id }) => id)).toEqual(ids)
    for (const id of ids) notes.remove(id)
    expect(await notes.search({ text })).toEqual([])
  })

  it('refuses a misspelled field, but none in an empty collection, or of boosts, or whose documents were removed', async () => {
    const notes = Collection.create({ boosts: { summary: 2 } })
    expect(await notes.search({ text: 'sea', fields: ['titel'] })).toEqual([])
    await notes.upsert({ id: 1, fields: { title: 'The sea' } })
    const misspelled = { code: 'UNKNOWN_NAME', hint: expect.stringContaining('Did you mean "title"?') }
    await expect(notes.search({ text: 'sea', fields: ['title', 'titel'] })).rejects.toMatchObject(misspelled)
    await expect(notes.search({ text: 'sea', fields: { titel: 3 } })).rejects.toMatchObject(misspelled)
    expect(await notes.search({ text: 'sea', fields: ['summary', 'text'] })).toEqual([])
    notes.remove(1)
    await notes.upsert({ id: 2, text: 'ice' })
    await notes.optimize()
    const same = await Collection.fromBytes(notes.toBytes())
    for (const one of [notes, same]) {
      expect(await one.search({ text: 'sea', fields: ['title'] })).toEqual([])
      await expect(one.search({ text: 'sea', fields: ['titel'] })).rejects.toMatchObject(misspelled)
    }
  })

  it.each(['get', 'has', 'remove'] as const)('refuses %s with something that is no id', call => {
    const notes = Collection.create()
    expect(() => notes[call](['a', 'b'] as never)).toThrow(
      'the id is an array of length 2, expected a text or a finite number',
    )
    expect(() => notes[call](undefined as never)).toThrow('the id is undefined')
  })

  it('refuses a filter that changes it', async () => {
    const notes = Collection.create()
    await notes.upsert({ id: 1, text: 'a' })
    const meddle = () => notes.remove(1)
    await expect(notes.search({ text: 'a', filter: meddle })).rejects.toThrow('your filter changed the collection')
  })

  it.each([
    ['sea', "your search is 'sea', expected an object"],
    [{}, 'your search has no text, vector or like'],
    [{ text: 'a', like: 1 }, 'your search has like and text'],
    [{ text: 'a', k: 0 }, 'k is 0'],
    [{ text: 'a', limit: 3 }, 'unknown option "limit"'],
    [{ text: 'a', filter: { year: { gtee: 3 } } }, 'filter.year has "gtee"'],
    [{ text: 'a', filter: { tags: ['x'] } }, 'filter.tags is an array of length 1'],
    [{ text: 'a', filter: new Map() }, 'filter is a Map'],
    [{ text: 'a', filter: { tenant: undefined } }, 'filter.tenant is undefined'],
    [{ text: 'a', filter: { day: new Date(0) } }, 'filter.day is a Date'],
    [{ text: 'a', filter: { day: new Set(['a']) } }, 'filter.day is a Set'],
    [{ text: 'a', filter: { day: { gte: new Date(0) } } }, 'filter.day.gte is a Date'],
    [{ text: 'a', filter: { tenant: { in: undefined } } }, 'filter.tenant.in is undefined'],
    [{ text: 'a', filter: { year: Number.NaN } }, 'filter.year is NaN'],
    [{ text: 'a', fields: ['x', 3] }, 'fields[1] is 3'],
    [{ text: 'a', prefix: 'first' }, "prefix is 'first'"],
    [{ vector: [1, 2, 3] }, '3 dimensions, this collection has 2'],
  ])('refuses the search %o', async (query, message) => {
    const notes = Collection.create()
    await notes.upsert({ id: 1, text: 'a', vector: [1, 2] })
    await expect(notes.search(query as never)).rejects.toThrow(message)
  })

  it.each([
    [{ stemer: 'x' }, 'Did you mean "stemmer"?'],
    [{ stemmer: 'klingon' }, "stemmer is 'klingon'"],
    [{ boosts: { title: -1 } }, 'boosts.title is -1'],
    [{ b: 2 }, 'b is 2'],
    [{ forestFrom: 0 }, 'forestFrom is 0'],
    [{ forest: { trees: 0 } }, 'trees is 0'],
    [{ forest: { keep: 'sketch' } }, "forest.keep is 'sketch'"],
  ])('refuses to be created with %o', (options, message) => {
    let said = ''
    try {
      Collection.create(options as never)
    } catch (error) {
      said = `${(error as Error).message} ${(error as { hint?: string }).hint}`
    }
    expect(said).toContain(message)
  })
})
