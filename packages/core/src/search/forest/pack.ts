// A forest index as the contents of a model file, in steps. Votes and links of removed rows are cleaned up on the way: in the copy, which
// the index may take over if nothing has changed meanwhile.

import type { Forest } from '../../forest/forest.ts'
import { forestMeta, forestTensors, leafTensors } from '../../forest/forest-contents.ts'
import type { PackedLeaves } from '../../forest/repack-leaves.ts'
import { type IdTable, removedRow } from '../../ids/id-table.ts'
import type { Engine } from '../../kernels/engine.ts'
import { begun, type Steps } from '../../long-work.ts'
import { rowNumbersTo } from '../../matrix/row-numbers.ts'
import type { ModelContents } from '../../store/header.ts'
import type { JsonObject } from '../../store/json.ts'
import { type Tensor, tensor1d } from '../../store/tensor.ts'
import { type OwnContents, packDense } from '../dense/dense-contents.ts'
import type { SketchCodes } from '../dense/sketch-codes.ts'
import type { Effort } from './block.ts'
import { forestMethod } from './contents.ts'
import type { ForestSettings } from './options.ts'
import type { ForestRows } from './rows.ts'
import type { ForestTuning } from './tuning.ts'

export interface ForestState {
  readonly rows: ForestRows
  readonly ids: IdTable
  readonly forest: Forest
  /** Rows removed since the leaves were packed. */
  readonly stale: ReadonlySet<number>
  readonly settings: ForestSettings
  readonly effort: Effort
  readonly tuning: ForestTuning | undefined
}

export interface PackedForest {
  readonly contents: ModelContents
  /** Without votes of removed rows; undefined if there were none. */
  readonly leaves: PackedLeaves | undefined
  /** Without removed rows. */
  readonly links: Uint32Array | undefined
}

/** As it is when the first step is taken. Readers of `engine` hold what may move meanwhile. */
export function* packForest(engine: Engine, state: ForestState): Steps<PackedForest> {
  const { rows, ids, forest } = state
  const release = engine.readers.hold()
  const begunParts: Steps<unknown>[] = []
  const begin = <T>(steps: Steps<T>): Steps<T> => {
    begunParts.push(steps)
    return begun(steps)
  }
  try {
    const removed = ids.removedRows()
    const dense = begin(packDense(engine, rows.rows, ids, describe(state)))
    const [copying, rowCopying] = [begin(liveCodes(rows.codes, removed)), rows.rowCodes]
    const rowCodes = rowCopying && begin(liveCodes(rowCopying.codes, removed))
    const mending = rows.mendedLinks()
    if (mending) begin(mending)
    const packing = packLeaves(state)
    // All that is read of the index is read before the first pause.
    const [{ parts }, labels, sketch] = [forest, ids.rows, sketchTensors(rows)]
    const trees = forestTensors(parts)
    yield
    const contents = yield* dense
    const codes = tensor1d(yield* copying)
    const own: Record<string, Tensor> = { ...sketch, codes }
    if (rowCodes) own.rowCodes = tensor1d(yield* rowCodes)
    const links = mending && (yield* mending)
    if (links) own.links = tensor1d(links)
    const leaves = packing && (yield* packing)
    if (leaves) Object.assign(trees, leafTensors(leaves))
    const about = forestMeta({ ...parts, ...(leaves && { countBits: leaves.countBits, labels }) })
    const meta = { ...contents.meta, forest: about }
    return { contents: { ...contents, meta, tensors: { ...contents.tensors, ...own, ...trees } }, leaves, links }
  } finally {
    for (const steps of begunParts) steps.return(undefined) // abandoned work gives back what it holds
    release()
  }
}

function describe({ rows, forest, stale, settings, effort, tuning }: ForestState): OwnContents {
  const { sketch, rowCodes } = rows
  const { radius, steps } = sketch.parts
  return {
    method: forestMethod,
    options: { ...settings },
    meta: {
      ...{ effort: { ...effort }, radius, steps, fitted: { ...rows.fittedWithout(stale) } },
      ...(rowCodes && { codeRange: { zero: rowCodes.zero, steps: rowCodes.steps } }),
      forest: forestMeta(forest.parts),
      // A tuning is numbers and plain objects.
      ...(tuning && { tuning: tuning as unknown as JsonObject }),
    },
  }
}

function sketchTensors({ sketch }: ForestRows): Record<string, Tensor> {
  const { axes, shifts, liftAxes, mean } = sketch.parts
  return {
    ...{ sketchAxes: tensor1d(axes), sketchShifts: tensor1d(shifts), sketchLiftAxes: tensor1d(liftAxes) },
    ...(mean && { sketchMean: tensor1d(mean) }),
  }
}

/** A file keeps nothing of removed rows. */
function* liveCodes(codes: SketchCodes, removed: readonly number[]): Steps<Uint8Array> {
  const copy = yield* codes.copySteps()
  for (const row of removed) copy.fill(0, row * codes.stride, (row + 1) * codes.stride)
  return copy
}

/** The leaves with added labels and without those of removed rows, if there are any. */
function packLeaves({ forest, stale, ids }: ForestState): Steps<PackedLeaves> | undefined {
  if (stale.size === 0 && forest.entryCounts.added === 0) return undefined
  return forest.repacking(numbersWithout(stale, ids.rows), ids.rows)
}

/** For `repack`: all labels keep their numbers, but these are dropped. */
export function numbersWithout(stale: Iterable<number>, rows: number): Uint32Array {
  const numbers = rowNumbersTo(rows)
  for (const row of stale) numbers[row] = removedRow
  return numbers
}
