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
    queries: [
      ...[20, 30].map(rerank => ({ trees: 6, threshold: 0, probes: 0, rerank })),
      ...[20, 30, 40].map(rerank => ({ trees: 8, threshold: 0, probes: 0, rerank })),
      ...[30, 40, 60].map(rerank => ({ trees: 12, threshold: 0, probes: 0, rerank })),
      ...[40, 60, 90].map(rerank => ({ trees: 20, threshold: 0, probes: 0, rerank })),
      ...[60, 90].map(rerank => ({ trees: 20, threshold: 0, probes: 12, rerank })),
      ...[70, 90, 110].map(rerank => ({ trees: 20, threshold: 0, probes: 24, rerank })),
      ...[70, 90].map(rerank => ({ trees: 20, threshold: 0, probes: 36, rerank })),
      { trees: 20, threshold: 0, probes: 60, rerank: 120 },
    ],
  },
  { contestant: exact, build: {}, queries: [{}] },
]
