import { Collection } from 'vicinal'

const notes = Collection.create<{ year: number; tags: string[] }>({ boosts: { title: 2 } })
await notes.upsertMany([
  {
    id: 'n1',
    fields: { title: 'Ferries' },
    text: 'The ferry to Tallinn leaves at noon',
    metadata: { year: 2026, tags: ['sea'] },
  },
  { id: 'n2', text: 'Ice roads lead from Estonia to its islands', metadata: { year: 2019, tags: ['winter', 'sea'] } },
  { id: 'n3', text: 'The night train to Tallinn', metadata: { year: 2024, tags: ['land'] } },
])
await notes.upsert({ id: 'n3', text: 'There is no night train to Tallinn', metadata: { year: 2026, tags: ['land'] } })

for (const { id, because } of await notes.search({
  text: 'feries tallinn',
  typos: true,
  filter: { year: { gte: 2020 } },
})) {
  console.log(
    id,
    because?.words?.map(({ field, word }) => `${field}: ${word}`),
  )
}
