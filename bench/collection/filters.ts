// What filters on metadata cost in a collection: 20,000 titles with sentence vectors, and filters that let 0.1, 5 and 50 % of them pass, for
// words, vectors and both. The same collection without a forest says what is exact, and what comparing all that pass costs. LanceDB, if it is
// installed in bench/peers, has the same vectors in an HNSW index and the values in a B-tree. usearch has no filters in JavaScript.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Random } from '@vicinal/core'
import { Collection, type CollectionQuery } from '@vicinal/core/collection'
import { keepResult, percentile, short } from '../measure.ts'
import { loadPeer, peerVersion } from '../peers.ts'
import { readVectorTitles, type VectorTitle } from './vector-titles.ts'

const k = 10
const count = 20_000
/** Of 1,000 places, how many pass: 0.1, 5 and 50 %. */
const passing = [undefined, 1, 50, 500]
const rounds = 4

interface Data {
  readonly place: number
}
type Ask = (title: VectorTitle) => Promise<(string | number)[]>
interface Way {
  readonly by: string
  readonly what: string
  readonly places: number | undefined
  readonly ask: Ask
  readonly millis: number[]
  readonly found: (string | number)[][]
}

export async function timeFilters(data: string): Promise<void> {
  const [titles, asked] = [
    (await readVectorTitles(data, 'train')).slice(0, count),
    await readVectorTitles(data, 'test'),
  ]
  const random = new Random(21)
  const documents = titles.map(({ text, vector }, id) => ({
    id,
    text,
    vector,
    metadata: { place: random.below(1000) },
  }))
  const made = async (forestFrom: number | false) => {
    const collection = Collection.create<Data>({ forestFrom })
    await collection.upsertMany(documents)
    await collection.optimize()
    return collection
  }
  const [forest, exact] = [await made(10_000), await made(false)]
  const folder = mkdtempSync(join(tmpdir(), 'lancedb-'))
  const lance = peerVersion('@lancedb/lancedb') === undefined ? [] : await lanceWays(folder, documents)
  const ways = [...waysOf('collection', forest), ...waysOf('collection, exact', exact), ...lance]
  // Some queries at a time, so that each way finds in the caches what it left there.
  const [turn, warming] = [20, 3]
  for (let from = 0; from < rounds * turn; from += turn) {
    for (const { ask, millis, found } of ways) {
      for (const [i, title] of [...asked.slice(from, from + warming), ...asked.slice(from, from + turn)].entries()) {
        const begin = performance.now()
        const ids = await ask(title)
        if (i < warming) continue
        millis.push(performance.now() - begin)
        found.push(ids)
      }
    }
  }
  rmSync(folder, { recursive: true })
  const results = ways.map(({ by, what, places, millis, found }) => {
    const truth = ways.find(way => way.by === 'collection, exact' && way.what === what && way.places === places)
    const shares = found.map((ids, i) => {
      const best = new Set(truth?.found[i])
      return best.size === 0 ? 1 : ids.filter(id => best.has(id)).length / best.size
    })
    const share = places === undefined ? 1 : places / 1000
    return { by, what, share, millis: short(percentile(millis, 0.1)), recall: short(mean(shares)) }
  })
  console.table(results)
  const version = peerVersion('@lancedb/lancedb')
  keepResult('collection-filters', { documents: count, k, queries: rounds * turn, lancedb: version, results })
}

function waysOf(by: string, collection: Collection<Data>): Way[] {
  const questions: Record<string, (title: VectorTitle) => CollectionQuery<Data>> = {
    words: ({ text }) => ({ text }),
    vectors: ({ vector }) => ({ vector }),
    both: ({ text, vector }) => ({ text, vector }),
  }
  return Object.entries(questions).flatMap(([what, question]) =>
    passing.map(places => ({
      ...{ by, what, places, millis: [], found: [] },
      ask: async (title: VectorTitle) => {
        const filter = places === undefined ? {} : { filter: { place: { lt: places } } }
        return (await collection.search({ ...question(title), ...filter, k })).map(({ id }) => id)
      },
    })),
  )
}

interface LanceQuery {
  distanceType(name: string): LanceQuery
  where(condition: string): LanceQuery
  select(names: string[]): LanceQuery
  limit(k: number): LanceQuery
  toArray(): Promise<{ id: number }[]>
}
interface LanceModule {
  connect(folder: string): Promise<{
    createTable(
      name: string,
      rows: object[],
    ): Promise<{
      createIndex(name: string, options?: object): Promise<void>
      vectorSearch(vector: Float32Array): LanceQuery
    }>
  }>
  Index: { hnswSq(options: object): unknown }
}

async function lanceWays(
  folder: string,
  documents: readonly { id: number; vector: Float32Array; metadata: Data }[],
): Promise<Way[]> {
  const { connect, Index } = loadPeer<LanceModule>('@lancedb/lancedb')
  const rows = documents.map(({ id, vector, metadata }) => ({ id, vector: [...vector], ...metadata }))
  const table = await (await connect(folder)).createTable('titles', rows)
  await table.createIndex('vector', { config: Index.hnswSq({ distanceType: 'cosine' }) })
  await table.createIndex('place')
  return passing.map(places => ({
    ...{ by: 'LanceDB', what: 'vectors', places, millis: [], found: [] },
    ask: async ({ vector }) => {
      const query = table.vectorSearch(vector).distanceType('cosine')
      const filtered = places === undefined ? query : query.where(`place < ${places}`)
      return (await filtered.select(['id', '_distance']).limit(k).toArray()).map(({ id }) => Number(id))
    },
  }))
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
