import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Document } from '@langchain/core/documents'
import { Embeddings } from '@langchain/core/embeddings'
import { MemoryTree } from '@vicinal/core/memory'
import { describe, expect, it } from 'vitest'
import { MemoryRetriever, VicinalVectorStore } from './index.ts'

/** Counts letters: texts with the same letters are near. Real, small, and the same everywhere. */
class LetterEmbeddings extends Embeddings {
  constructor() {
    super({})
  }

  override async embedQuery(text: string): Promise<number[]> {
    const counts = Array.from({ length: 26 }, () => 0)
    for (const letter of text.toLowerCase()) {
      const place = letter.charCodeAt(0) - 97
      if (counts[place] !== undefined) counts[place]++
    }
    return counts
  }

  override embedDocuments(texts: string[]): Promise<number[][]> {
    return Promise.all(texts.map(text => this.embedQuery(text)))
  }
}

const documents = [
  new Document({ id: '1', pageContent: 'ferry to Tallinn', metadata: { year: 2026 } }),
  new Document({ id: '2', pageContent: 'night train', metadata: { year: 2019 } }),
  new Document({ id: '3', pageContent: 'ferries of Tallinn', metadata: { year: 2019 } }),
]
const stored = () => VicinalVectorStore.fromDocuments(documents, new LetterEmbeddings())

describe('VicinalVectorStore', () => {
  it('finds the nearest documents, best first, with scores that fall', async () => {
    const found = await (await stored()).similaritySearchWithScore('ferry to tallinn', 3)
    expect(found.map(([{ id }]) => id)).toEqual(['1', '3', '2'])
    expect(found[0]?.[1]).toBeCloseTo(1)
    expect(found[0]?.[0]).toMatchObject({ pageContent: 'ferry to Tallinn', metadata: { year: 2026 } })
    const scores = found.map(([, score]) => score)
    expect([...scores].sort((a, b) => b - a)).toEqual(scores)
  })

  it('is empty before anything is added', async () => {
    expect(await new VicinalVectorStore(new LetterEmbeddings()).similaritySearch('ferry')).toEqual([])
  })

  it('fills k behind a filter on metadata', async () => {
    const found = await (await stored()).similaritySearch('ferry to tallinn', 2, { year: { lt: 2020 } })
    expect(found.map(({ id }) => id)).toEqual(['3', '2'])
  })

  it('replaces documents with the same id, and gives ids to those without', async () => {
    const store = await stored()
    const ids = await store.addDocuments([
      new Document({ id: '2', pageContent: 'day train', metadata: {} }),
      new Document({ pageContent: 'bus', metadata: {} }),
    ])
    expect(ids[0]).toBe('2')
    expect(store.collection.count()).toBe(4)
    expect((await store.similaritySearch('day train', 1))[0]?.pageContent).toBe('day train')
  })

  it('deletes by ids and by a filter', async () => {
    const store = await stored()
    await store.delete({ ids: ['1'] })
    await store.delete({ filter: { year: 2019 } })
    expect(store.collection.count()).toBe(0)
    await expect(store.delete()).rejects.toThrow('needs ids or a filter')
  })

  it('answers the same after save and load', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vicinal-langchain-'))
    const store = await stored()
    await store.save(folder)
    await store.save(folder) // again, over the first
    const loaded = await VicinalVectorStore.load(folder, new LetterEmbeddings())
    const query = 'ferries'
    expect(await loaded.similaritySearchWithScore(query, 3)).toEqual(await store.similaritySearchWithScore(query, 3))
    await rm(folder, { recursive: true })
  })

  it('works as a retriever, and by words too', async () => {
    const store = await stored()
    expect((await store.asRetriever({ k: 1, filter: { year: 2026 } }).invoke('train'))[0]?.id).toBe('1')
    expect((await store.hybridSearch('train', 1))[0]?.id).toBe('2')
  })

  it('returns documents that differ from each other, if asked to', async () => {
    const texts = ['aab', 'aab', 'aaab', 'abbb']
    const store = await VicinalVectorStore.fromTexts(texts, [], new LetterEmbeddings())
    const nearest = await store.similaritySearch('aab', 2)
    expect(nearest.map(({ pageContent }) => pageContent)).toEqual(['aab', 'aab'])
    const varied = await store.maxMarginalRelevanceSearch('aab', { k: 2, lambda: 0.2 })
    expect(varied.map(({ pageContent }) => pageContent)).toEqual(['aab', 'abbb'])
    const retriever = store.asRetriever({ searchType: 'mmr', k: 2, searchKwargs: { lambda: 0.2 } })
    expect((await retriever.invoke('aab')).map(({ pageContent }) => pageContent)).toEqual(['aab', 'abbb'])
    const near = await store.maxMarginalRelevanceSearch('aab', { k: 2, lambda: 1 })
    expect(near.map(({ pageContent }) => pageContent)).toEqual(['aab', 'aab'])
    const empty = new VicinalVectorStore(new LetterEmbeddings())
    expect(await empty.maxMarginalRelevanceSearch('aab', { k: 2 })).toEqual([])
  })

  it('is empty again after all were deleted, and takes no harm from ids it does not know', async () => {
    const store = await stored()
    await store.delete({ ids: ['1', '2', '3'] })
    expect(await store.similaritySearch('ferry', 1)).toEqual([])
    await store.delete({ ids: ['1', 'never there'] })
    expect(store.collection.count()).toBe(0)
  })

  it('adding the same documents twice changes nothing, and leaves them as they were', async () => {
    const store = await stored()
    const given = documents.map(document => structuredClone({ ...document }))
    await store.addDocuments(documents)
    expect(store.collection.count()).toBe(3)
    expect(documents.map(document => ({ ...document }))).toEqual(given)
    const ids = await store.addDocuments([new Document({ pageContent: 'bus', metadata: {} })], { ids: ['7'] })
    expect(ids).toEqual(['7'])
    expect((await store.similaritySearch('bus', 1))[0]?.id).toBe('7')
  })

  it('takes one metadata for all texts, and a filter that nothing passes', async () => {
    const store = await VicinalVectorStore.fromTexts(['ferry', 'train'], { source: 'log' }, new LetterEmbeddings())
    expect((await store.similaritySearch('train', 2)).map(({ metadata }) => metadata.source)).toEqual(['log', 'log'])
    expect(await store.similaritySearch('train', 2, { source: 'other' })).toEqual([])
  })

  it('says which numbers disagree', async () => {
    const store = await stored()
    await expect(store.addVectors([[1]], [])).rejects.toThrow('0 documents, but 1 vectors')
  })
})

describe('MemoryRetriever', () => {
  it('retrieves memories and learns from rewards', async () => {
    const memory = MemoryTree.create()
    memory.insert('the deploy failed, disk full', 'clear the cache', { id: 'disk' })
    memory.insert('the deploy failed, test red', 'run the tests', { id: 'test' })
    const retriever = new MemoryRetriever({ memory, k: 2 })
    const [first] = await retriever.invoke('why did the deploy fail? disk')
    expect(first).toMatchObject({
      id: 'disk',
      pageContent: 'the deploy failed, disk full',
      metadata: { value: 'clear the cache' },
    })
    const before = first?.metadata.score
    for (let i = 0; i < 10; i++) await retriever.reward(first as Document, 1)
    const [again] = await retriever.invoke('why did the deploy fail? disk')
    expect(again?.metadata.score).toBeGreaterThan(before)
    await expect(retriever.reward(new Document({ pageContent: 'x' }), 1)).rejects.toThrow(
      'a document that this retriever returned',
    )
  })
})

describe('a misspelled option', () => {
  const embeddings = new LetterEmbeddings()
  const memory = MemoryTree.create()
  const calls: Record<string, (options: object) => unknown> = {
    'new VicinalVectorStore': options => new VicinalVectorStore(embeddings, options),
    'new VicinalVectorStore, of a collection': async options =>
      new VicinalVectorStore(embeddings, { collection: (await stored()).collection, ...options }),
    fromTexts: options => VicinalVectorStore.fromTexts(['a'], {}, embeddings, options),
    addDocuments: async options => (await stored()).addDocuments(documents, options),
    addVectors: async options => (await stored()).addVectors([[1]], documents.slice(1), options),
    delete: async options => (await stored()).delete({ ids: [], ...options }),
    maxMarginalRelevanceSearch: async options => (await stored()).maxMarginalRelevanceSearch('a', { k: 1, ...options }),
    'new MemoryRetriever': options => new MemoryRetriever({ memory, ...options }),
  }

  it.each(Object.entries(calls))('is refused by %s', async (_, call) => {
    await expect((async () => call({ zebra: 1 }))()).rejects.toThrow('unknown option "zebra"')
  })

  it('is refused beside a collection that has its options already', async () => {
    const { collection } = await stored()
    expect(() => new VicinalVectorStore(embeddings, { collection, metric: 'dot' })).toThrow('unknown option "metric"')
  })
})
