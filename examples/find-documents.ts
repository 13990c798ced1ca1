import { Collection } from 'vicinal'

const notes = Collection.create()
await notes.upsertMany([
  { id: 'n1', text: 'The ferry to Tallinn leaves at noon', metadata: { year: 2026 } },
  { id: 'n2', text: 'Ice roads lead to the islands', metadata: { year: 2019 } },
  { id: 'n3', text: 'A night train to Tallinn', metadata: { year: 2024 } },
])
for (const { id, document } of await notes.search({ text: 'tallinn', filter: { year: { gte: 2025 } } })) {
  console.log(`${id}: ${document.text}`)
}
