import { create, insertMultiple, remove, search, update } from '@orama/orama'

const notes = create({ schema: { text: 'string', year: 'number', tags: 'enum[]' } })
await insertMultiple(notes, [
  { id: 'a', text: 'The ferry to Tallinn', year: 2026, tags: ['sea'] },
  { id: 'b', text: 'Ice roads to Tallinn', year: 2026, tags: ['sea', 'winter'] },
  { id: 'c', text: 'The train to Tallinn', year: 2019, tags: ['land'] },
])
await update(notes, 'c', { id: 'c', text: 'No train to Tallinn', year: 2024, tags: ['land'] })
await remove(notes, 'b')

const where = { year: { gte: 2020 }, tags: { containsAny: ['sea', 'land'] } }
const { hits } = await search(notes, { term: 'ferry tallinn', where, limit: 5 })
console.log(hits.map(({ id, document }) => `${id} ${document.text}`).join(', '))
