import { connect } from '@lancedb/lancedb'

const database = await connect(process.argv[2])
const notes = await database.createTable('notes', [
  { id: 'ferry', vector: [1, 0, 0], year: 2026 },
  { id: 'ice', vector: [0.8, 0.6, 0], year: 2026 },
  { id: 'train', vector: [0, 1, 0], year: 2019 },
])
const changes = [{ id: 'train', vector: [0, 1, 1], year: 2024 }]
await notes.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(changes)
await notes.delete("id = 'ice'")

const hits = await notes.vectorSearch([1, 0.1, 0]).distanceType('cosine').where('year >= 2020').limit(2).toArray()
console.log(hits.map(({ id, _distance }) => `${id} ${_distance.toFixed(3)}`).join(', '))
