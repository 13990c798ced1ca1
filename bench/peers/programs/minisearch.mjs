import MiniSearch from 'minisearch'

const notes = new MiniSearch({ fields: ['title', 'text'], storeFields: ['title', 'year'] })
notes.addAll([
  { id: 1, title: 'Ferries', text: 'The ferry to Tallinn', year: 2026 },
  { id: 2, title: 'Ice roads', text: 'Roads to Tallinn', year: 2026 },
  { id: 3, title: 'Trains', text: 'The train to Tallinn', year: 2019 },
])
notes.replace({ id: 3, title: 'Trains', text: 'No train to Tallinn', year: 2024 })
notes.discard(2)

const hits = notes.search('feries talinn', { fuzzy: 0.2, boost: { title: 2 }, filter: ({ year }) => year >= 2020 })
console.log(hits.map(({ id, title }) => `${id} ${title}`).join(', '))
