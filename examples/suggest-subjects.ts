import { LcifClassifier, readDataset } from 'vicinal'

// 54,000 library titles with the subjects that librarians gave them.
const titles = await readDataset('data/titles-train.tsv.gz', { vocabulary: 'data/subjects.tsv' })
const tagger = await LcifClassifier.fit(titles, { weighting: 'none' })

const title = 'Sailing ships and steamers'
for (const { label, name, score } of tagger.predict(title, { top: 3 })) {
  const { neighbors, features } = tagger.explain(title, label)
  console.log(`${score.toFixed(2)} ${name} <${label}>`)
  console.log(`     because of "${neighbors[0]?.text}" and the word "${features[0]?.feature}"`)
}
