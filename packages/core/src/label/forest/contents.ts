// A fitted ForestClassifier as the contents of a model file, and back. A loaded model gives the same answers: saving includes everything
// added and removed. Refuses anything that could lead a kernel out of bounds.

import { EngineError } from '../../errors.ts'
import { Forest, type ForestArrays, placeParts } from '../../forest/forest.ts'
import { forestArrays, forestFault, forestMeta, forestTensors } from '../../forest/forest-contents.ts'
import { IdTable } from '../../ids/id-table.ts'
import { CopyOnWriteArrays } from '../../kernels/copy-on-write-arrays.ts'
import type { Engine } from '../../kernels/engine.ts'
import { finish } from '../../long-work.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { requireMethod } from '../../model-kinds.ts'
import { allBelow, allFinite } from '../../store/array-checks.ts'
import type { ModelContents } from '../../store/header.ts'
import type { JsonObject } from '../../store/json.ts'
import { packNames, StoredParts } from '../../store/stored-parts.ts'
import { type Tensor, tensor1d } from '../../store/tensor.ts'
import { packLabelNames, storedLabelNames } from '../label-contents.ts'
import { columnsOf } from '../reading/item-reader.ts'
import {
  readerMeta,
  readerTensors,
  storedFeatureNames,
  storedReader,
  storedThresholds,
} from '../reading/reader-contents.ts'
import { fullRows } from './kept-rows.ts'
import { type LeafMembers, LeafRows } from './leaf-rows.ts'
import { type ForestClassifierParts, type ForestModel, methodOf } from './model.ts'
import { resolveForestOptions } from './options.ts'

/** The method name in files for growers other than 'graph'. ('forest' is the index.) */
export const storedForest = 'forest-labels'

export function packForestModel(model: ForestModel): ModelContents {
  const { settings, thresholds, forest } = model
  forest.repack(undefined, model.labelNames.count)
  const { rows, labels, members } = model.rows.packed()
  const { table: ids, newRows } = model.ids.compact()
  return {
    method: methodOf(settings) === 'gpt' ? 'gpt' : storedForest,
    options: asJson(settings),
    meta: {
      ...{ rows: rows.rows, labels: model.labelNames.count, threshold: thresholds.single },
      forest: forestMeta(forest.parts),
      ...readerMeta(model),
    },
    tensors: {
      ...readerTensors(model),
      ...(model.labelScales.length > 0 && { labelScales: tensor1d(model.labelScales) }),
      ...(thresholds.byLabel && { thresholds: tensor1d(thresholds.byLabel) }),
      ...packLabelNames(model.labelNames),
      ...packNames('featureNames', model.featureNames),
      ...packNames('texts', liveTexts(model.texts, newRows)),
      ...packRows(rows, model.space !== undefined),
      ...{ labelOffsets: tensor1d(labels.offsets), labels: tensor1d(labels.indices) },
      ...{ memberOffsets: tensor1d(members.offsets), members: tensor1d(members.rows) },
      ...finish(ids.tensorSteps()),
      ...forestTensors(forest.parts),
    },
  }
}

function packRows(rows: SparseMatrix, dense: boolean): Record<string, Tensor> {
  if (dense) return { rowValues: { array: rows.values, shape: [rows.rows, rows.columns] } }
  return { rowOffsets: tensor1d(rows.offsets), rowIndices: tensor1d(rows.indices), rowValues: tensor1d(rows.values) }
}

/** For rows that were renumbered. */
function liveTexts(texts: readonly string[] | undefined, newRows: Uint32Array): string[] | undefined {
  return texts?.filter((_, row) => newRows[row] < newRows.length)
}

/** Options and states hold only what JSON can hold, though their types do not say so. */
function asJson(value: object): JsonObject {
  return value as JsonObject
}

/** The model that `packForestModel` packed; `name` is what messages call the file. */
export function unpackForestModel(contents: ModelContents, engine: Engine, name: string): ForestClassifierParts {
  requireMethod(contents, name, 'gpt', storedForest)
  const stored = new StoredParts(contents, name)
  const settings = stored.checked(() => resolveForestOptions(contents.options))
  const labelNames = storedLabelNames(stored)
  const reader = storedReader(stored)
  const columns = columnsOf(reader)
  const { rows, labels } = storedRows(stored, columns, labelNames.count, reader.space !== undefined)
  const trees = storedTrees(stored, columns, labelNames.count, reader.space !== undefined)
  const members = storedMembers(stored, trees, rows.rows)
  const read = {
    ...{ settings, labelNames, ...reader },
    featureNames: storedFeatureNames(stored, reader),
    texts: stored.names('texts', rows.rows),
    labelScales: storedScales(stored, labelNames.count),
    thresholds: storedThresholds(stored, labelNames.count),
    ids: storedIds(stored, rows.rows),
  }
  // All checks come before this line: whatever is placed in memory below has an owner.
  const arrays = new CopyOnWriteArrays(engine)
  const forest = new Forest(engine, placeParts(engine.arena, trees), arrays.discard.bind(arrays))
  const dense = reader.space !== undefined
  return { ...read, arrays, forest, rows: new LeafRows(arrays, rows, labels, members, dense) }
}

/** Saving leaves no holes: every row has an id. */
function storedIds(stored: StoredParts, rows: number): IdTable {
  const ids = stored.checked(() => IdTable.fromTensors(rows, stored.contents.tensors))
  return ids.live === rows ? ids : stored.refuse(`${rows - ids.live} of its rows have no id`)
}

/** Absent if all are 1; labels added after fitting have none. */
function storedScales(stored: StoredParts, labels: number): Float32Array {
  if (!stored.has('labelScales')) return new Float32Array(0)
  const scales = stored.amounts('labelScales', Float32Array)
  return scales.length <= labels
    ? scales
    : stored.refuse(`${scales.length} labels have a scale, but there are ${labels}`)
}

function storedRows(stored: StoredParts, columns: number, labelCount: number, dense: boolean) {
  const count = stored.whole('rows')
  const labelOffsets = stored.array('labelOffsets', Float64Array)
  const labels = stored.array('labels', Uint32Array)
  return {
    rows: dense ? storedDenseRows(stored, count, columns) : storedSparseRows(stored, count, columns),
    labels: stored.checked(() => new LabelMatrix(count, labelCount, labelOffsets, labels)),
  }
}

function storedDenseRows(stored: StoredParts, count: number, columns: number): SparseMatrix {
  const values = stored.array('rowValues', Float32Array, count * columns)
  if (!allFinite(values)) return stored.refuse('its rows have a number that is not finite')
  return stored.checked(() => fullRows(new DenseMatrix(count, columns, values)))
}

function storedSparseRows(stored: StoredParts, count: number, columns: number): SparseMatrix {
  const offsets = stored.array('rowOffsets', Float64Array)
  const indices = stored.array('rowIndices', Uint32Array)
  const values = stored.array('rowValues', Float32Array)
  if (!allFinite(values)) return stored.refuse('its rows have a number that is not finite')
  return stored.checked(() => new SparseMatrix(count, columns, offsets, indices, values))
}

function storedTrees(stored: StoredParts, dims: number, labels: number, dense: boolean): ForestArrays {
  const forest = forestArrays(stored.contents, fault => new EngineError('MODEL_DAMAGED', fault))
  const fault = forestFault(forest)
  if (fault) return stored.refuse(fault)
  // Only rows with all their numbers can be asked for one of them.
  const fits = forest.splits === 'sparse' || (dense && forest.splits !== 'node')
  if (!fits || forest.dims !== dims || forest.labels !== labels) {
    return stored.refuse('its trees were grown for other rows')
  }
  return forest
}

function storedMembers(stored: StoredParts, { rows: leafRows }: ForestArrays, count: number): LeafMembers {
  const offsets = stored.array('memberOffsets', Uint32Array, leafRows.length + 1)
  const rows = stored.array('members', Uint32Array)
  const fits = leafRows.every((size, leaf) => offsets[leaf + 1] - offsets[leaf] === size)
  if (!fits || offsets[0] !== 0 || offsets[leafRows.length] !== rows.length) {
    return stored.refuse('its leaves do not hold the rows that they count')
  }
  if (!allBelow(rows, count)) return stored.refuse('a leaf holds a row that does not exist')
  return { offsets, rows }
}
