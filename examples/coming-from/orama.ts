import { Collection } from 'vicinal'

const notes = Collection.create<{ year: number; tags: string[] }>()
await notes.upsertMany([
  { id: 'a', text: 'The ferry to Tallinn', metadata: { year: 2026, tags: ['sea'] } },
  { id: 'b', text: 'Ice roads to Tallinn', metadata: { year: 2026, tags: ['sea', 'winter'] } },
  { id: 'c', text: 'The train to Tallinn', metadata: { year: 2019, tags: ['land'] } },
])
await notes.upsert({ id: 'c', text: 'No train to Tallinn', metadata: { year: 2024, tags: ['land'] } })
notes.remove('b')

const filter = { year: { gte: 2020 }, tags: { in: ['sea', 'land'] } }
const hits = await notes.search({ text: 'ferry tallinn', filter, k: 5 })
console.log(hits.map(({ id, document }) => `${id} ${document.text}`).join(', '))
