import { LcifClassifier, readDataset } from 'vicinal'

const books = `{"text": "Sailing across the Baltic Sea", "labels": ["sailing", "Baltic Sea"]}
{"text": "Sailing ships of the North", "labels": ["sailing", "ships"]}
{"text": "Fish of the Baltic Sea", "labels": ["fish", "Baltic Sea"]}
{"text": "Steam ships and their engines", "labels": ["ships", "engines"]}`
const rows = await readDataset(new TextEncoder().encode(books), { format: 'jsonl' }) // or a file: 'books.jsonl'
const tagger = await LcifClassifier.fit(rows)

const text = 'A sailing trip on the Baltic'
for (const { label, score } of tagger.predict(text, { top: 2 })) {
  console.log(`${score.toFixed(2)} ${label} because of "${tagger.explain(text, label).neighbors[0]?.text}"`)
}
