import { CollectionStore } from 'vicinal'

const notes = await CollectionStore.create<{ year: number }>(process.argv[2] ?? 'notes')
await notes.upsertMany([
  { id: 'ferry', vector: [1, 0, 0], metadata: { year: 2026 } },
  { id: 'ice', vector: [0.8, 0.6, 0], metadata: { year: 2026 } },
  { id: 'train', vector: [0, 1, 0], metadata: { year: 2019 } },
])
await notes.upsert({ id: 'train', vector: [0, 1, 1], metadata: { year: 2024 } })
await notes.remove('ice')

const hits = await notes.search({ vector: [1, 0.1, 0], filter: { year: { gte: 2020 } }, k: 2 })
console.log(hits.map(({ id, distance }) => `${id} ${distance?.toFixed(3)}`).join(', '))
await notes.close()
