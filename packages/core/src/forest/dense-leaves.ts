// Which leaves a dense point falls into.

import type { Engine } from '../kernels/engine.ts'
import { forestKernels } from '../kernels/sets/forest.ts'
import type { Forest } from './forest.ts'

/** The leaf of each tree for a point, as trees see it. */
export function denseLeaves(engine: Engine, forest: Forest, point: Float32Array): Uint32Array {
  const scope = engine.arena.scope()
  try {
    const { pointer } = scope.place(point)
    const projected = scope.allocate(Float32Array, forest.trees * forest.parts.depth + 4)
    const leaves = scope.allocate(Uint32Array, forest.trees)
    engine.exactKernels(forestKernels).denseLeaves(forest.pointer, pointer, projected.pointer, leaves.pointer)
    return leaves.array.slice()
  } finally {
    scope.free()
  }
}
