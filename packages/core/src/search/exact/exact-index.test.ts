import { describeIndex } from '../index.cases.ts'
import { ExactIndex } from './exact-index.ts'

describeIndex('ExactIndex', {
  fit: (rows, options) => ExactIndex.fit(rows, options),
  load: (path, place) => ExactIndex.load(path, place),
  fromContents: (contents, place) => ExactIndex.fromContents(contents, place),
  recallFloor: 1,
})
