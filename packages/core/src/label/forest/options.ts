// The options of ForestClassifier, their defaults, and the check at the door. Words for the paper's symbols are in
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

/** 'natural': a label scores its share of the rows of the leaf; 'voting': a whole vote a tree whose leaf has it. */
export const labelRules = ['natural', 'voting'] as const
export type LabelRule = (typeof labelRules)[number]

/** Options of `ForestClassifier`. */
export interface ForestClassifierOptions extends CommonOptions, GrowerOptions, DistanceOption, ScalingOption {
  /** How nodes are split; 'graph' is GPT. 'chronological' is for dense vectors only. Default 'graph'. */
  readonly grower?: GrowerName
  /** How leaves score labels: the mean over the trees of each label's share, or of plain votes. Default 'natural'. */
  readonly rule?: LabelRule
  /** Trees to grow, from 1 to 1024. Default 50. More are better, up to a point; all costs grow with them. */
  readonly trees?: number
  /** Nodes with at most so many rows are leaves. Default 9. Larger leaves: smaller models, smoother scores, fewer rare labels. */
  readonly leafSize?: number
  /** Deeper nodes are leaves, whatever their size; at most 64. Default 48. */
  readonly depth?: number
  /**
   * What features weigh before rows get length 1. 'none': what the data says; 'idf': rare ones more; 'chi2': those that go with
   * labels more; 'learned': as LCIF learns them; 'auto': 'idf' where all values of a row are the same, 'none' elsewhere. Default
   * 'auto'.
   */
  readonly weighting?: Weighting | 'auto'
  /** Leaves visited beside each tree's own, where routing was nearly another. Default 0; at most 4096, as no more are noted on the way. */
  readonly probes?: number
  /**
   * The share, 0 to 1, of what the rows of the leaves say, each with its cosine to the item (raised to `blendPower`) as its weight.
   * Default 0: a leaf's rows all count the same.
   */
  readonly blend?: number
  /** The power of the cosines, above 0. Default 2. */
  readonly blendPower?: number
  /** How much rare labels are lifted, 0 to 1: scores are divided by the label's propensity to this power. Default 0. */
  readonly tailLift?: number
}

/** Every option with its value. */
export type ForestClassifierSettings = Required<ForestClassifierOptions>

/** What each option is if it is not given. The numbers are the paper's; docs/gpt.md lists what is not. */
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

/** All options, checked: what is not given is the default. Names in `others` belong to somebody else. */
export function resolveForestOptions(options: ForestClassifierOptions, others?: OptionTable): ForestClassifierSettings {
  // An interface has no index signature; its fields are options by name all the same.
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

/** Refuses growers that need dense vectors. */
export function checkSparseGrower(grower: GrowerName): void {
  const takers = growerNames.filter(name => findGrower(name).takesSparse)
  checkWord('grower', grower, takers)
}
