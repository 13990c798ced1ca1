// What programs call: indexes, classifiers, data, measures, errors and the types of their options. Files are read and written by ./data.ts;
// what only our own packages use is in ./internals.ts. test/exports.test.ts pins all of them: a new name here is a decision.

export { type ColumnsRead, type Dataset, type SkippedRow, selectRows } from './data/dataset.ts'
export type { Item, ItemList, Items } from './data/given/items.ts'
export type { LabeledItems, LabeledText, LabeledVector } from './data/given/labeled.ts'
export type { NetRows, OwnItem, TextItem } from './data/given/net-rows.ts'
export type { DenseItems, SparseItems, VectorItem } from './data/given/rows.ts'
export { registerStemmer, type Stemmer } from './data/text/stemmer.ts'
export { type TextOptions, textDefaults } from './data/text/text-options.ts'
export { type FittedText, TextPipeline } from './data/text/text-pipeline.ts'
export { type VocabularyGaps, vocabularyGaps } from './data/vocabulary/apply-vocabulary.ts'
export { type Concept, Vocabulary, type VocabularyOptions } from './data/vocabulary/vocabulary.ts'
export { EngineError, type ErrorCode, type ErrorDetails, errorTable, type Place } from './errors.ts'
export {
  type NeighborDistances,
  type NeighborRows,
  neighborRecall,
  neighborRecallByDistance,
} from './evaluate/ann-recall.ts'
export { type EvaluateOptions, evaluate, type Metrics } from './evaluate/evaluate.ts'
export { type LabelReport, labelReport } from './evaluate/label-report.ts'
export { type MetricName, metricDirections, metricNames } from './evaluate/metrics.ts'
export { constantAccuracy, entropyReduction, ProgressiveValidation } from './evaluate/online.ts'
export type { RankedLabels } from './evaluate/predictions.ts'
export {
  type LabelFrequencies,
  labelPropensities,
  type PropensityOptions,
  propensityDefaults,
  propensityNdcgAt,
  propensityPrecisionAt,
} from './evaluate/propensity.ts'
export { coverageAt, ndcgAt, precisionAt, recallAt } from './evaluate/ranking.ts'
export { type RiskPoint, riskCoverage } from './evaluate/risk-coverage.ts'
export { type SetMeasures, setMeasures } from './evaluate/sets.ts'
export {
  applyThresholds,
  chooseThresholds,
  type ThresholdKind,
  type Thresholds,
  thresholdDefaults,
} from './evaluate/thresholds.ts'
export type { NeighborLists } from './forest/label-source.ts'
export type { RuleName } from './forest/rule.ts'
export type { Id } from './ids/id.ts'
export { removedRow } from './ids/id-table.ts'
export { defaultEngine, Engine, type EngineOptions, type LoadOptions, type ModelPlace } from './kernels/engine.ts'
export type {
  BatchOptions,
  Classifier,
  ExplainedSuggestion,
  Explanation,
  FeatureReason,
  LabelBatch,
  NamedLabel,
  NeighborReason,
  PathStep,
  PredictOptions,
  Suggestion,
  TreePath,
} from './label/classifier.ts'
export type { DescribedNode, DescribedSplit } from './label/described-node.ts'
export {
  type ClassifierEvaluation,
  type EvaluateClassifierOptions,
  evaluateClassifier,
} from './label/evaluate-classifier.ts'
export { ForestClassifier } from './label/forest/forest-classifier.ts'
export {
  type ForestClassifierOptions,
  type ForestClassifierSettings,
  forestClassifierDefaults,
} from './label/forest/options.ts'
export type { ForestTuningOptions } from './label/forest/tuner.ts'
export { LcifClassifier } from './label/lcif/lcif-classifier.ts'
export {
  type LcifMethod,
  type LcifOptions,
  type LcifSettings,
  lcifDefaults,
} from './label/lcif/options.ts'
export type { LcifTuningOptions } from './label/lcif/tuning.ts'
export { type LcifGrid, lcifPaperGrid } from './label/lcif/tuning-grid.ts'
export type { FitOptions, Weighting } from './label/options.ts'
export {
  findMethod,
  loadClassifier,
  type Method,
  type MethodOptions,
  methodNames,
  registerMethod,
} from './label/registry.ts'
export type { Tuned, TunedPoint, TuningResult } from './label/tuning/result.ts'
export type { LongWork, Progress } from './long-work.ts'
export { DenseMatrix } from './matrix/dense-matrix.ts'
export type { DenseMetric } from './matrix/dense-metric.ts'
export type { DenseValues } from './matrix/dense-values.ts'
export type { DenseVector, SparseLists, SparseVector } from './matrix/given-vector.ts'
export { LabelMatrix } from './matrix/label-matrix.ts'
export { SparseMatrix, type SparseRow } from './matrix/sparse-matrix.ts'
export { Random } from './random.ts'
export { type CurveOptions, type CurvePoint, measureCurve, paretoFront } from './search/curve.ts'
export type { DenseBatchOptions, DenseFitOptions, DenseIndex, DenseSearchOptions } from './search/dense-index.ts'
export { ExactIndex } from './search/exact/exact-index.ts'
export type { PreparedFilter } from './search/filters/prepared-filter.ts'
export type { Effort } from './search/forest/block.ts'
export { ForestIndex } from './search/forest/forest-index.ts'
export type { TunedK } from './search/forest/larger-k.ts'
export {
  type ForestBatchOptions,
  type ForestFitOptions,
  type ForestOptions,
  type ForestSearchOptions,
  type ForestSettings,
  forestDefaults,
} from './search/forest/options.ts'
export type { TunedSift } from './search/forest/sift-tuning.ts'
export type { TriedEffort } from './search/forest/trials/effort-trials.ts'
export type { ForestTuning, TuningStage } from './search/forest/tuning.ts'
export { InvertedIndex } from './search/inverted/inverted-index.ts'
export type { InvertedOptions, SparseBatchOptions, SparseSearchOptions } from './search/inverted/options.ts'
export type { Filter, ItemFilter, Neighbor } from './search/neighbor.ts'
export type { NeighborArrays, NeighborBatch } from './search/neighbor-batch.ts'
export {
  findIndexKind,
  type IndexFitOptions,
  type IndexKind,
  indexKinds,
  loadIndex,
  type OpenedIndex,
  registerIndexKind,
} from './search/registry.ts'
export type { QueryOptions, SearchIndex, Vector, VectorBatchOptions, VectorItems } from './search/search-index.ts'
export type { Algorithm } from './search/sparse/layout.ts'
export type { SparseMetric } from './search/sparse/metric.ts'
export type { SparseEffort } from './search/sparse-forest/finder.ts'
export {
  type SparseForestBatchOptions,
  type SparseForestFitOptions,
  type SparseForestOptions,
  type SparseForestSearchOptions,
  type SparseForestSettings,
  sparseForestDefaults,
} from './search/sparse-forest/options.ts'
export { SparseForestIndex } from './search/sparse-forest/sparse-forest-index.ts'
export type { AtomicWriteOptions } from './store/files/write-options.ts'
export { inspectModel, type ModelFacts, type TensorFacts } from './store/inspect-model.ts'
export type { Json, JsonObject } from './store/json.ts'
export type { ModelBytes } from './store/open-model.ts'
export type { GrowerOptions } from './trees/grower-options.ts'
export type { GrowerName } from './trees/growers.ts'
