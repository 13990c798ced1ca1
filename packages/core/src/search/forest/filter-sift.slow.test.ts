import { describeFilteredForest, withTuning } from './filter.cases.ts'

// Short sketches: codes are quicker to compare than rows.
const options = { targetRecall: 0.9, sketchDims: 16 }
for (const data of ['clusters', 'noise', 'outliers'] as const) {
  describeFilteredForest(data, 'trees, or by sifting what passes', options)
  describeFilteredForest(data, 'sifting what passes', options, index => withTuning(index, { larger: [] }))
}
describeFilteredForest('clusters', 'sifting codes of rows', { ...options, keep: 'codes' }, index =>
  withTuning(index, { larger: [] }),
)
