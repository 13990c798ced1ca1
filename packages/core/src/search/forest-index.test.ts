import { ForestIndex } from './forest-index.ts'
import { describeIndex } from './index.cases.ts'

describeIndex('ForestIndex', {
  fit: (rows, options) => ForestIndex.fit(rows, options),
  load: (path, options) => ForestIndex.load(path, options),
  fromContents: (contents, options) => ForestIndex.fromContents(contents, options),
  recallFloor: 0.95,
})
