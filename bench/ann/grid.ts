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

/** A walk keeps rows in the order of their codes: all of them are compared, or the first. */
const compared = (walk: number) =>
  [1, 0.7, 0.5, 0.35].map(share => Math.ceil(share * walk)).filter(count => count >= 10)

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
    queries: [10, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 160].flatMap(walk =>
      compared(walk).map(rerank => ({ trees: 1, walk, rerank })),
    ),
  },
  { contestant: exact, build: {}, queries: [{}] },
]
