import { LcifClassifier } from 'vicinal'

const tagger = await LcifClassifier.fit([
  { text: 'Sailing ships of the Baltic', labels: ['ships', 'history'] },
  { text: 'The birds of the coast', labels: ['birds'] },
  { text: 'Steam ships and their engines', labels: ['ships', 'technology'] },
])
const [best] = tagger.predict('Old ships')
console.log(`${best?.label}, score ${best?.score.toFixed(2)}`)

const { neighbors, features } = tagger.explain('Old ships') // why the best label was chosen
console.log(`because of "${neighbors[0]?.text}" and the word "${features[0]?.feature}"`)
