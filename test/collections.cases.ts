// What every collection does: in memory, on disk, or in a page. `reopen` gives the same documents from where they were kept.

import type { Collection, CollectionDocument, CollectionOptions } from '@vicinal/core/collection'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'

export interface Place {
  readonly year: number
  readonly lang: string
  readonly tags: readonly string[]
}

type Name = 'upsert' | 'upsertMany' | 'get' | 'has' | 'count' | 'list' | 'search' | 'remove'

/** What a collection can do, whether an answer takes a moment or not. */
export type AnyCollection = {
  [Method in Name]: (
    ...given: Parameters<Collection<Place>[Method]>
  ) => Awaited<ReturnType<Collection<Place>[Method]>> | Promise<Awaited<ReturnType<Collection<Place>[Method]>>>
}

export interface Kind {
  make(options: CollectionOptions): Promise<AnyCollection>
  reopen(collection: AnyCollection): Promise<AnyCollection>
  close(): Promise<void>
  /** Tests that do not apply, with the reason. */
  readonly skip?: Readonly<Record<string, string>>
}

const documents: CollectionDocument<Place>[] = [
  {
    id: 'ferry',
    text: 'The ferry to Tallinn leaves at noon',
    vector: [1, 0, 0],
    metadata: { year: 2024, lang: 'en', tags: ['sea', 'travel'] },
  },
  {
    id: 'ice',
    text: 'Ice on the Baltic Sea',
    fields: { title: 'Winter navigation' },
    vector: [0.8, 0.6, 0],
    metadata: { year: 1987, lang: 'en', tags: ['sea'] },
  },
  { id: 3, text: 'Talvi Helsingissä', vector: [0, 1, 0], metadata: { year: 2001, lang: 'fi', tags: [] } },
  { id: 'bare' },
]
const ids = (found: readonly { readonly id: string | number }[]) => found.map(({ id }) => id)

export function describeCollection(name: string, { make, reopen, close, skip = {} }: Kind): void {
  describe(`${name}, as every collection`, () => {
    let collection: AnyCollection
    beforeEach(async () => {
      collection = await make({ boosts: { title: 2 } })
      await collection.upsertMany(documents)
    })
    afterAll(close)

    it('starts empty', async () => {
      const empty = await make({})
      expect([await empty.count(), await empty.list(), await empty.search({ text: 'sea' })]).toEqual([0, [], []])
      expect(await empty.search({ vector: [1, 2] })).toEqual([])
    })

    it('gives documents back as they were given, vectors of length 1 under cosine', async () => {
      expect(await collection.get('ferry')).toEqual({ ...documents[0], vector: Float32Array.of(1, 0, 0) })
      expect(await collection.get('bare')).toEqual({ id: 'bare' })
      expect([await collection.get('3'), await collection.has('3'), await collection.has(3)]).toEqual([
        undefined,
        false,
        true,
      ])
      expect(ids(await collection.list())).toEqual(['ferry', 'ice', 3, 'bare'])
      expect(ids(await collection.list({ offset: 1, limit: 2 }))).toEqual(['ice', 3])
    })

    it('finds by words, and says which', async () => {
      const [first, ...others] = await collection.search({ text: 'the winter sea' })
      expect(first).toMatchObject({ id: 'ice', document: { text: 'Ice on the Baltic Sea' } })
      const words = first?.because?.words?.map(({ word, field }) => `${field}: ${word}`).sort()
      expect(words).toEqual(['text: sea', 'text: the', 'title: winter'])
      expect(ids(others)).toEqual(['ferry'])
      expect(first?.distance).toBeUndefined()
    })

    it('looks only in the fields that are named, and weighs them', async () => {
      expect(ids(await collection.search({ text: 'winter', fields: ['text'] }))).toEqual([])
      const [once] = await collection.search({ text: 'winter', fields: { title: 1 } })
      const [twice] = await collection.search({ text: 'winter' })
      expect(twice?.score).toBeCloseTo(2 * (once?.score ?? 0), 5)
    })

    it('finds by vectors, nearest first', async () => {
      const found = await collection.search({ vector: [2, 0, 0], k: 2 })
      expect(ids(found)).toEqual(['ferry', 'ice'])
      expect(found[0]).toMatchObject({ score: 1, distance: 0 })
      expect(found[1]?.distance).toBeCloseTo(0.2, 5)
      expect(ids(await collection.search({ vector: [2, 0, 0], k: 2, offset: 1 }))).toEqual(['ice', 3])
    })

    it('finds by both: what one of them alone finds, and first what both do', async () => {
      const found = await collection.search({ text: 'ferry', vector: [0.7, 0.7, 0], k: 10 })
      expect(new Set(ids(found))).toEqual(new Set(['ferry', 'ice', 3]))
      expect(found[0]).toMatchObject({ id: 'ferry', because: { textRank: 1 } })
      const weighted = await collection.search({
        text: 'ferry',
        vector: [0, 1, 0],
        weights: { text: 0 },
        fusion: 'scores',
      })
      expect(ids(weighted)[0]).toBe(3)
    })

    it('finds what is like a stored document, and not that one', async () => {
      expect(ids(await collection.search({ like: 'ferry', k: 5 }))).toEqual(['ice', 3])
      await expect(collection.search({ like: 'nobody' })).rejects.toMatchObject({ code: 'UNKNOWN_NAME' })
      await expect(collection.search({ like: 'bare' })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    })

    it('filters by metadata', async () => {
      expect(await collection.count({ year: { gte: 2001 } })).toBe(2)
      expect(ids(await collection.list({ filter: { tags: { in: ['travel', 'food'] } } }))).toEqual(['ferry'])
      expect(ids(await collection.list({ filter: { lang: { notIn: ['en'] } } }))).toEqual([3, 'bare'])
      expect(ids(await collection.search({ text: 'the', filter: { lang: 'en', year: { lt: 2000 } } }))).toEqual(['ice'])
      expect(ids(await collection.search({ vector: [1, 0, 0], filter: { lang: 'fi' } }))).toEqual([3])
      expect(ids(await collection.search({ vector: [1, 0, 0], filter: ({ id }) => id !== 'ferry' }))).toEqual([
        'ice',
        3,
      ])
    })

    it('replaces a document as a whole', async () => {
      await collection.upsert({ id: 'ferry', text: 'Gone', metadata: { year: 2025, lang: 'en', tags: [] } })
      expect(await collection.search({ text: 'tallinn' })).toEqual([])
      expect(ids(await collection.search({ vector: [1, 0, 0] }))).toEqual(['ice', 3])
      expect(await collection.count({ year: 2024 })).toBe(0)
      expect(await collection.count()).toBe(4)
    })

    it('forgets a document that is removed, once', async () => {
      expect([await collection.remove('ice'), await collection.remove('ice')]).toEqual([true, false])
      expect(await collection.search({ text: 'baltic' })).toEqual([])
      expect(ids(await collection.search({ vector: [0.8, 0.6, 0] }))).toEqual(['ferry', 3])
      expect(await collection.count()).toBe(3)
    })

    it('answers the same when it is opened again, and goes on', async () => {
      await collection.remove('bare')
      const query = { text: 'the winter sea', vector: [0.6, 0.8, 0], filter: { year: { gt: 1900 } } }
      const before = await collection.search(query)
      collection = await reopen(collection)
      expect(await collection.search(query)).toEqual(before)
      expect(ids(await collection.list())).toEqual(['ferry', 'ice', 3])
      await collection.upsert({ id: 'new', text: 'a winter ferry', vector: [0, 0, 1] })
      expect(ids(await collection.search({ text: 'ferry winter' }))[0]).toBe('new')
      expect(ids(await collection.search({ vector: [0, 0, 2], k: 1 }))).toEqual(['new'])
    })

    it('refuses a document it cannot store, and changes nothing', async () => {
      const before = JSON.stringify([
        await collection.list(),
        await collection.search({ text: 'sea the', vector: [1, 1, 1] }),
      ])
      for (const wrong of [
        { id: 'ferry', text: 'x', vector: [1, 2] },
        { id: 'ferry', text: 'x', vector: [0, 0, 0] },
        { id: 'ferry', text: 'x', vector: [Number.NaN, 0, 0] },
        { id: 'ferry', text: 7 },
        { id: 'ferry', titel: 'x' },
        { id: 'ferry', metadata: { at: new Date(0) } },
        { text: 'no id' },
      ]) {
        await expect(collection.upsert(wrong as never)).rejects.toMatchObject({ name: 'EngineError' })
      }
      expect(
        JSON.stringify([await collection.list(), await collection.search({ text: 'sea the', vector: [1, 1, 1] })]),
      ).toBe(before)
    })

    const iterables = 'stores what comes from any iterable, and keeps what came before a fault'
    if (skip[iterables] === undefined)
      it(iterables, async () => {
        const empty = await make({})
        async function* source() {
          yield { id: 1, text: 'one' }
          yield { id: 2, text: 'two' }
          yield { id: 3, text: 4 as unknown as string }
        }
        await expect(empty.upsertMany(source())).rejects.toThrow('the text of document 3 is 4')
        expect(await empty.count()).toBe(2)
        const stopped = new AbortController()
        stopped.abort()
        await expect(empty.upsertMany([{ id: 5 }], { signal: stopped.signal })).rejects.toMatchObject({
          code: 'ABORTED',
        })
        expect(await empty.upsertMany(new Set([{ id: 5 }, { id: 6 }]))).toBe(2)
      })
  })
}
