// The options of a sparse forest index, and their checks.

import { mostDepth, mostProbes } from '../../forest/forest-contents.ts'
import type { Id } from '../../ids/id.ts'
import { checkEngine, type Engine } from '../../kernels/engine.ts'
import type { LongWork } from '../../long-work.ts'
import {
  checkedLater,
  checkRange,
  checkThreads,
  checkWhole,
  checkWord,
  fillOptions,
  type OptionTable,
  optionTable,
  workChecks,
} from '../../options.ts'
import { checkGrowerOptions, type GrowerOptions, growerDefaults } from '../../trees/grower-options.ts'
import { findGrower, type GrowerName, growerNames } from '../../trees/growers.ts'
import { checkFilter, type Filter } from '../neighbor.ts'
import type { VectorBatchOptions } from '../search-index.ts'
import type { SparseMetric } from '../sparse/metric.ts'
import type { SparseEffort } from './finder.ts'

/** Options that shape a sparse forest index. They are saved in its file. */
export interface SparseForestOptions extends GrowerOptions {
  /** 'cosine' (default): rows and queries are scaled to length 1. 'dot': their products as they are. */
  readonly metric?: SparseMetric
  /** How to split nodes; all growers but 'chronological' and 'cells'. Default 'graph': the best recall, and the slowest to grow. */
  readonly grower?: GrowerName
  /** Number of trees, from 1 to 1024. Recall, memory and build time grow with it. Default 10. */
  readonly trees?: number
  /** Nodes with at most this many rows are leaves. Larger leaves find more, and are slower to search. Default 16. */
  readonly leafSize?: number
  /** Depth of a tree, at most 64. Default 48. Nodes at that depth are leaves, however large. */
  readonly depth?: number
  /** Neighbors of each row that its leaves count, including itself. More neighbors find more, and take memory. Default 25. */
  readonly labelNeighbors?: number
  /** Extra leaves that a search visits, from 0 (default) to 4096. More leaves find more, and take longer. */
  readonly probes?: number
  /** Rows with a higher score are candidates of a search (τ). Default 0. */
  readonly threshold?: number
  /** The most candidates, best scores first, for up to 10 neighbors; proportionally more for more neighbors. Default 200. */
  readonly candidates?: number
  /** Same seed and same rows give the same bytes on every machine. Default 1. */
  readonly seed?: number
}

/** Options of `SparseForestIndex.fit`. */
export interface SparseForestFitOptions extends SparseForestOptions, LongWork {
  /** Your ids, one per row, all different. Default: the row numbers. */
  readonly ids?: readonly Id[]
  /** The engine whose memory holds the index. Default: the shared engine. */
  readonly engine?: Engine
  /** Number of worker threads. Default: one per core. The index is the same for any number. */
  readonly threads?: number
}

/** Options of `SparseForestIndex.search`. */
export interface SparseForestSearchOptions extends Partial<SparseEffort> {
  /** Number of neighbors. Default 10. */
  readonly k?: number
  /**
   * Which items may be returned. Default: all. A function that lets few pass is called for every item in every search: prepare it with
   * `filter()` if you use it again.
   */
  readonly filter?: Filter
}

/** Options of `SparseForestIndex.searchBatch`. */
export interface SparseForestBatchOptions extends VectorBatchOptions, Partial<SparseEffort> {}

/** The default options. */
export const sparseForestDefaults: SparseForestSettings = Object.freeze({
  metric: 'cosine',
  grower: 'graph',
  trees: 10,
  leafSize: 16,
  depth: 48,
  labelNeighbors: 25,
  probes: 0,
  threshold: 0,
  candidates: 200,
  seed: 1,
  ...growerDefaults,
})

/** All options, defaults filled in. */
export type SparseForestSettings = Required<SparseForestOptions>

/** What `fit` takes in addition to the options that shape the index. */
export const sparseForestFitOptions = optionTable<Omit<SparseForestFitOptions, keyof SparseForestOptions>>({
  ...{ ids: checkedLater, engine: checkEngine, threads: checkThreads },
  ...workChecks,
})
const searchChecks = {
  ...{ k: checkedLater, trees: checkedLater, probes: checkedLater, threshold: checkedLater, candidates: checkedLater },
}
export const sparseSearchOptions = optionTable<SparseForestSearchOptions>({ ...searchChecks, filter: checkFilter })
export const sparseBatchOptions = optionTable<SparseForestBatchOptions>({
  ...{ ...searchChecks, threads: checkThreads },
  ...workChecks,
})

const mostTrees = 1024
const wholeRanges = {
  trees: [1, mostTrees],
  leafSize: [1, 2 ** 20],
  depth: [1, mostDepth],
  labelNeighbors: [1, 1000],
  seed: [0, Number.MAX_SAFE_INTEGER],
} as const

/** Names in `others` are allowed, and left to the caller. */
export function sparseForestSettings(options: SparseForestOptions, others?: OptionTable): SparseForestSettings {
  // An interface has no index signature, but its fields are options by name.
  const settings = fillOptions(sparseForestDefaults, options as Readonly<Record<string, unknown>>, others)
  check(settings)
  return settings
}

function check(settings: SparseForestSettings): void {
  for (const [name, [least, most]] of Object.entries(wholeRanges)) {
    checkWhole(name, settings[name as keyof typeof wholeRanges], least, most)
  }
  const { metric, grower, probes, threshold, candidates } = settings
  checkWord('metric', metric, ['cosine', 'dot'])
  const takers = growerNames.filter(name => findGrower(name).takesSparse)
  checkWord('grower', grower, takers)
  checkSparseEffort({ probes, threshold, candidates }, mostTrees)
  checkGrowerOptions(settings)
}

/** What is given of an effort. */
export function checkSparseEffort({ trees, probes, threshold, candidates }: Partial<SparseEffort>, most: number): void {
  if (trees !== undefined) checkWhole('trees', trees, 1, most)
  if (probes !== undefined) checkWhole('probes', probes, 0, mostProbes)
  if (threshold !== undefined) checkRange('threshold', threshold, 1)
  if (candidates !== undefined) checkWhole('candidates', candidates, 1, 2 ** 31)
}

/** What the caller gives, else what the index was fitted with; more candidates for more neighbors than 10. */
export function sparseEffort(given: Partial<SparseEffort>, settings: SparseForestSettings, k: number): SparseEffort {
  checkSparseEffort(given, settings.trees)
  const { trees, probes, threshold, candidates } = settings
  return {
    trees: given.trees ?? trees,
    probes: given.probes ?? probes,
    threshold: given.threshold ?? threshold,
    candidates: given.candidates ?? Math.min(2 ** 31, Math.ceil(candidates * Math.max(1, k / 10))),
  }
}

const treeShares = [0.25, 0.5, 1]
const candidateCounts = [25, 50, 100, 200, 400, 800]

/** The effort of a search that asks for none. */
export function effortOf({ trees, probes, threshold, candidates }: SparseForestSettings): SparseEffort {
  return { trees, probes, threshold, candidates }
}

/** Efforts worth showing on a curve, from quick to thorough. */
export function sparseEfforts({ trees, probes, threshold }: SparseForestSettings): SparseEffort[] {
  const counts = [...new Set(treeShares.map(share => Math.ceil(share * trees)))]
  return counts.flatMap(asked => candidateCounts.map(candidates => ({ trees: asked, probes, threshold, candidates })))
}
