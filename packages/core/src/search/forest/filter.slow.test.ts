import { describeFilteredForest } from './filter.cases.ts'

for (const data of ['clusters', 'noise', 'outliers'] as const) {
  describeFilteredForest(data, 'a tuned effort', { targetRecall: 0.9 })
}
