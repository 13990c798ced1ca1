import { Collection } from 'vicinal'

const notes = Collection.create()
await notes.upsertMany([
  { id: 'ferry', vector: [1, 0, 0] },
  { id: 'ice', vector: [0.8, 0.6, 0] },
  { id: 'train', vector: [0, 1, 0] },
])
await notes.upsert({ id: 'train', vector: [0, 1, 1] })
notes.remove('ice')

const hits = await notes.search({ vector: [1, 0.1, 0], k: 2 })
console.log(hits.map(({ id, distance }) => `${id} ${distance?.toFixed(3)}`).join(', '))
await notes.save(process.argv[2] ?? 'notes.collection')
