import { ExactIndex, LcifClassifier } from 'vicinal'

const index = await ExactIndex.fit([
  { id: 'apple', vector: [1, 0.2, 0] },
  { id: 'pear', vector: [0.9, 0.4, 0.1] },
  { id: 'truck', vector: [0, 0.1, 1] },
])
console.log(index.search([1, 0.3, 0], { k: 2 }).map(({ id }) => id).join(', ')) // biome-ignore format: one line

const tagger = await LcifClassifier.fit([
  { text: 'Sailing ships of the Baltic', labels: ['ships', 'history'] },
  { text: 'The birds of the coast', labels: ['birds'] },
  { text: 'Steam ships and their engines', labels: ['ships', 'technology'] },
])
const [best] = tagger.predict('Old ships')
const { neighbors } = tagger.explain('Old ships') // why the best label
console.log(`${best?.label}, like "${neighbors[0]?.text}"`)
