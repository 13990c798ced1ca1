// What words, vectors and both find: 50,000 library titles with sentence vectors (titles-use512, made with @energetic-ai/embeddings), asked
// with 1,000 other titles. A stored title is relevant if it shares a subject with the query, the more subjects the more; nDCG@10. Once for
// all queries, and once for queries that share a subject but few words with what they look for. And a third time with three or four words
// of a stored title, where that title alone is relevant.

import type { JsonObject } from '@vicinal/core'
import { Collection, type CollectionQuery } from '@vicinal/core/collection'
import { embed } from '../../test/sentence-embedder.mjs'
import { keepResult, short } from '../measure.ts'
import { readVectorTitles, type VectorTitle } from './vector-titles.ts'

const k = 10

interface Title extends VectorTitle {
  readonly words: ReadonlySet<string>
}

async function readTitles(data: string, name: string): Promise<Title[]> {
  const titles = await readVectorTitles(data, name)
  return titles.map(title => ({ ...title, words: new Set(title.text.toLowerCase().match(/\p{L}{2,}/gu)) }))
}

const shared = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].filter(one => b.has(one)).length

/** Queries with at least this many relevant titles, and the words that more of the titles have, which say nothing. */
const fewestRelevant = 5
const commonShare = 0.01
/** Of these, titles with fewer than six words are left out. */
const exactQueries = 1200

export async function compareHybrid(data: string): Promise<void> {
  const [stored, asked] = [await readTitles(data, 'train'), await readTitles(data, 'test')]
  const collection = Collection.create({ forestFrom: false })
  await collection.upsertMany(stored.map(({ text, vector }, id) => ({ id, text, vector })))
  const common = commonWords(stored)
  const ways: Record<string, (title: Title) => CollectionQuery<JsonObject>> = {
    'words alone': ({ text }) => ({ text }),
    'vectors alone': ({ vector }) => ({ vector }),
    'both, by ranks': ({ text, vector }) => ({ text, vector, fusion: 'ranks' }),
    'both, by scores': ({ text, vector }) => ({ text, vector }),
  }
  const all = Object.keys(ways).map(() => [] as number[])
  const few = Object.keys(ways).map(() => [] as number[])
  for (const query of asked) {
    const gains = stored.map(({ subjects }) => shared(query.subjects, subjects))
    const relevant = stored.filter((_, i) => (gains[i] ?? 0) > 0)
    if (relevant.length < fewestRelevant) continue
    const telling = new Set([...query.words].filter(word => !common.has(word)))
    const hasFewWords = relevant.filter(({ words }) => shared(telling, words) > 0).length <= 0.1 * relevant.length
    for (const [i, way] of Object.values(ways).entries()) {
      const hits = await collection.search({ ...way(query), k })
      const value = ndcg(
        hits.map(({ id }) => gains[Number(id)] ?? 0),
        gains,
      )
      all[i]?.push(value)
      if (hasFewWords) few[i]?.push(value)
    }
  }
  const exact = Object.keys(ways).map(() => [] as number[])
  for (const { sought, ...query } of await exactWords(stored)) {
    for (const [i, way] of Object.values(ways).entries()) {
      const place = (
        await collection.search({ ...way({ ...query, words: new Set(), subjects: new Set() }), k })
      ).findIndex(({ id }) => id === sought)
      exact[i]?.push(place < 0 ? 0 : 1 / Math.log2(place + 2))
    }
  }
  const results = Object.keys(ways).map((what, i) => ({
    ...{ what, ndcg: short(mean(all[i] ?? [])), ndcgFewWords: short(mean(few[i] ?? [])) },
    ndcgExactWords: short(mean(exact[i] ?? [])),
  }))
  console.table(results)
  const counts = { titles: stored.length, queries: all[0]?.length, queriesWithFewWords: few[0]?.length }
  const exactCount = { queriesWithExactWords: exact[0]?.length }
  keepResult('collection-hybrid', { ...counts, ...exactCount, k, results })
}

/** Words of stored titles, evenly spread, as queries: the middle of each title. */
async function exactWords(stored: readonly Title[]) {
  const step = Math.floor(stored.length / exactQueries)
  const sought = [...stored.keys()].filter(i => i % step === 0 && (stored[i]?.text.split(/\s+/).length ?? 0) >= 6)
  const texts = sought.map((row, i) => {
    const words = stored[row]?.text.split(/\s+/) ?? []
    const from = Math.floor(words.length / 2) - 2
    return words.slice(from, from + 3 + (i % 2)).join(' ')
  })
  const vectors: number[][] = []
  for (let i = 0; i < texts.length; i += 32) vectors.push(...(await embed(texts.slice(i, i + 32))))
  return sought.map((row, i) => ({ sought: row, text: texts[i] ?? '', vector: Float32Array.from(vectors[i] ?? []) }))
}

function commonWords(titles: readonly Title[]): Set<string> {
  const counts = new Map<string, number>()
  for (const { words } of titles) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return new Set([...counts].filter(([, count]) => count > commonShare * titles.length).map(([word]) => word))
}

function ndcg(found: readonly number[], gains: readonly number[]): number {
  const best = Float64Array.from(gains).sort().reverse().slice(0, k)
  const sum = (list: Iterable<number>) => [...list].reduce((total, gain, i) => total + gain / Math.log2(i + 2), 0)
  return sum(found) / sum(best)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
