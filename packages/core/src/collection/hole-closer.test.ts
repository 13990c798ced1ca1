import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Slice } from '../kernels/arena.ts'
import { Engine } from '../kernels/engine.ts'
import { answer } from './answer.ts'
import { Collection } from './collection.ts'
import { resolveCollectionOptions } from './collection-options.ts'
import { type Book, type BookData, OracleCollection } from './collection-oracle.cases.ts'
import { CollectionState } from './collection-state.ts'
import { storedCopy } from './document.ts'
import type { HoleLimits } from './hole-closer.ts'

/** A collection with other limits than usual, beside an array with the same documents. */
class Tried {
  readonly oracle = new OracleCollection()
  readonly state: CollectionState<BookData>

  constructor(limits: HoleLimits, engine = new Engine()) {
    this.state = new CollectionState(engine, engine, resolveCollectionOptions({}), limits)
  }

  upsert(book: Book): void {
    this.state.upsert(storedCopy<BookData>(book, 'a book'), undefined)
    this.oracle.upsert(book)
  }

  remove(id: number): void {
    expect(this.state.remove(id)).toBe(this.oracle.remove(id))
  }

  expectSame(text: string): void {
    const found = answer(this.state, { text, k: 20 }).map(({ id, score }) => [id, score])
    expect(found).toEqual(this.oracle.searchText(text, 20, () => true).map(({ id, score }) => [id, score]))
    expect(Array.from(this.state.table.entries(), ({ document }) => document.id)).toEqual(
      this.oracle.books.map(({ id }) => id),
    )
  }

  /** Which documents have a word with this beginning: the dictionary must know all words that are left. */
  expectSamePrefix(prefix: string): void {
    const begins = (text = '') => text.split(' ').some(word => word.startsWith(prefix))
    const having = this.oracle.books.filter(({ text, fields }) => begins(text) || begins(fields?.title))
    const found = answer(this.state, { text: prefix, prefix: true, k: 20 })
    expect(found.map(({ id }) => id).sort()).toEqual(having.map(({ id }) => id).sort())
  }
}

const words = ['sea', 'ship', 'baltic', 'of', 'the', 'ice', 'harbor', 'trade']
const text = fc.array(fc.constantFrom(...words), { maxLength: 6 }).map(list => list.join(' '))
const id = fc.nat({ max: 15 })
const book: fc.Arbitrary<Book> = fc.record({ id, text, fields: fc.record({ title: text }) }, { requiredKeys: ['id'] })
const change = fc.oneof({ weight: 3, arbitrary: book }, { weight: 1, arbitrary: id })
const limits = fc.record({
  fewest: fc.nat({ max: 3 }),
  share: fc.constant(0.1),
  stepPostings: fc.integer({ min: 1, max: 40 }),
  changeSteps: fc.integer({ min: 1, max: 5 }),
})

const note = (id: number): Book => ({ id, text: `note ${'abcdefgh'[id % 8]} of ${'xyz'[id % 3]}` })
const some: HoleLimits = { fewest: 20, share: 0.25, stepPostings: 64, changeSteps: 4 }

describe('closing holes', () => {
  it('changes no answer, whatever is added and removed between its steps', () => {
    fc.assert(
      fc.property(limits, fc.array(change, { minLength: 5, maxLength: 80 }), (limits, changes) => {
        const tried = new Tried(limits)
        for (const [i, one] of changes.entries()) {
          if (typeof one === 'number') tried.remove(one)
          else tried.upsert(one)
          tried.expectSame(words[i % words.length] as string)
          tried.expectSamePrefix('ship'.slice(0, 1 + (i % 3)))
        }
      }),
      { numRuns: 200 },
    )
  })

  it('takes no call long: it is spread over many changes, and done before there are half as many holes again', () => {
    const tried = new Tried(some)
    const { state } = tried
    const upsert = (id: number) => state.upsert(storedCopy<BookData>(note(id), 'a book'), undefined)
    for (let id = 0; id < 1000; id++) upsert(id)
    const { table } = state
    let most = 0
    const renumbered: number[] = []
    for (let i = 0; i < 5000; i++) {
      const before = table.renumberings
      upsert((i * 7) % 1000)
      most = Math.max(most, table.rows - table.live)
      if (table.renumberings > before) renumbered.push(i)
    }
    expect(renumbered.length).toBeGreaterThan(5)
    // A third of the documents are holes when it begins: a quarter of the rows.
    expect(renumbered[0]).toBeGreaterThan(340)
    expect(most).toBeLessThan(500)
  })

  it('goes on in the background when no further change comes', async () => {
    const notes = Collection.create()
    await notes.upsertMany(Array.from({ length: 3000 }, (_, id) => ({ id, text: `note ${id} of ${id % 7}` })))
    for (let id = 0; notes.stats().holes <= 1024; id++) notes.remove(id)
    await notes.settled()
    expect(notes.stats()).toMatchObject({ holes: 0, documents: 1975 })
    expect((await notes.search({ text: '2999' })).map(({ id }) => id)).toEqual([2999])
    notes.free()
  })

  it('stops when the collection is freed', async () => {
    const notes = Collection.create()
    await notes.upsertMany(Array.from({ length: 3000 }, (_, id) => ({ id, text: `note ${id} of ${id % 7}` })))
    for (let id = 0; notes.stats().holes <= 1024; id++) notes.remove(id)
    const settled = notes.settled()
    notes.free()
    await settled
    expect(() => notes.stats()).toThrow('this Collection was freed')
  })

  it('needs no time if no document is left', () => {
    const tried = new Tried({ ...some, fewest: 50, share: 0.99 })
    for (let id = 0; id < 100; id++) tried.upsert(note(id))
    for (let id = 0; id < 100; id++) tried.remove(id)
    expect(tried.state.table.rows).toBe(0)
    tried.upsert(note(3))
    tried.expectSame('note')
  })

  it('gives up if memory runs out, keeps all documents, and tries again when there are twice as many holes', () => {
    const engine = new Engine({ maxBytes: 2 ** 20 })
    const tried = new Tried({ ...some, fewest: 100, changeSteps: 4096 }, engine)
    for (let id = 0; id < 500; id++) tried.upsert(note(id))
    const { table } = tried.state
    const ballast = fill(engine)
    for (let id = 0; id < 200; id++) tried.remove(id)
    expect(table.rows).toBe(500)
    for (const slice of ballast) slice.free()
    tried.expectSame('note a')
    for (let id = 200; id < 260; id++) tried.remove(id)
    expect(table.rows).toBeLessThan(300)
    tried.expectSame('note a')
  })

  it('gives its memory to a document that finds none', () => {
    const engine = new Engine({ maxBytes: 2 ** 20 })
    const tried = new Tried({ ...some, fewest: 100, stepPostings: 1, changeSteps: 1 }, engine)
    for (let id = 0; id < 1000; id++) tried.upsert(note(id))
    const used = engine.arena.usedBytes
    for (let id = 0; id < 260; id++) tried.remove(id)
    expect(engine.arena.usedBytes).toBeGreaterThan(used)
    const ballast = fill(engine)
    const more = () => {
      for (let id = 1000; id < 10_000; id++) tried.upsert({ id, text: `w${id}` })
    }
    expect(more).toThrow(expect.objectContaining({ code: 'OUT_OF_MEMORY' }))
    expect(tried.state.holes.abandon()).toBe(false)
    for (const slice of ballast) slice.free()
    tried.expectSame('note b')
  })
})

/** Allocates all memory that is left. */
function fill({ arena }: Engine): Slice[] {
  const slices: Slice[] = []
  for (let bytes = 2 ** 19; bytes >= 16; ) {
    try {
      slices.push(arena.allocate(Uint8Array, bytes))
    } catch {
      bytes /= 2
    }
  }
  return slices
}
