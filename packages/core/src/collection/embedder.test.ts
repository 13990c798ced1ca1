import { describe, expect, it } from 'vitest'
import { Collection } from './collection.ts'
import type { Embed } from './embedder.ts'

/** How often each letter of 'abc' comes: what a small model would say. */
const letters: Embed = async texts => texts.map(text => [...'abc'].map(letter => text.split(letter).length - 1 + 0.1))

describe('embed', () => {
  it('makes the vectors of texts and of queries that have none', async () => {
    const notes = Collection.create({ embed: letters })
    await notes.upsert({ id: 'a', text: 'aaa' })
    await notes.upsert({ id: 'b', fields: { title: 'bb' }, vector: [0, 0, 1] })
    await notes.upsert({ id: 'none' })
    expect(notes.stats().vectors).toBe(2)
    const [first] = await notes.search({ text: 'a a' })
    expect(first).toMatchObject({ id: 'a', because: { vectorRank: 1 } })
    expect(notes.get('b')?.vector).toEqual(Float32Array.of(0, 0, 1))
  })

  it('is missed after loading: a text without a vector is refused instead of stored where vector searches do not find it', async () => {
    const notes = Collection.create({ embed: letters })
    await notes.upsert({ id: 'a', text: 'aaa' })
    const loaded = await Collection.fromBytes(notes.toBytes())
    const refused = { code: 'INVALID_OPTION', message: expect.stringContaining('document "b" has text but no vector') }
    await expect(loaded.upsert({ id: 'b', text: 'bb' })).rejects.toMatchObject(refused)
    await expect(loaded.upsertMany([{ id: 'b', text: 'bb' }])).rejects.toMatchObject(refused)
    expect(() => loaded.checkDocuments([{ id: 'b', text: 'bb' }])).toThrow(expect.objectContaining(refused))
    expect(loaded.count()).toBe(1)
    await loaded.upsert({ id: 'c', text: 'c', vector: [0, 0, 1] })
    await loaded.upsert({ id: 'd' })
    await loaded.upsert({ id: 'e', text: 'e' }, { embed: false })
    await loaded.upsertMany([{ id: 'f', text: 'f' }], { embed: false })
    expect([loaded.count(), loaded.stats().vectors]).toEqual([5, 2])
    // The next file still knows, and embed takes up its work again.
    const again = await Collection.fromBytes(loaded.toBytes(), { embed: letters })
    await again.upsert({ id: 'b', text: 'bb' })
    expect(again.get('b')?.vector).toBeDefined()
  })

  it('is called with batches', async () => {
    const sizes: number[] = []
    const embed: Embed = async texts => {
      sizes.push(texts.length)
      return letters(texts)
    }
    const notes = Collection.create({ embed, embedBatch: 4 })
    await notes.upsertMany(Array.from({ length: 10 }, (_, id) => ({ id, text: 'abc'[id % 3] as string })))
    expect(sizes).toEqual([4, 4, 2])
    expect(notes.stats().vectors).toBe(10)
  })

  it('is tried again when it fails, and then the document is refused', async () => {
    let calls = 0
    const failing: Embed = async texts => {
      if (++calls < 3) throw new Error('busy')
      return letters(texts)
    }
    const notes = Collection.create({ embed: failing })
    await notes.upsert({ id: 1, text: 'a' })
    expect(calls).toBe(3)
    const hopeless = Collection.create({ embed: () => Promise.reject(new Error('no key')), embedRetries: 0 })
    await expect(hopeless.upsert({ id: 1, text: 'a' })).rejects.toMatchObject({
      code: 'CALLBACK_FAILED',
      message: 'your embed failed once for document 1: no key',
      hint: expect.stringContaining('try again, or give the vector yourself'),
      cause: expect.objectContaining({ message: 'no key' }),
    })
    expect(hopeless.count()).toBe(0)
  })

  it.each([
    [async () => 'x', "your embed returned 'x', expected a list of vectors"],
    [async () => [], 'your embed returned 0 vectors for 1 texts: document 1'],
    [async () => [7], 'your embed returned 7 for document 1, expected a vector'],
  ])('is refused for what it returns: %s', async (embed, message) => {
    const notes = Collection.create({ embed: embed as never })
    await expect(notes.upsert({ id: 1, text: 'a' })).rejects.toThrow(message)
  })

  it('names the document when it fails for several', async () => {
    const notes = Collection.create({ embed: () => Promise.reject(new Error('busy')), embedRetries: 0 })
    const documents = ['a', 'b', 'c'].map(id => ({ id, text: id }))
    await expect(notes.upsertMany(documents)).rejects.toThrow('failed once for document "a" and 2 more: busy')
    await expect(notes.search({ text: 'a' })).rejects.toThrow('failed once for the text of your search: busy')
  })

  it('checks the length of its vectors', async () => {
    let size = 2
    const notes = Collection.create({ embed: async texts => texts.map(() => new Float32Array(size).fill(1)) })
    await notes.upsert({ id: 1, text: 'a' })
    size = 3
    await expect(notes.upsert({ id: 2, text: 'b' })).rejects.toMatchObject({ code: 'DIMENSION_MISMATCH' })
    await expect(notes.search({ text: 'b' })).rejects.toMatchObject({ code: 'DIMENSION_MISMATCH' })
  })

  it('lets the later of two writes count, and a removal too, whichever vector is ready first', async () => {
    const waiting: (() => void)[] = []
    const embed: Embed = texts => new Promise(resolve => waiting.push(() => resolve(texts.map(() => [1, 1]))))
    const notes = Collection.create({ embed })
    const first = notes.upsert({ id: 1, text: 'first' })
    const second = notes.upsert({ id: 1, text: 'second' })
    const removed = notes.upsert({ id: 2, text: 'removed' })
    notes.remove(2)
    await Promise.resolve()
    for (const ready of waiting.reverse()) ready()
    await Promise.all([first, second, removed])
    expect(notes.list()).toEqual([{ id: 1, text: 'second' }])
  })

  it('stops although the function never answers and ignores the signal', async () => {
    const stop = new AbortController()
    const notes = Collection.create({ embed: () => new Promise(() => {}) })
    const writing = notes.upsert({ id: 1, text: 'a' }, { signal: stop.signal })
    stop.abort()
    await expect(writing).rejects.toMatchObject({ code: 'ABORTED' })
    expect(notes.count()).toBe(0)
  })

  it('hears the signal', async () => {
    const stop = new AbortController()
    const notes = Collection.create({
      embed: () => new Promise((_, reject) => stop.signal.addEventListener('abort', reject)),
    })
    const writing = notes.upsert({ id: 1, text: 'a' }, { signal: stop.signal })
    stop.abort()
    await expect(writing).rejects.toMatchObject({ code: 'ABORTED' })
  })
})
