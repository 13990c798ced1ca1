// What a new row of a forest index adds to the leaves, and when the leaves are so full of additions that they must be packed again.

import { denseLeaves } from '../../forest/dense-leaves.ts'
import type { Forest } from '../../forest/forest.ts'
import type { Engine } from '../../kernels/engine.ts'
import type { ForestRows } from './rows.ts'

/** Leaves are repacked when this share of their labels was added, or of their rows removed. */
const wornShare = 1 / 4
const fewestWorn = 4096
/** A walk that looks for the neighbors of a new row keeps this many rows per neighbor. */
const keptPerNeighbor = 4

/** Whether that many labels were added, or that many rows removed, that the leaves should be packed. */
export function isWorn({ entryCounts }: Forest, removed: number, rows: number): boolean {
  const { added, packed } = entryCounts
  return added > Math.max(fewestWorn, wornShare * packed) || removed > Math.max(fewestWorn, wornShare * rows)
}

/** Links need near rows, not the nearest: a walk finds enough of them, even if searches compare all rows. */
export function linkingEffort({ trees }: Forest, k: number) {
  return { trees, threshold: 0, probes: 2 * trees, rerank: k, walk: keptPerNeighbor * k }
}

/** What a row is added to. */
interface Growing {
  readonly engine: Engine
  readonly forest: Forest
  readonly rows: ForestRows
  /** Whether trees see sketches, not rows. */
  readonly seesSketch: boolean
  /** Whether searches walk along links. */
  readonly walks: boolean
}

/** Adds a new row to rows, codes and leaves: it counts as a training row, and for its neighbors. */
export function addRow(
  { engine, forest, rows, seesSketch, walks }: Growing,
  row: Float32Array,
  number: number,
  near: Uint32Array,
): void {
  forest.extendLabels(number + 1)
  const sketch = rows.append(row, near)
  const leaves = denseLeaves(engine, forest, seesSketch ? sketch : row)
  forest.countRow(leaves)
  forest.countLabel(number, leaves)
  // Walks reach the new row and its neighbors by their links, from any leaf.
  if (walks) return
  for (const neighbor of near) forest.countLabel(neighbor, leaves)
  // A neighbor in the nearer half usually has the new row among its own neighbors.
  for (const neighbor of near.subarray(0, Math.ceil(near.length / 2))) {
    const seen = seesSketch ? rows.sketchOf(neighbor) : rows.row(neighbor)
    forest.countLabel(number, denseLeaves(engine, forest, seen))
  }
}
