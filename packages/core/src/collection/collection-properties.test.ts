import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Collection } from './collection.ts'
import { type Book, type BookData, OracleCollection, type OracleHit, textsOf } from './collection-oracle.cases.ts'
import type { MetadataConditions } from './filters/metadata-filter.ts'

const words = ['sea', 'ship', 'baltic', 'history', 'of', 'the', 'ice', 'winter', 'harbor', 'trade']
const text = fc.array(fc.constantFrom(...words), { maxLength: 8 }).map(list => list.join(' '))
const id = fc.oneof(fc.nat({ max: 12 }), fc.nat({ max: 12 }).map(String))
// Whole numbers: sums of squares are exact, so that ties are ties.
const vector = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 3, maxLength: 3 })
const metadata: fc.Arbitrary<BookData> = fc.record(
  {
    year: fc.integer({ min: 1990, max: 1995 }),
    lang: fc.constantFrom('fi', 'en', 'et'),
    tags: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
  },
  { requiredKeys: [] },
)
const book: fc.Arbitrary<Book> = fc.record(
  { id, text, fields: fc.record({ title: text }), vector, metadata },
  { requiredKeys: ['id'] },
)
const bound = fc.integer({ min: 1989, max: 1996 })
const filter: fc.Arbitrary<MetadataConditions<BookData>> = fc.record(
  {
    year: fc.oneof(
      bound,
      fc.record({ gte: bound, gt: bound, lt: bound, lte: bound }, { requiredKeys: [] }),
      fc.record({ exists: fc.boolean() }),
    ),
    lang: fc.oneof(
      fc.constantFrom('fi', 'en'),
      fc.record({ notIn: fc.constant(['fi', 'xx']) }),
      fc.record({ gte: fc.constant('et') }),
    ),
    tags: fc.oneof(fc.constantFrom('a', 'z'), fc.record({ in: fc.constant(['a', 'b']) })),
  },
  { requiredKeys: [] },
)
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ what: fc.constant('upsert' as const), book }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('remove' as const), id }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('compact' as const) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('reload' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('search' as const),
      text,
      vector,
      filter,
      k: fc.integer({ min: 1, max: 8 }),
      offset: fc.nat({ max: 5 }),
      fusion: fc.constantFrom('ranks' as const, 'scores' as const),
      weights: fc.record({ text: fc.constantFrom(0.5, 1, 2), vector: fc.constantFrom(0.5, 1, 2) }),
      like: id,
    }),
  },
)

/** Each condition spelled out, one after the other. */
function passes(book: Book, filter: MetadataConditions<BookData>): boolean {
  const { year, lang, tags = [] } = book.metadata ?? {}
  return (
    passesOne(year === undefined ? [] : [year], filter.year) &&
    passesOne(lang === undefined ? [] : [lang], filter.lang) &&
    passesOne(tags, filter.tags)
  )
}

function passesOne(values: readonly (string | number)[], wanted: unknown): boolean {
  if (wanted === undefined) return true
  if (typeof wanted !== 'object' || wanted === null) return values.includes(wanted as string)
  const { in: among, notIn, exists, ...bounds } = wanted as Record<string, unknown>
  // Of the same type as the values, whichever that is.
  const { gt, gte, lt, lte } = bounds as Record<string, never>
  if (exists !== undefined) return exists === values.length > 0
  if (notIn !== undefined) return !values.some(value => (notIn as unknown[]).includes(value))
  const isFree = [among, gt, gte, lt, lte].every(part => part === undefined)
  return (
    isFree ||
    values.some(
      value =>
        (among === undefined || (among as unknown[]).includes(value)) &&
        (gt === undefined || (value as number) > (gt as number)) &&
        (gte === undefined || (value as number) >= (gte as number)) &&
        (lt === undefined || (value as number) < (lt as number)) &&
        (lte === undefined || (value as number) <= (lte as number)),
    )
  )
}

const boosts = { title: 2 }

async function follow(steps: readonly (typeof step extends fc.Arbitrary<infer One> ? One : never)[]): Promise<void> {
  let collection = Collection.create<BookData>({ metric: 'euclidean', boosts })
  const oracle = new OracleCollection()
  for (const one of steps) {
    if (one.what === 'upsert') {
      await collection.upsert(one.book)
      oracle.upsert(one.book)
    } else if (one.what === 'remove') {
      expect(collection.remove(one.id)).toBe(oracle.remove(one.id))
    } else if (one.what === 'compact') {
      await collection.optimize()
    } else if (one.what === 'reload') {
      const bytes = collection.toBytes()
      collection.free()
      collection = await Collection.fromBytes<BookData>(bytes)
    } else await compareSearch(collection, oracle, one)
    expect(collection.count()).toBe(oracle.books.length)
  }
  expect(collection.list().map(document => document.id)).toEqual(oracle.books.map(({ id }) => id))
  for (const { id, text, fields, metadata } of oracle.books) {
    const { vector: _, ...stored } = collection.get(id) ?? {}
    expect(stored).toEqual({
      id,
      ...(text !== undefined && { text }),
      ...(fields && { fields }),
      ...(metadata && { metadata }),
    })
  }
  collection.free()
}

interface Searched {
  readonly text: string
  readonly vector: number[]
  readonly filter: MetadataConditions<BookData>
  readonly k: number
  readonly offset: number
  readonly fusion: 'ranks' | 'scores'
  readonly weights: { readonly text: number; readonly vector: number }
  readonly like: string | number
}

async function compareSearch(
  collection: Collection<BookData>,
  oracle: OracleCollection,
  asked: Searched,
): Promise<void> {
  const { text, vector, filter, k } = asked
  const isPassing = (book: Book) => passes(book, filter)
  expect(collection.count(filter)).toBe(oracle.books.filter(isPassing).length)
  expect(collection.list({ filter }).map(({ id }) => id)).toEqual(oracle.books.filter(isPassing).map(({ id }) => id))
  const idsAndScores = (hits: readonly { id: string | number; score: number }[]) =>
    hits.map(({ id, score }) => [id, score])
  const byWords = oracle.searchText(text, k, isPassing, boosts)
  expect(idsAndScores(await collection.search({ text, filter, k }))).toEqual(idsAndScores(byWords))
  const byFunction = await collection.search({ text, filter: document => isPassing(document as Book), k })
  expect(idsAndScores(byFunction)).toEqual(idsAndScores(byWords))
  const nearest = await collection.search({ vector, filter, k })
  expect(nearest.map(({ id }) => id)).toEqual(oracle.searchVector(vector, k, isPassing).map(({ id }) => id))
  await comparePages(collection, oracle, asked)
  await compareFused(collection, oracle, asked)
  await compareLike(collection, oracle, asked)
}

/** Pages put together are one long answer. */
async function comparePages(collection: Collection<BookData>, oracle: OracleCollection, asked: Searched) {
  const { text, filter, k, offset } = asked
  const best = oracle.searchText(text, offset + k, book => passes(book, filter), boosts).slice(offset)
  const found = await collection.search({ text, filter, k, offset })
  expect(found.map(({ id, score }) => [id, score])).toEqual(best.map(({ id, score }) => [id, score]))
}

/** By the definition of both fusions: all documents are few enough to be in both rankings. */
async function compareFused(collection: Collection<BookData>, oracle: OracleCollection, asked: Searched) {
  const { text, vector, filter, k, offset, fusion, weights } = asked
  const isPassing = (book: Book) => passes(book, filter)
  const byWords = oracle.searchText(text, 1000, isPassing, boosts)
  const byVector = oracle
    .searchVector(vector, 1000, isPassing)
    .map(({ id, score }) => ({ id, score: 1 / (1 + Math.fround(Math.sqrt(-score))) }))
  const expected = fuseAs(oracle, fusion, [
    [weights.text, byWords],
    [weights.vector, byVector],
  ])
  const found = await collection.search({ text, vector, filter, k, offset, fusion, weights })
  expect(found.map(({ id }) => id)).toEqual(expected.slice(offset, offset + k).map(({ id }) => id))
  found.forEach(({ score }, i) => {
    expect(score).toBeCloseTo(expected[offset + i]?.score ?? Number.NaN, 9)
  })
}

function fuseAs(
  oracle: OracleCollection,
  fusion: 'ranks' | 'scores',
  rankings: readonly (readonly [number, readonly OracleHit[]])[],
) {
  const found = [...new Set(rankings.flatMap(([, hits]) => hits.map(({ id }) => id)))]
  const fused = oracle.books.map(({ id }) => {
    let score = 0
    let best = Number.POSITIVE_INFINITY
    for (const [part, [weight, hits]] of rankings.entries()) {
      const place = hits.findIndex(hit => hit.id === id)
      if (place < 0) continue
      best = Math.min(best, place)
      const floor = part === 0 ? 0 : (hits.at(-1)?.score ?? 0)
      const heights = found.map(one => (hits.find(hit => hit.id === one)?.score ?? floor) - floor)
      const mean = heights.reduce((sum, height) => sum + height, 0) / heights.length
      const spread = Math.sqrt(heights.reduce((sum, height) => sum + (height - mean) ** 2, 0) / heights.length)
      const isFlat = heights.every(height => height === heights[0])
      score +=
        weight * (fusion === 'ranks' ? 1 / (61 + place) : isFlat ? 1 : ((hits[place]?.score ?? 0) - floor) / spread)
    }
    return { id, score, best }
  })
  return fused.filter(({ best }) => best < 1000).sort((a, b) => b.score - a.score || a.best - b.best)
}

/** Like a document: never itself, all of them pass, and each shares a word, or both have vectors. */
async function compareLike(collection: Collection<BookData>, oracle: OracleCollection, asked: Searched) {
  const { filter, k, like } = asked
  const book = oracle.get(like)
  if (!book || (Object.keys(textsOf(book)).length === 0 && !book.vector)) {
    await expect(collection.search({ like, filter, k })).rejects.toMatchObject({ name: 'EngineError' })
    return
  }
  const others = oracle.books.filter(other => other.id !== like && passes(other, filter))
  const isLike = (other: Book) => (book.vector && other.vector) || sharesWord(book, other)
  const found = await collection.search({ like, filter, k })
  const ids = new Set(found.map(({ id }) => id))
  expect(ids.size).toBe(found.length)
  expect(found).toHaveLength(Math.min(k, others.filter(isLike).length))
  for (const { id } of found) expect(others.some(other => other.id === id && isLike(other))).toBe(true)
}

/** In the same field: those are what is compared. */
function sharesWord(a: Book, b: Book): boolean {
  return Object.entries(textsOf(a)).some(([field, own]) => {
    const others = new Set((textsOf(b)[field] ?? '').split(' ').filter(word => word !== ''))
    return own.split(' ').some(word => others.has(word))
  })
}

describe('a collection', () => {
  it('answers as a plain array does, through any upserts, removes and reloads', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 60 }), follow), { numRuns: 200 })
  })
})
