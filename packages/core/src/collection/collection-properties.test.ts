import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Collection } from './collection.ts'
import { type Book, type BookData, OracleCollection } from './collection-oracle.cases.ts'
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
  const both = await collection.search({ text, vector, filter, k })
  expect(new Set(both.map(({ id }) => id)).size).toBe(both.length)
  const found = new Set(
    [...oracle.searchText(text, 1000, isPassing), ...oracle.searchVector(vector, 1000, isPassing)].map(({ id }) => id),
  )
  expect(both).toHaveLength(Math.min(k, found.size))
  for (const { document } of both) expect(isPassing(document as Book)).toBe(true)
}

describe('a collection', () => {
  it('answers as a plain array does, through any upserts, removes and reloads', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 60 }), follow), { numRuns: 200 })
  })
})
