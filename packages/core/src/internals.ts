// What our own packages, tests and benchmarks use of the engine: memory, kernels, model files, checks of options. Unstable: names here may
// change or go in any release, so programs should not need them. test/exports.test.ts pins them too.

export { clausesOf, conditionWords, meetsAll } from './collection/filters/metadata-filter.ts'
export { TextIndex } from './collection/text/text-index.ts'
export { openInput, readAll } from './data/bytes/byte-source.ts'
export { readLines } from './data/bytes/lines.ts'
export { checkUnpacked, maxUnpacked } from './data/bytes/unpacked-size.ts'
export { checkDataset } from './data/dataset.ts'
export { detectFormat, findFormat, formatsByExtension } from './data/formats.ts'
export { hasLongNumber, quoteLongNumbers } from './data/records/exact-numbers.ts'
export { arrayAsLines } from './data/records/json-array.ts'
export { RecordReader } from './data/records/record-reader.ts'
export { countsRows, textColumnNames } from './data/table/columns.ts'
export { scanCsv } from './data/table/csv.ts'
export { findStemmer } from './data/text/stemmer.ts'
export type { TextState } from './data/text/text-state.ts'
export { abortedError, shown, throwIfAborted } from './errors.ts'
export { checkMetricName, isBetter } from './evaluate/metrics.ts'
export { thresholdKinds } from './evaluate/thresholds.ts'
export { ruleNames } from './forest/rule.ts'
export type { Allocator, Arena, Scope, Slice, TypedArray } from './kernels/arena.ts'
export type { KernelName, KernelSet, SetName } from './kernels/modules/kernel-set.ts'
export { type ExactSearchKernels, exactSearchKernels } from './kernels/sets/exact.ts'
export { type ForestKernels, forestKernels } from './kernels/sets/forest.ts'
export { type ForestLabelKernels, forestLabelKernels } from './kernels/sets/forest-label.ts'
export { type LabelKernels, labelKernels } from './kernels/sets/label.ts'
export { type MemoryKernels, memoryKernels } from './kernels/sets/memory.ts'
export { type SparseKernels, sparseKernels } from './kernels/sets/sparse.ts'
export { type TextKernels, textKernels } from './kernels/sets/text.ts'
export { type TreeKernels, treeKernels } from './kernels/sets/trees.ts'
export { type VectorKernels, vectorKernels } from './kernels/sets/vectors.ts'
export type { RunOptions, WorkerPool } from './kernels/worker-pool.ts'
export { type AlignedLabels, alignLabels } from './label/align-labels.ts'
export { itemsOf } from './label/items.ts'
export { Pauses } from './long-work.ts'
export { denseMetrics } from './matrix/dense-metric.ts'
export { TextRows } from './matrix/text-rows.ts'
export { checkReplay } from './memory/replay-memory.ts'
export { didYouMean } from './nearest-names.ts'
export {
  type Check,
  checkBoolean,
  checkedLater,
  checkFunction,
  checkOptions,
  checkSignal,
  checkText,
  checkTexts,
  checkWhole,
  fillOptions,
  type OptionTable,
  optionTable,
  refuse,
  unknownOption,
} from './options.ts'
export { treeDefaults } from './plot/shown-tree.ts'
export { textPlot } from './plot/text-plot.ts'
export { formatCount, formatCountOf, oneLine, shorten } from './plot/words.ts'
export { defaultIndexKind, saveIndex } from './search/registry.ts'
export { layoutOf, requireVectors, type VectorLayout, type Vectors } from './search/search-index.ts'
export type { NearestBatch } from './search/sparse/batch.ts'
export { algorithms } from './search/sparse/layout.ts'
export type { NearestRows } from './search/sparse/query-buffers.ts'
export { type KeptTruth, keptTruth } from './search/truth-cache.ts'
export { writeAtomically } from './store/files/atomic-file.ts'
export { readModel, writeModel } from './store/files/model-file.ts'
export type { ModelContents } from './store/header.ts'
export { packStrings, unpackStrings } from './store/packed-strings.ts'
export { decodeModel } from './store/read-model.ts'
export { contentsInTurns, type Saveable } from './store/saveable.ts'
export { type Dtype, type Tensor, type TensorArray, tensor1d } from './store/tensor.ts'
export { encodeModel } from './store/write-model.ts'
export { growerNames } from './trees/growers.ts'
