// Searching titles by words: what each contestant does to build and to answer. Each returns the places of the best ten.

import { Collection } from '@vicinal/core/collection'
import { loadPeer } from '../peers.ts'

/** Ready to answer. */
export interface Searcher {
  search(text: string): number[] | Promise<number[]>
}

export type Build = (titles: readonly string[]) => Promise<Searcher>

export const topK = 10

async function vicinal(titles: readonly string[]): Promise<Searcher> {
  const collection = Collection.create()
  await collection.upsertMany(documents(titles))
  return {
    search: async text => (await collection.search({ text, k: topK })).map(({ id }) => Number(id)),
  }
}

interface MiniSearchIndex {
  addAll(documents: readonly object[]): void
  search(text: string): { id: number }[]
}

async function miniSearch(titles: readonly string[]): Promise<Searcher> {
  const loaded = loadPeer<{ default?: unknown }>('minisearch')
  const MiniSearch = (loaded.default ?? loaded) as new (options: object) => MiniSearchIndex
  const index = new MiniSearch({ fields: ['text'] })
  index.addAll([...documents(titles)])
  return {
    search: text =>
      index
        .search(text)
        .slice(0, topK)
        .map(({ id }) => id),
  }
}

interface OramaModule {
  create(options: object): unknown
  insertMultiple(index: unknown, documents: readonly object[], batch: number): Promise<unknown>
  search(index: unknown, query: object): Promise<{ hits: { id: string }[] }>
}

/** As it comes. `exact` would drop texts whose case or spacing differs from the query's: few hits are left, none of them faster. */
async function orama(titles: readonly string[]): Promise<Searcher> {
  const { create, insertMultiple, search } = loadPeer<OramaModule>('@orama/orama')
  const index = create({ schema: { text: 'string' } })
  await insertMultiple(
    index,
    titles.map((text, place) => ({ id: String(place), text })),
    1000,
  )
  return {
    search: async text => {
      const { hits } = await search(index, { term: text, properties: ['text'], limit: topK })
      return hits.map(({ id }) => Number(id))
    },
  }
}

function* documents(titles: readonly string[]): Generator<{ id: number; text: string }> {
  for (const [id, text] of titles.entries()) yield { id, text }
}

export const contestants: Readonly<Record<string, Build>> = { vicinal, minisearch: miniSearch, '@orama/orama': orama }
