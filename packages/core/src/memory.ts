// The entry point for the memory and for labeling with it. Separate, so that programs that do not use it do not load it.

export { MemoryClassifier } from './label/memory/memory-classifier.ts'
export { memoryMethod } from './label/memory/method.ts'
export {
  type MemoryClassifierOptions,
  type MemoryClassifierSettings,
  memoryClassifierDefaults,
} from './label/memory/options.ts'
export type { MemoryTuningOptions } from './label/memory/tuner.ts'
export type { LearnOptions } from './memory/call-options.ts'
export type { HitExplanation, SharedFeature } from './memory/explain-hit.ts'
export { type Learner, logisticLearner, squaredLearner } from './memory/learning/learner.ts'
export type { MemoryCountOptions, MemoryListOptions, NamespaceCount } from './memory/list-memories.ts'
export type { MemoryStats, TreeStats } from './memory/memory-check.ts'
export type { HybridKey, KeyKind, KeyShape, MemoryKey, SparseKey } from './memory/memory-key.ts'
export { type MemoryOptions, type MemoryPlace, type MemorySettings, memoryDefaults } from './memory/memory-options.ts'
export {
  type AskedQuery,
  type Exploration,
  type Hit,
  type MemoryFilter,
  type MemoryQueryOptions,
  queryDefaults,
  type Rewarded,
} from './memory/memory-query.ts'
export type {
  InsertOptions,
  Memory,
  MemoryChanges,
  MemoryUpsertOptions,
} from './memory/memory-record.ts'
export { MemoryTree } from './memory/memory-tree.ts'
export { type Replayed, type ReplayedMemory, type ReplayOptions, replayMemory } from './memory/replay-memory.ts'
