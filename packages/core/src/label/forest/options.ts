// The options of ForestClassifier, their defaults and their checks. Words for the paper's symbols are in
// trees/grower-options.ts.

import { mostDepth, mostProbes } from '../../forest/forest-contents.ts'
import { checkPower, checkRange, checkWhole, checkWord, type OptionTable } from '../../options.ts'
import { checkGrowerOptions, type GrowerOptions, growerDefaults } from '../../trees/grower-options.ts'
import { findGrower, type GrowerName, growerNames } from '../../trees/growers.ts'
import {
  type CommonOptions,
  checkCommon,
  commonDefaults,
  fillSettings,
  type Weighting,
  weightings,
} from '../options.ts'
import {
  checkVectorOptions,
  type DistanceOption,
  type ScalingOption,
  vectorDefaults,
} from '../reading/vector-options.ts'

/** 'natural': a label scores its share of the rows of the leaf; 'voting': one vote per tree whose leaf has it. */
export const labelRules = ['natural', 'voting'] as const
export type LabelRule = (typeof labelRules)[number]

/** Options of `ForestClassifier`. */
export interface ForestClassifierOptions extends CommonOptions, GrowerOptions, DistanceOption, ScalingOption {
  /** How nodes are split; 'graph' is GPT. 'chronological' and 'cells' are for dense vectors only. Default 'graph'. */
  readonly grower?: GrowerName
  /** How leaves score labels: the mean over the trees of the label's share of the leaf, or of votes. Default 'natural'. */
  readonly rule?: LabelRule
  /** Number of trees, from 1 to 1024. Default 50. More trees are better up to a point; time and memory grow with them. */
  readonly trees?: number
  /** Nodes with at most this many rows are leaves. Default 9; with fewer than 20 rows a quarter of them. Larger leaves give smaller models, smoother scores and fewer rare labels. */
  readonly leafSize?: number
  /** Depth of a tree, at most 64. Default 48. Nodes at that depth are leaves, however large. */
  readonly depth?: number
  /**
   * How to weight features before rows are scaled to length 1. 'none': as in the data; 'idf': rare features more; 'chi2':
   * features that go with labels more; 'learned': as LCIF learns them; 'auto' (default): 'idf' if all values of a row are the
   * same, otherwise 'none'.
   */
  readonly weighting?: Weighting | 'auto'
  /** Extra leaves to visit, those that routing almost chose; at most 4096. Default 0. More leaves take longer. */
  readonly probes?: number
  /**
   * The share, 0 to 1, of a second score in which the rows of a leaf are weighted by their cosine to the item (to the power
   * `blendPower`). Default 0: all rows of a leaf count the same.
   */
  readonly blend?: number
  /** The power of the cosines, above 0. Default 2. */
  readonly blendPower?: number
  /** How much to favor rare labels, 0 to 1: scores are divided by the label's propensity to this power. Default 0. */
  readonly tailLift?: number
}

/** All options, defaults filled in. */
export type ForestClassifierSettings = Required<ForestClassifierOptions>

/** The default options. The numbers are the paper's; docs/gpt.md lists the exceptions. */
export const forestClassifierDefaults: ForestClassifierSettings = Object.freeze({
  grower: 'graph',
  rule: 'natural',
  trees: 50,
  leafSize: 9,
  depth: 48,
  weighting: 'auto',
  probes: 0,
  blend: 0,
  blendPower: 2,
  tailLift: 0,
  ...growerDefaults,
  ...vectorDefaults,
  ...commonDefaults,
})

/** All options, checked, with defaults filled in. Names in `others` are allowed, and left to the caller. */
export function resolveForestOptions(options: ForestClassifierOptions, others?: OptionTable): ForestClassifierSettings {
  // An interface has no index signature, but its fields are options by name.
  const settings = fillSettings(forestClassifierDefaults, options as Readonly<Record<string, unknown>>, others)
  checkWord('grower', settings.grower, growerNames)
  checkWord('rule', settings.rule, labelRules)
  checkWord('weighting', settings.weighting, [...weightings, 'auto'])
  checkWhole('trees', settings.trees, 1, 1024)
  checkWhole('leafSize', settings.leafSize, 1, 2 ** 20)
  checkWhole('depth', settings.depth, 1, mostDepth)
  checkWhole('probes', settings.probes, 0, mostProbes)
  checkRange('blend', settings.blend, 1)
  checkRange('tailLift', settings.tailLift, 1)
  checkPower('blendPower', settings.blendPower)
  checkGrowerOptions(settings)
  checkVectorOptions(settings)
  checkCommon(settings)
  return settings
}

/** With fewer rows, trees by the default options would be a single leaf, and all items would get the same answer. */
const enoughRows = 20
const fewRows = { perLeaf: 4, perL1: 50 }

/** The settings for so many rows: if there are few, smaller leaves and a smaller penalty than the defaults. What the caller set is kept. */
export function settingsForRows(
  settings: ForestClassifierSettings,
  { leafSize, l1 }: ForestClassifierOptions,
  rows: number,
): ForestClassifierSettings {
  if (rows >= enoughRows) return settings
  return {
    ...settings,
    leafSize: leafSize ?? Math.max(1, Math.floor(rows / fewRows.perLeaf)),
    l1: l1 ?? rows / fewRows.perL1,
  }
}

/** Refuses growers that need dense vectors. */
export function checkSparseGrower(grower: GrowerName): void {
  const takers = growerNames.filter(name => findGrower(name).takesSparse)
  checkWord('grower', grower, takers)
}
