// The public surface of the engine. test/exports.test.ts pins it: a new name here is a decision.

export { EngineError, type ErrorCode, type ErrorDetails, errorTable, type Place } from './errors.ts'
export type { Allocator, Arena, Scope, Slice, TypedArray } from './kernels/arena.ts'
export { defaultEngine, Engine, type EngineOptions } from './kernels/engine.ts'
export type { KernelName, Kernels } from './kernels/kernels.ts'
export type { RunOptions, WorkerPool } from './kernels/worker-pool.ts'
export { DenseMatrix, type DenseValues } from './matrix/dense-matrix.ts'
export { LabelMatrix } from './matrix/label-matrix.ts'
export { SparseMatrix, type SparseRow } from './matrix/sparse-matrix.ts'
export type { LongWork, Progress } from './progress.ts'
export { Random } from './random.ts'
