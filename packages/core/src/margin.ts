// The entry point for methods that work with any distance: the net, labeling by margin, condensing. Separate, so that programs that do
// not use it do not load it.

export { type Condensed, type CondenseOptions, condense } from './label/margin/condense.ts'
export { MarginClassifier } from './label/margin/margin-classifier.ts'
export { marginMethod } from './label/margin/method.ts'
export type { ErrorBound, MarginReport, Perturbation } from './label/margin/model.ts'
export {
  type MarginLoadOptions,
  type MarginOptions,
  type MarginSettings,
  marginDefaults,
  type OwnDistance,
  type OwnDistanceOption,
} from './label/margin/options.ts'
export type { TriedGap } from './label/margin/separation/selection.ts'
export type { MarginTuningOptions } from './label/margin/tuner.ts'
export type { DimensionEstimate } from './nets/dimension.ts'
export type { NetItems } from './nets/items.ts'
export type { Metric } from './nets/metrics/metric.ts'
export { type MetricFaultOptions, metricFault } from './nets/metrics/metric-fault.ts'
export { type ItemLayout, type MetricItem, netMetrics } from './nets/metrics/named-metrics.ts'
export { netKind } from './search/net/kind.ts'
export { NetIndex, type NetQuery } from './search/net/net-index.ts'
export type { NetBatchOptions, NetLoadOptions, NetOptions, NetSearchOptions } from './search/net/options.ts'
