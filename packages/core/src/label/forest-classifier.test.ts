import { describeClassifier } from './classifier.cases.ts'
import { ForestClassifier } from './forest-classifier.ts'

describeClassifier('ForestClassifier, graph', {
  fit: (dataset, options) => ForestClassifier.fit(dataset, options),
  load: path => ForestClassifier.load(path),
  titlesFloor: 0.1,
})
