import { describeFilteredForest } from './filter.cases.ts'

// Quick to build, and far from comparing all rows.
for (const data of ['clusters', 'noise', 'outliers'] as const) {
  describeFilteredForest(data, 'a given effort', { trees: 8, targetRecall: 0, rerank: 40 })
}
// Tuning compares all rows of noise: a filter that asked the trees found 9 of 100 neighbors.
describeFilteredForest('noise', 'comparing all', { trees: 4, exact: true })
