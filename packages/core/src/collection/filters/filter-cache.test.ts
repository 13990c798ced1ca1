import { describe, expect, it } from 'vitest'
import { Random } from '../../random.ts'
import { Collection } from '../collection.ts'

interface Book {
  year: number
  title: string
  tags: string[]
  lang?: string
}
const languages = ['fi', 'sv', 'en', undefined]
const bookOf = (random: Random): Book => {
  const lang = languages[random.below(4)]
  const tags = Array.from({ length: random.below(3) }, () => `t${random.below(50)}`)
  return {
    ...{ year: 1900 + random.below(120), title: `t${random.below(1e6)}`, tags },
    ...(lang !== undefined && { lang }),
  }
}

/** More than are indexed at once. */
const many = 12_000
const filters: [string, Parameters<Collection<Book>['count']>[0], (book: Book) => boolean][] = [
  ['a value', { lang: 'fi' }, ({ lang }) => lang === 'fi'],
  ['a rare value', { tags: 't7' }, ({ tags }) => tags.includes('t7')],
  ['a range', { year: { gte: 1990, lt: 1995 } }, ({ year }) => year >= 1990 && year < 1995],
  ['a range of many values', { title: { gte: 't5' } }, ({ title }) => title >= 't5'],
  ['two conditions', { year: { gt: 2000 }, lang: 'sv' }, ({ year, lang }) => year > 2000 && lang === 'sv'],
  ['a condition on what is missing', { lang: { notIn: ['fi'] } }, ({ lang }) => lang !== 'fi'],
  ['a name that only some have', { lang: { exists: false } }, ({ lang }) => lang === undefined],
]

/** Lets the background work: so often that nothing is left to do, unless told otherwise. */
async function rest(turns = 300): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise(resume => setImmediate(resume))
}

async function made(): Promise<{ books: Collection<Book>; kept: Map<number, Book>; random: Random }> {
  const random = new Random(5)
  const books = Collection.create<Book>()
  const kept = new Map(Array.from({ length: many }, (_, id) => [id, bookOf(random)]))
  await books.upsertMany(Array.from(kept, ([id, metadata]) => ({ id, metadata })))
  return { books, kept, random }
}

describe('filters on many documents', () => {
  const expectSame = (books: Collection<Book>, kept: Map<number, Book>) => {
    for (const [name, filter, passes] of filters) {
      const wanted = Array.from(kept).filter(([, book]) => passes(book))
      const found = books.list({ filter }).map(({ id }) => id)
      expect(found, name).toEqual(wanted.map(([id]) => id))
    }
  }

  it('pass the same documents before, while and after values are indexed', async () => {
    const { books, kept, random } = await made()
    expectSame(books, kept)
    await rest(3)
    for (let id = 0; id < many; id += 7) {
      books.remove(id)
      kept.delete(id)
    }
    expectSame(books, kept)
    await rest()
    const late = bookOf(random)
    await books.upsert({ id: many, metadata: late })
    kept.set(many, late)
    expectSame(books, kept)
    books.free()
  })

  it('pass the same documents if rows are renumbered while values are indexed', async () => {
    const { books, kept } = await made()
    expectSame(books, kept)
    await rest(3) // some values are indexed
    for (let id = 0; id < many / 2; id++) {
      books.remove(id)
      kept.delete(id)
    }
    expectSame(books, kept)
    await rest()
    expectSame(books, kept)
    books.free()
  })
})
