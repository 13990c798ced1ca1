// The public surface of labeling by margin and of condensing, apart from the engine: who does not use it does not load it.

export { type Condensed, type CondenseOptions, condense } from './label/condense.ts'
export { MarginClassifier } from './label/margin-classifier.ts'
export { marginMethod } from './label/margin-method.ts'
export type { ErrorBound, MarginReport, Perturbation } from './label/margin-model.ts'
export {
  type MarginOptions,
  type MarginSettings,
  marginDefaults,
  type OwnDistance,
  type OwnDistanceOption,
} from './label/margin-options.ts'
export type { TriedGap } from './label/margin-selection.ts'
export type { MarginTuningOptions } from './label/margin-tuner.ts'
