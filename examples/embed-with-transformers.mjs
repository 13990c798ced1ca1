import { pipeline } from '@huggingface/transformers'
import { Collection } from 'vicinal'

const model = await pipeline('feature-extraction', 'Xenova/all-MiniLM-L6-v2')
const notes = Collection.create({
  embed: async texts => (await model([...texts], { pooling: 'mean', normalize: true })).tolist(),
})
await notes.upsertMany([
  { id: 'n1', text: 'The ferry to Tallinn leaves at noon' },
  { id: 'n2', text: 'A recipe for rye bread' },
])
console.log(await notes.search({ text: 'a boat trip to Estonia', k: 1 }))
