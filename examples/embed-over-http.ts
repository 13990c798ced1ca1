import { Collection } from 'vicinal'

const endpoint = process.argv[2] ?? 'http://localhost:8080/embed'
const notes = Collection.create({
  embed: async (texts, signal) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(endpoint, {
      method: 'POST',
      headers,
      body: JSON.stringify({ texts }),
      signal: signal as AbortSignal,
    })
    if (!response.ok) throw new Error(`the embedding service answered ${response.status}`)
    return (await response.json()) as number[][]
  },
})
await notes.upsertMany([
  { id: 'n1', text: 'The ferry to Tallinn leaves at noon' },
  { id: 'n2', text: 'A recipe for rye bread' },
  { id: 'n3', text: 'Taxes must be paid in December' },
])
const hits = await notes.search({ text: 'a boat trip to Estonia', k: 2 })
console.log(hits.map(({ document, because }) => `${document.text} (vector rank ${because?.vectorRank})`).join('\n'))
