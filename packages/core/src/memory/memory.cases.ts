// What the tests of memories share: engines with their rooms, keys, and a memory as bytes.

import type { Id } from '../ids/id.ts'
import type { Engine } from '../kernels/engine.ts'
import type { SparseRow } from '../matrix/sparse-matrix.ts'
import { Random } from '../random.ts'
import { encodeModel } from '../store/write-model.ts'
import { logisticLearner } from './learning/learner.ts'
import type { KeyAt } from './learning/linear-model.ts'
import { modelPlace } from './memory-state.ts'
import type { MemoryTree } from './memory-tree.ts'
import { KeyStore } from './table/key-store.ts'
import type { StoredMemory } from './table/memory-table.ts'
import { RoutingTree, type TreeParts } from './tree/routing-tree.ts'
import { isLeaf, type Leaf, nodesBelow } from './tree/tree-node.ts'

/** { 3: 0.5, 7: 1 } as a row; whole numbers are ascending keys of any object. */
export function sparse(entries: Readonly<Record<number, number>>): SparseRow {
  return {
    indices: Uint32Array.from(Object.keys(entries), Number),
    values: Float32Array.from(Object.values(entries)),
  }
}

/** Stands still, so that the same calls make the same memory. */
export const clock = () => 0

/** A memory as tables keep it. */
export function storedMemory(id: Id, changes: Partial<StoredMemory> = {}): StoredMemory {
  const empty = {
    learnedAs: undefined,
    text: undefined,
    namespace: undefined,
    metadata: undefined,
    createdAt: 0,
    expiresAt: undefined,
    born: 0,
    touched: 0,
    reward: 0,
    rewards: 0,
  }
  return { id, value: 'null', ...empty, ...changes }
}

/** All of a memory as its file would hold it, but for the time of day. */
export function bytesOf(memory: MemoryTree): string {
  const { tensors, ...rest } = memory.contents()
  const { times: _, ...timeless } = tensors
  return Buffer.concat(encodeModel({ ...rest, tensors: timeless })).toString('latin1')
}

/** A row in the arena, never freed: engines of tests are closed as a whole. */
export function placed({ arena }: Engine, { indices, values }: SparseRow): KeyAt {
  return { features: arena.place(indices).pointer, values: arena.place(values).pointer, count: indices.length }
}

/** A tree without a memory around it, and its keys. */
export function bareTree(engine: Engine, options: Partial<TreeParts> = {}): { tree: RoutingTree; keys: KeyStore } {
  const keys = new KeyStore(engine.arena)
  const settings = { learner: logisticLearner, balance: 0.9, leafFactor: 1, rate: 0.5, ...options }
  return { tree: new RoutingTree({ place: modelPlace(engine), keys, ...settings }), keys }
}

/** `count` keys of `size` features out of `features`, drawn with a seed. */
export function drawnRows(seed: number, count: number, features = 30, size = 4): SparseRow[] {
  const random = new Random(seed)
  return Array.from({ length: count }, () => ({
    indices: random.sample(features, size),
    values: Float32Array.from({ length: size }, () => 0.1 + random.float()),
  }))
}

export function leavesOf(tree: RoutingTree): Leaf[] {
  return [...nodesBelow(tree.root)].filter(isLeaf)
}
