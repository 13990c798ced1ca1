// What typos and prefixes cost: the queries as they are, with two letters of every word swapped, and with the last word cut as someone who
// types has it.

import { Random } from '@vicinal/core'
import { Collection } from '@vicinal/core/collection'
import { keepResult, percentile, short } from '../measure.ts'
import { topK } from './contestants.ts'
import type { Titles } from './titles.ts'

export async function timeForgiving({ stored, queries }: Titles): Promise<void> {
  const collection = Collection.create()
  await collection.upsertMany(stored.map((text, id) => ({ id, text })))
  const random = new Random(3)
  const misspelled = queries.map(query => query.replace(/\p{L}{4,}/gu, word => swapped(word, random)))
  const cut = (letters: number) =>
    queries.map(query => query.replace(/(\p{L}+)\P{L}*$/u, word => word.slice(0, letters)))
  const ways = [
    { what: 'as written', texts: queries, how: {} },
    { what: 'typos in every word', texts: misspelled, how: { typos: true } },
    { what: 'last word cut to 3 letters', texts: cut(3), how: { prefix: 'last' as const } },
    { what: 'last word cut to 1 letter', texts: cut(1), how: { prefix: 'last' as const } },
    { what: 'typos, and every word a prefix', texts: misspelled, how: { typos: true, prefix: true } },
  ]
  const results = []
  for (const { what, texts, how } of ways) {
    const millis: number[] = []
    for (const round of [0, 1, 2]) {
      for (const text of texts) {
        const begin = performance.now()
        await collection.search({ text, k: topK, ...how })
        if (round > 0) millis.push(performance.now() - begin)
      }
    }
    const mean = millis.reduce((sum, time) => sum + time, 0) / millis.length
    results.push({ what, meanMillis: short(mean), p95Millis: short(percentile(millis, 0.95)) })
  }
  const words = collection.stats().fields.text?.words
  console.table(results)
  keepResult('collection-forgiving', { titles: stored.length, words, queries: queries.length, k: topK, results })
}

function swapped(word: string, random: Random): string {
  const at = 1 + random.below(word.length - 2)
  return word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2)
}
