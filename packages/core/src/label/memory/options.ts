// The options of MemoryClassifier, their defaults and their checks.

import { type MemoryOptions, memoryDefaults, resolveMemoryOptions } from '../../memory/memory-options.ts'
import { queryDefaults } from '../../memory/memory-query.ts'
import { checkWhole, checkWord, type OptionTable } from '../../options.ts'
import {
  type CommonOptions,
  checkCommon,
  commonDefaults,
  fillSettings,
  type Weighting,
  weightings,
} from '../options.ts'
import { checkVectorOptions, type ScalingOption, vectorDefaults } from '../reading/vector-options.ts'

/** What of a memory's options a classifier takes. */
type RouterOptions = Pick<MemoryOptions, 'balance' | 'leafFactor' | 'reroutes' | 'trees' | 'rate'> & {
  readonly learner?: string
}

/**
 * 'nearest': a label gets the score of its best memory; 'one-against-some': one model per label, for the labels of the memories found;
 * 'auto': 'nearest' if every row has one label.
 */
export const inferences = ['auto', 'nearest', 'one-against-some'] as const

/** Options of `MemoryClassifier`. */
export interface MemoryClassifierOptions extends CommonOptions, RouterOptions, ScalingOption {
  /** Passes over the training rows: the first stores them, the others teach routers and scorer by reward. Default 3. */
  readonly passes?: number
  /** Extra leaves to search in each tree: those about which its routers were least certain. Default 2; 0 is the paper's single path. */
  readonly probes?: number
  /** How memories become labels. Default 'auto'. */
  readonly inference?: (typeof inferences)[number]
  /** How features are weighted before rows are scaled to length 1: see `ForestClassifier`. Default 'none'. */
  readonly weighting?: Weighting
}

/** All options, defaults filled in. */
export type MemoryClassifierSettings = Required<MemoryClassifierOptions>

/** The defaults of `MemoryClassifierOptions`. */
export const memoryClassifierDefaults: MemoryClassifierSettings = Object.freeze({
  balance: memoryDefaults.balance,
  leafFactor: memoryDefaults.leafFactor,
  reroutes: memoryDefaults.reroutes,
  trees: memoryDefaults.trees,
  learner: 'logistic',
  rate: memoryDefaults.rate,
  passes: 3,
  probes: queryDefaults.probes,
  inference: 'auto',
  weighting: 'none',
  scaling: vectorDefaults.scaling,
  ...commonDefaults,
})

export function resolveMemoryClassifier(
  options: MemoryClassifierOptions,
  others?: OptionTable,
): MemoryClassifierSettings {
  // An interface has no index signature, but its fields are options by name.
  const settings = fillSettings(memoryClassifierDefaults, options as Readonly<Record<string, unknown>>, others)
  checkWhole('passes', settings.passes, 1, 1000)
  checkWhole('probes', settings.probes, 0, 1000)
  checkWord('inference', settings.inference, inferences)
  checkWord('weighting', settings.weighting, weightings)
  checkVectorOptions(settings)
  checkCommon(settings)
  resolveMemoryOptions(memoryOptionsOf(settings))
  return settings
}

/** A classifier depends on its data and its seed alone, so its memories have no time. */
export const noTime = () => 0

/** The options of the classifier's memory. */
export function memoryOptionsOf(settings: MemoryClassifierSettings): MemoryOptions {
  const { balance, leafFactor, reroutes, trees, learner, rate, seed } = settings
  // Labels are those of the leaves' memories, as in the paper.
  return { retrieval: 'tree', balance, leafFactor, reroutes, trees, learner, rate, seed }
}
