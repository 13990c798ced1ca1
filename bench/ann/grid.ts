// Who runs with which settings: each entry is one build, measured with all its query settings. A contestant may have several.

import type { Contestant, Knobs } from './contestant.ts'
import { hnswlib } from './hnswlib.ts'
import { usearch } from './usearch.ts'
import { exact, forest } from './vicinal.ts'

export interface Entry {
  readonly contestant: Contestant
  readonly build: Knobs
  readonly queries: readonly Knobs[]
}

const widths = [10, 15, 20, 30, 40, 60, 80, 120, 200, 400]

export const grid: readonly Entry[] = [
  {
    contestant: hnswlib,
    build: { m: 16, efConstruction: 200 },
    queries: widths.map(ef => ({ ef })),
  },
  {
    contestant: usearch,
    build: { connectivity: 16, expansion_add: 200 },
    queries: widths.map(width => ({ expansion_search: width })),
  },
  {
    contestant: forest,
    build: {},
    queries: [10, 20, 40, 80, 160, 320].map(rerank => ({ rerank })),
  },
  { contestant: exact, build: {}, queries: [{}] },
]
