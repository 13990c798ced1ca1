// All that a memory is: what is stored, where, what was learned, and the counters that everything random follows from.

import type { Engine } from '../kernels/engine.ts'
import { GrowingSlice } from '../kernels/growing-slice.ts'
import { memoryKernels } from '../kernels/sets/memory.ts'
import { Random } from '../random.ts'
import { KeyIndex } from './index/key-index.ts'
import type { LinearModelPlace } from './learning/linear-model.ts'
import { Scorer } from './learning/scorer.ts'
import { TablePool } from './learning/table-pool.ts'
import { type Clock, checkedClock } from './memory-clock.ts'
import { KeyReader } from './memory-key.ts'
import type { MemorySettings } from './memory-options.ts'
import { MemoryTable } from './table/memory-table.ts'
import { RoutingTree, type TreeParts } from './tree/routing-tree.ts'

export interface MemoryState {
  readonly engine: Engine
  readonly settings: MemorySettings
  readonly place: LinearModelPlace
  readonly table: MemoryTable
  /** None where candidates come from the index alone. */
  readonly trees: readonly RoutingTree[]
  /** Absent where candidates come from the trees alone. */
  readonly index: KeyIndex | undefined
  readonly scorer: Scorer
  readonly reader: KeyReader
  /** Milliseconds since 1970. */
  readonly now: Clock
  /** Draws the memories that are rerouted. */
  readonly random: Random
  /** Number of changes: the clock that measures the age of memories. */
  time: number
  /** Queries so far that might explore: each has its own random generator, so that no other call changes what it draws. */
  explorations: number
}

/** Where models live. */
export function modelPlace(engine: Engine): LinearModelPlace {
  const { arena } = engine
  const saved = new GrowingSlice(arena, Uint32Array)
  return { kernels: engine.exactKernels(memoryKernels), pool: new TablePool(arena), saved, frozen: new Set() }
}

export function treeParts(place: LinearModelPlace, table: MemoryTable, settings: MemorySettings): TreeParts {
  const { learner, balance, leafFactor, rate } = settings
  return { place, keys: table.keys, learner, balance, leafFactor, rate }
}

/** The state of a memory with nothing in it. */
export function newState(engine: Engine, settings: MemorySettings, clock?: Clock): MemoryState {
  const reader = new KeyReader(settings.text) // refuses options, so it comes before anything is allocated
  const place = modelPlace(engine)
  const table = new MemoryTable(engine.arena)
  const parts = treeParts(place, table, settings)
  return {
    ...{ engine, settings, place, table },
    trees: Array.from({ length: treeCount(settings) }, () => new RoutingTree(parts)),
    index: newIndex(engine, table, settings),
    scorer: new Scorer(place),
    reader,
    now: checkedClock(clock),
    random: new Random(settings.seed),
    ...{ time: 0, explorations: 0 },
  }
}

/** How many trees a memory has. */
export function treeCount({ retrieval, trees }: MemorySettings): number {
  return retrieval === 'index' ? 0 : trees
}

export function newIndex(engine: Engine, table: MemoryTable, { retrieval }: MemorySettings): KeyIndex | undefined {
  return retrieval === 'tree' ? undefined : new KeyIndex(engine, table)
}

/** Gives the arena memory back. */
export function freeState({ table, place }: Pick<MemoryState, 'table' | 'place'>): void {
  table.keys.free()
  place.pool.free()
  place.saved.free()
}
