// What a forest index learns from: its rows with their sketches, or rows of the caller's, and the neighbors of each.

import { EngineError } from '../../errors.ts'
import { type NeighborLists, selfLists } from '../../forest/label-source.ts'
import { countsNeighbors } from '../../forest/rule.ts'
import type { Scope, Slice } from '../../kernels/arena.ts'
import type { Engine } from '../../kernels/engine.ts'
import type { Discard } from '../../kernels/readers.ts'
import type { LongWork } from '../../long-work.ts'
import type { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { DenseRows } from '../dense/dense-rows.ts'
import { Sketch } from '../dense/sketch.ts'
import { SketchCodes } from '../dense/sketch-codes.ts'
import { bootstrapLists, exactLists } from './neighbor-lists.ts'
import type { ForestSettings } from './options.ts'

export interface RowParts {
  readonly rows: DenseRows
  readonly sketch: Sketch
  readonly codes: SketchCodes
}

/** With the sketches themselves, while the index is built. */
export interface SketchedRows extends RowParts {
  readonly sketches: Slice<Float32Array>
}

export interface BuildOptions extends LongWork {
  readonly settings: ForestSettings
  readonly neighborLists: 'bootstrap' | 'exact' | NeighborLists
  readonly training?: DenseMatrix | undefined
  readonly threads?: number | undefined
  readonly discard: Discard
}

/** The rows' sketches, which stay in the scope, and the codes made of them. */
export async function sketchRows(
  engine: Engine,
  scope: Scope,
  rows: DenseRows,
  { settings, threads, discard, signal, onProgress }: BuildOptions,
): Promise<SketchedRows> {
  const work = { signal, onProgress }
  const dims = Math.min(settings.sketchDims, rows.dims)
  const sketch = await Sketch.fit(engine, { ...work, rows, dims, seed: settings.seed, threads })
  try {
    const sketches = await sketch.sketchAll(scope, rows, threads, work)
    const slice = engine.arena.allocate(Uint8Array, rows.rows * sketch.stride, 'the codes of the rows')
    sketch.encode(sketches.pointer, rows.rows, slice.pointer)
    return { rows, sketch, sketches, codes: new SketchCodes(engine.arena, sketch.stride, slice, discard) }
  } catch (error) {
    sketch.free()
    throw error
  }
}

/** Rows to learn from: what trees see of them, and their neighbors among the corpus rows. */
export interface TrainingRows {
  readonly view: Pick<Slice<Float32Array>, 'pointer' | 'array'>
  readonly rows: number
  readonly dims: number
  /** The corpus rows that each counts for. */
  readonly lists: NeighborLists
}

/** The training rows: the corpus, or rows of the caller's, placed in the scope. */
export async function trainingRows(
  engine: Engine,
  scope: Scope,
  parts: SketchedRows,
  build: BuildOptions,
): Promise<TrainingRows> {
  const { settings, training, threads, signal, onProgress } = build
  const work = { signal, onProgress }
  if (!training) {
    const lists = countsNeighbors(settings.rule) ? await corpusLists(engine, parts, build) : selfLists(parts.rows.rows)
    const view = settings.view === 'sketch' ? parts.sketches : viewOf(parts.rows)
    const dims = settings.view === 'sketch' ? parts.sketch.dims : parts.rows.dims
    return { view, rows: parts.rows.rows, dims, lists }
  }
  if (!countsNeighbors(settings.rule)) {
    throw new EngineError(
      'INVALID_OPTION',
      `rule is '${settings.rule}', which counts corpus rows and takes no training rows`,
    )
  }
  const own = DenseRows.from(engine, parts.rows.metric, training, 'training row')
  try {
    const lists = await givenLists(engine, parts.rows, own, build)
    const view =
      settings.view === 'sketch'
        ? await parts.sketch.sketchAll(scope, own, threads, work)
        : scope.place(own.toArray(), 'training rows')
    return { view, rows: own.rows, dims: settings.view === 'sketch' ? parts.sketch.dims : own.dims, lists }
  } finally {
    own.free()
  }
}

function viewOf(rows: DenseRows): TrainingRows['view'] {
  return { pointer: rows.pointer, array: rows.array }
}

async function corpusLists(engine: Engine, parts: SketchedRows, build: BuildOptions): Promise<NeighborLists> {
  const { settings, neighborLists, threads, signal, onProgress } = build
  if (neighborLists !== 'bootstrap') return givenLists(engine, parts.rows, parts.rows, build)
  const { sketches, rows, sketch, codes } = parts
  const { lists } = await bootstrapLists(engine, {
    ...{ searched: { rows, sketch, codes }, sketches, k: settings.labelNeighbors, seed: settings.seed, threads },
    ...{ signal, onProgress },
  })
  return lists
}

/** Lists that the caller gave, or exact ones. */
async function givenLists(
  engine: Engine,
  rows: DenseRows,
  training: DenseRows,
  { settings, neighborLists, threads, signal, onProgress }: BuildOptions,
): Promise<NeighborLists> {
  if (typeof neighborLists === 'object') return checkLists(neighborLists, training.rows, rows.rows)
  const work = { threads, signal, onProgress }
  return exactLists(engine, rows, training, settings.labelNeighbors, work)
}

function checkLists(lists: NeighborLists, training: number, corpus: number): NeighborLists {
  if (lists.counts.length !== training || lists.rows.length !== training * lists.k) {
    const message = `neighborLists hold ${lists.counts.length} lists in ${lists.rows.length} numbers, expected ${training} of ${lists.k}`
    throw new EngineError('DIMENSION_MISMATCH', message)
  }
  for (let i = 0; i < training; i++) {
    if (lists.counts[i] > lists.k) throw badList(i, `has ${lists.counts[i]} neighbors, expected at most ${lists.k}`)
    const own = lists.rows.subarray(i * lists.k, i * lists.k + lists.counts[i])
    const beyond = own.find(row => row >= corpus)
    if (beyond !== undefined) throw badList(i, `names row ${beyond}, the corpus has rows 0 to ${corpus - 1}`)
    if (new Set(own).size < own.length) throw badList(i, 'names a row twice')
  }
  return lists
}

function badList(i: number, fault: string): EngineError {
  return new EngineError('BAD_DATA', `neighbor list ${i} ${fault}`)
}

/** Only these training rows, copied into the scope. */
export function pickTraining(scope: Scope, training: TrainingRows, picked: Uint32Array): TrainingRows {
  const { dims, lists } = training
  const view = scope.allocate(Float32Array, picked.length * dims, 'training rows')
  const source = training.view.array
  for (let i = 0; i < picked.length; i++) {
    view.array.set(source.subarray(picked[i] * dims, (picked[i] + 1) * dims), i * dims)
  }
  const rows = picked.length
  const { k } = lists
  const some = new Uint32Array(rows * k)
  for (let i = 0; i < rows; i++) some.set(lists.rows.subarray(picked[i] * k, (picked[i] + 1) * k), i * k)
  return { view, rows, dims, lists: { k, rows: some, counts: Uint32Array.from(picked, row => lists.counts[row]) } }
}
