import { Collection } from 'vicinal'

const notes = Collection.create<{ year: number }>({ boosts: { title: 2 } })
await notes.upsertMany([
  { id: 1, fields: { title: 'Ferries' }, text: 'The ferry to Tallinn', metadata: { year: 2026 } },
  { id: 2, fields: { title: 'Ice roads' }, text: 'Roads to Tallinn', metadata: { year: 2026 } },
  { id: 3, fields: { title: 'Trains' }, text: 'The train to Tallinn', metadata: { year: 2019 } },
])
await notes.upsert({ id: 3, fields: { title: 'Trains' }, text: 'No train to Tallinn', metadata: { year: 2024 } })
notes.remove(2)

const hits = await notes.search({ text: 'feries talinn', typos: true, filter: { year: { gte: 2020 } } })
console.log(hits.map(({ id, document }) => `${id} ${document.fields?.title}`).join(', '))
