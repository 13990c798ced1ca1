// What the bounds are worth: the same posting lists, searched with bounds (MaxScore with block bounds) and term at a time, where every
// posting of every word is added up. Both answer alike, which is checked. Times are of the search of the lists alone.

import { Engine } from '@vicinal/core'
import { TextIndex } from '@vicinal/core/internals'
import { keepResult, percentile, short } from '../measure.ts'
import { topK } from './contestants.ts'
import type { Titles } from './titles.ts'

const settings = { k1: 1.2, b: 0.75, stemmer: 'none', stopWords: [], minLength: 1 }
const rounds = 5

export function compareAlgorithms({ stored, queries }: Titles): void {
  const index = new TextIndex(new Engine(), settings)
  for (const [row, text] of stored.entries()) index.add(row, index.prepare(row, { text }))
  const ask = (text: string, exhaustive: boolean) => {
    const lists = index.listsFor(text, { prefix: false, typos: false, boosts: { text: 1 } })
    const begin = performance.now()
    const { rows, scores } = index.search(lists, topK, { exhaustive })
    return { millis: performance.now() - begin, answer: `${[...rows]} ${[...scores]}` }
  }
  const millis = { bounds: [] as number[], termAtATime: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    for (const query of queries) {
      const [bounded, full] = [ask(query, false), ask(query, true)]
      if (bounded.answer !== full.answer) throw new Error(`the answers to "${query}" differ`)
      // The first round warms up.
      if (round === 0) continue
      millis.bounds.push(bounded.millis)
      millis.termAtATime.push(full.millis)
    }
  }
  const results = Object.entries(millis).map(([name, times]) => ({
    name,
    meanMillis: short(times.reduce((sum, time) => sum + time, 0) / times.length),
    medianMillis: short(percentile(times, 0.5)),
    p95Millis: short(percentile(times, 0.95)),
  }))
  console.table(results)
  keepResult('collection-algorithms', { titles: stored.length, queries: queries.length, k: topK, results })
}
