// The options of a forest index, and their checks.

import { type DenseItems, denseRowsInTurns, idsOf } from '../../data/given/rows.ts'
import { EngineError } from '../../errors.ts'
import { mostProbes } from '../../forest/forest-contents.ts'
import type { NeighborLists } from '../../forest/label-source.ts'
import { checkRule, countsNeighbors, type RuleName, takesThreshold } from '../../forest/rule.ts'
import { IdTable } from '../../ids/id-table.ts'
import type { Steps } from '../../long-work.ts'
import { checkNumbers } from '../../matrix/checks.ts'
import { checkCorpus, checkDims, checkMetric } from '../../matrix/dense-checks.ts'
import type { DenseMetric } from '../../matrix/dense-metric.ts'
import type { DenseNumbers } from '../../matrix/dense-values.ts'
import {
  checkBoolean,
  checkedLater,
  checkObject,
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
import { findGrower, type GrowerName } from '../../trees/growers.ts'
import {
  type DenseBatchOptions,
  type DenseFitOptions,
  type DenseSearchOptions,
  denseFitChecks,
} from '../dense-index.ts'
import { checkFilter } from '../neighbor.ts'
import type { Effort } from './block.ts'

/** Options that shape a forest index. Its file keeps them all. */
export interface ForestOptions extends GrowerOptions {
  /** How nodes are split. Default 'kd'. */
  readonly grower?: GrowerName
  /** How leaves score rows. Default 'natural'. */
  readonly rule?: RuleName
  /** Trees to grow. Recall, memory and time to build grow with it. From 1 to 1024. Default 20. */
  readonly trees?: number
  /** Nodes with at most this many rows are leaves. Smaller leaves are faster to read and miss more. Default 5. */
  readonly leafSize?: number
  /** Deeper nodes are leaves, however large; 0: as deep as leafSize requires. At most 30. Default 0. */
  readonly depth?: number
  /** Neighbors of each training row that leaves count (rule 'natural'). More find more, and take memory. Default 25. */
  readonly labelNeighbors?: number
  /**
   * Rows that each row is linked with, at most: searches walk along links from what the trees propose. 4 bytes a link; 0: no links,
   * and more trees instead. Needs the rule 'natural'. From 0 to 256. Default 32; 0 if you give the effort without `walk`.
   */
  readonly links?: number
  /** What trees see: sketches of the rows (quick), or the rows as they are. Default 'sketch'. */
  readonly view?: 'sketch' | 'rows'
  /**
   * Numbers in a sketch; at most the rows' dimensions. More sift candidates better, and cost time. Default 96, or up to 256 if a sample of the
   * rows loses neighbors with fewer.
   */
  readonly sketchDims?: number
  /**
   * What is kept of the rows: their numbers; a byte a number ('codes'), with distances rounded; or nothing but the codes of their
   * sketches ('sketch'), with distances as the sketches have them. Default 'rows'.
   */
  readonly keep?: 'rows' | 'codes' | 'sketch'
  /** Same seed and same rows give the same bytes on every machine. Default 1. */
  readonly seed?: number
  /** Chooses the effort of a search so that this share of the true neighbors is found; 0: the given effort. Default 0.95. */
  readonly targetRecall?: number
  /**
   * How long `fit` may try to reach `targetRecall`, in estimated seconds of one core: counted, not timed, so that the same seed gives
   * the same index. The first look at a grid of efforts is always done. Default 600.
   */
  readonly maxTuningSeconds?: number
  /** The number of neighbors that the effort is chosen for. Default 10. */
  readonly k?: number
}

/** How thoroughly to search; what is not given is as the index was tuned or fitted. */
export type ForestEffort = Partial<Effort>

/** Options of `ForestIndex.fit`. */
export interface ForestFitOptions extends ForestOptions, ForestEffortOptions, DenseFitOptions {
  /** Where the training rows' neighbors come from: found ('bootstrap', the default), computed ('exact'), or given. */
  readonly neighborLists?: 'bootstrap' | 'exact' | NeighborLists
  /**
   * Rows to learn from that are not the corpus, such as past queries. Tuning tries efforts on some of them. With fewer than 20 it is left
   * out. Default: the corpus itself.
   */
  readonly training?: DenseItems
}

/** The effort of searches, if it is not chosen by `targetRecall`; `searchTrees`, because `trees` is how many are grown. */
export interface ForestEffortOptions {
  /** How many trees to use. Default: all. */
  readonly searchTrees?: number
  /** Rows that score above it are candidates (τ). Default 0, and always 0 for the rule 'lookup'. */
  readonly threshold?: number
  /** Leaves visited beside each tree's own, from 0, the default, to 4096: no more of them are noted on the way. */
  readonly probes?: number
  /** Candidates compared exactly. Default 8 · k. */
  readonly rerank?: number
  /** Rows with the nearest codes that a walk along links keeps, from 0, the default, which does not walk, to 1,048,576. */
  readonly walk?: number
  /** Compares all rows instead of searching trees. Default false. */
  readonly exact?: boolean
}

/** Options of `ForestIndex.search`. */
export interface ForestSearchOptions extends DenseSearchOptions, ForestEffort {}

/** Options of `ForestIndex.searchBatch`. */
export interface ForestBatchOptions extends DenseBatchOptions, ForestEffort {}

/** What `fit` takes beside the options that shape the index. */
export const forestFitOptions = optionTable<Omit<ForestFitOptions, keyof ForestOptions>>({
  ...denseFitChecks,
  ...{ searchTrees: checkedLater, threshold: checkedLater, probes: checkedLater, rerank: checkedLater },
  walk: checkedLater,
  ...{ exact: checkBoolean, neighborLists: checkedLater, training: checkedLater },
})
const searchChecks = {
  ...{ k: checkedLater, trees: checkedLater, threshold: checkedLater, probes: checkedLater, rerank: checkedLater },
  ...{ walk: checkedLater, exact: checkBoolean },
}
export const forestSearchOptions = optionTable<ForestSearchOptions>({ ...searchChecks, filter: checkFilter })
export const forestBatchOptions = optionTable<ForestBatchOptions>({
  ...{ ...searchChecks, threads: checkThreads },
  ...workChecks,
})

/** The defaults of `ForestOptions`. */
export const forestDefaults = Object.freeze({
  grower: 'kd',
  rule: 'natural',
  trees: 20,
  leafSize: 5,
  depth: 0,
  labelNeighbors: 25,
  links: 32,
  view: 'sketch',
  sketchDims: 96,
  keep: 'rows',
  seed: 1,
  targetRecall: 0.95,
  maxTuningSeconds: 600,
  k: 10,
  ...growerDefaults,
} as const satisfies ForestOptions)

/** All options, defaults filled in. */
export type ForestSettings = Required<ForestOptions>

/** Rows that a walk may keep. */
const mostWalked = 2 ** 20

const wholeRanges = {
  trees: [1, 1024],
  leafSize: [1, 2 ** 20],
  depth: [0, 30],
  labelNeighbors: [1, 1000],
  links: [0, 256],
  sketchDims: [1, 4096],
  seed: [0, Number.MAX_SAFE_INTEGER],
  k: [1, 10_000],
} as const

/** Names in `others` are allowed, and left to the caller. */
export function forestSettings(options: ForestOptions, others?: OptionTable): ForestSettings {
  // An interface has no index signature, but its fields are options by name.
  const settings: ForestSettings = fillOptions<ForestSettings>(
    forestDefaults,
    options as Readonly<Record<string, unknown>>,
    others,
  )
  check(settings)
  return settings
}

function check(settings: ForestSettings): void {
  for (const [name, [least, most]] of Object.entries(wholeRanges)) {
    const value = settings[name as keyof typeof wholeRanges]
    checkWhole(name, value, least, most)
  }
  checkRule(settings.rule)
  findGrower(settings.grower, settings)
  checkRange('targetRecall', settings.targetRecall, 0.999_999)
  checkRange('maxTuningSeconds', settings.maxTuningSeconds, 1e9)
  checkGrowerOptions(settings)
  checkWord('view', settings.view, ['sketch', 'rows'])
  checkWord('keep', settings.keep, ['rows', 'codes', 'sketch'])
}

/** Codes tell distances apart, not products; and trees that see rows need rows. */
function checkKeep({ keep, view }: ForestSettings, metric: DenseMetric): void {
  if (keep !== 'rows' && metric === 'dot') {
    const message = `keep is '${keep}', which works with the metrics euclidean and cosine, not dot`
    throw new EngineError('INVALID_OPTION', message)
  }
  if (keep === 'sketch' && view === 'rows') {
    throw new EngineError(
      'INVALID_OPTION',
      "keep is 'sketch', but view is 'rows': the index would keep no rows for trees to see",
    )
  }
}

/** The settings that `fit` begins with. */
function fitSettings(options: ForestFitOptions): ForestSettings {
  const settings = forestSettings(options, forestFitOptions)
  return { ...settings, links: linksFor(settings, options) }
}

/** Links come from the rows' neighbor lists. An effort that is given without a walk needs none. */
function linksFor({ links, rule, targetRecall }: ForestSettings, options: ForestFitOptions): number {
  const given = options.links !== undefined || options.walk !== undefined
  if (countsNeighbors(rule)) {
    const { searchTrees, threshold, probes, rerank, exact } = options
    const isTuned = targetRecall > 0 && [searchTrees, threshold, probes, rerank, exact].every(one => one === undefined)
    return isTuned || given ? links : 0
  }
  if (!options.links) return 0
  const message = `links is ${links}, but rule is '${rule}': links are made from the rows' own neighbor lists`
  throw new EngineError('INVALID_OPTION', message, { hint: "Leave links out, or fit with the rule 'natural'." })
}

/** The effort that a search of an index may use. `treesName` is what the caller calls the option for the number of trees. */
export function checkEffort(
  effort: ForestEffort,
  { trees, rule, links }: Pick<ForestSettings, 'trees' | 'rule' | 'links'>,
  treesName = 'trees',
): void {
  if (effort.trees !== undefined) checkWhole(treesName, effort.trees, 1, trees)
  if (effort.probes !== undefined) checkWhole('probes', effort.probes, 0, mostProbes)
  if (effort.rerank !== undefined) checkWhole('rerank', effort.rerank, 1, 2 ** 31)
  if (effort.threshold !== undefined) checkThreshold(effort.threshold, rule)
  if (effort.walk !== undefined) checkWalk(effort.walk, links)
  if (effort.exact !== undefined) checkBoolean('exact', effort.exact)
}

function checkWalk(walk: number, links: number): void {
  checkWhole('walk', walk, 0, mostWalked)
  if (walk === 0 || links > 0) return
  throw new EngineError('INVALID_OPTION', `walk is ${walk}, but this index has no links to walk along`, {
    hint: "Leave walk out, or fit the index with links and the rule 'natural'.",
  })
}

function checkThreshold(threshold: number, rule: RuleName): void {
  checkRange('threshold', threshold, 1)
  if (threshold === 0 || takesThreshold(rule)) return
  throw new EngineError('INVALID_OPTION', `threshold is ${threshold}, but the rule '${rule}' has no threshold`, {
    hint: "Leave out threshold, or fit the index with the rule 'voting', which is lookup with a threshold.",
  })
}

/** Rows to learn from, which are not the corpus. */
function checkTraining(rows: DenseNumbers, dims: number): void {
  if (rows.rows === 0) throw new EngineError('EMPTY_DATA', 'there are no training rows')
  checkDims(rows.columns, dims, 'each training row')
}

/** Whether the lists fit the rows is checked where they are used. */
function checkNeighborLists(lists: NonNullable<ForestFitOptions['neighborLists']>): void {
  if (typeof lists === 'string') {
    checkWord('neighborLists', lists, ['bootstrap', 'exact'])
    return
  }
  checkObject('neighborLists', lists, "'bootstrap', 'exact' or lists of neighbors")
  checkWhole('neighborLists.k', lists.k, 1, 2 ** 32)
  checkNumbers('neighborLists.rows', lists.rows, [Uint32Array])
  checkNumbers('neighborLists.counts', lists.counts, [Uint32Array])
}

/** The effort that options of fitting give. */
export function givenEffort({ searchTrees, threshold, probes, rerank, walk, exact }: ForestFitOptions): ForestEffort {
  return {
    ...(searchTrees !== undefined && { trees: searchTrees }),
    ...(threshold !== undefined && { threshold }),
    ...(probes !== undefined && { probes }),
    ...(rerank !== undefined && { rerank }),
    ...(walk !== undefined && { walk }),
    ...(exact !== undefined && { exact }),
  }
}

/** What `fit` is given, checked: rows with their ids, and every option. */
interface FitRequest {
  readonly matrix: DenseNumbers
  readonly idSteps: Steps<IdTable>
  readonly metric: DenseMetric
  readonly settings: ForestSettings
  readonly neighborLists: NonNullable<ForestFitOptions['neighborLists']>
  readonly training: DenseNumbers | undefined
}

export async function fitRequest(items: DenseItems, options: ForestFitOptions): Promise<FitRequest> {
  const settings = fitSettings(options)
  const { metric = 'euclidean', neighborLists = 'bootstrap' } = options
  checkMetric(metric)
  checkKeep(settings, metric)
  checkEffort(givenEffort(options), settings, 'searchTrees')
  checkNeighborLists(neighborLists)
  const { rows: matrix, ids: ofItems } = await denseRowsInTurns(items, 'row', options)
  checkCorpus(matrix)
  const training = options.training && (await denseRowsInTurns(options.training, 'training row', options)).rows
  if (training) checkTraining(training, matrix.columns)
  const idSteps = IdTable.inSteps(matrix.rows, idsOf(ofItems, options.ids))
  return { matrix, idSteps, metric, settings, neighborLists, training }
}
