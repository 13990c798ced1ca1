// Which leaves a sparse row falls into, in a forest with sparse splits.

import { placeBlock } from '../kernels/blocks.ts'
import type { Engine } from '../kernels/engine.ts'
import { sparseQueryBlock } from '../kernels/generated/blocks/forest.ts'
import { sparseKernels } from '../kernels/sets/sparse.ts'
import { knownFeatures } from '../matrix/known-features.ts'
import type { SparseRow } from '../matrix/sparse-matrix.ts'
import type { Forest } from './forest.ts'

/** The leaf of each tree. Later rows may have features that the trees do not know. */
export function sparseLeaves(engine: Engine, forest: Forest, row: SparseRow): Uint32Array {
  const { indices, values } = knownFeatures(row, forest.dims)
  const scope = engine.arena.scope()
  try {
    const scattered = scope.allocate(Float32Array, forest.dims)
    for (let e = 0; e < indices.length; e++) scattered.array[indices[e]] = values[e]
    // Kernels fill whole vectors: up to seven more.
    const products = scope.allocate(Float32Array, forest.parts.listed + 7)
    const query = placeBlock(scope, sparseQueryBlock, {
      indices: scope.place(indices).pointer,
      values: scope.place(values).pointer,
      count: indices.length,
      scattered: scattered.pointer,
      products: products.pointer,
      seen: 0,
    })
    const leaves = scope.allocate(Uint32Array, forest.trees)
    engine.exactKernels(sparseKernels).sparseLeaves(forest.pointer, query.pointer, leaves.pointer)
    return leaves.array.slice()
  } finally {
    scope.free()
  }
}
