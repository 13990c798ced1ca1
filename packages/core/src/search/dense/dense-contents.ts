// The part of a model file that all dense indexes share: rows, metric and ids, and back. Removed rows are kept as zeros, so
// that all others keep their numbers, and nothing of the removed stays in the file.

import { EngineError } from '../../errors.ts'
import { IdTable } from '../../ids/id-table.ts'
import type { Engine } from '../../kernels/engine.ts'
import { begun, type Steps } from '../../long-work.ts'
import { areKeptRows } from '../../matrix/dense-checks.ts'
import { type DenseMetric, denseMetrics } from '../../matrix/dense-metric.ts'
import { requireMethod } from '../../model-kinds.ts'
import type { ModelContents } from '../../store/header.ts'
import type { JsonObject } from '../../store/json.ts'
import type { Tensor } from '../../store/tensor.ts'
import type { DenseRows } from './dense-rows.ts'

/** What makes the rows of an index. */
export interface DenseParts {
  readonly metric: DenseMetric
  readonly dims: number
  /** Prepared rows [ids.rows × dims]; none if an index keeps codes in their place. */
  readonly values: Float32Array
  readonly ids: IdTable
}

/** The method's name, and what it stores in addition to the rows. */
export interface OwnContents {
  readonly method: string
  readonly options?: JsonObject
  readonly meta?: JsonObject
  readonly tensors?: Readonly<Record<string, Tensor>>
}

/** In steps, as it is when the first one is taken. Readers of `engine` hold the rows: they may move or be freed meanwhile. */
export function* packDense(engine: Engine, rows: DenseRows, ids: IdTable, own: OwnContents): Steps<ModelContents> {
  const { metric, dims } = rows
  const shape = [rows.rows, dims]
  const total = ids.rows
  const release = engine.readers.hold()
  try {
    const removed = rows.rows > 0 ? ids.removedRows() : []
    const [copying, naming] = [begun(rows.copySteps()), begun(ids.tensorSteps())]
    yield
    const values = yield* copying
    for (const row of removed) values.fill(0, row * dims, (row + 1) * dims)
    const names = yield* naming
    return {
      method: own.method,
      options: { metric, ...own.options },
      meta: { rows: total, dims, ...own.meta },
      tensors: { rows: { array: values, shape }, ...names, ...own.tensors },
    }
  } finally {
    release()
  }
}

/** `name` is what messages call the source. Refuses what could lead a kernel out of its arrays, or to no number. */
export function unpackDense(contents: ModelContents, method: string, name: string): DenseParts {
  const metric = denseMetrics.find(known => known === contents.options.metric)
  const { rows, dims } = contents.meta
  const values = contents.tensors.rows?.array
  requireMethod(contents, name, method)
  if (!metric) throw damaged(name, method, `its metric is ${contents.options.metric}`)
  if (!isCount(rows) || !isCount(dims) || dims === 0) throw damaged(name, method, 'its rows and dims are missing')
  if (!(values instanceof Float32Array)) throw damaged(name, method, 'there is no Float32Array "rows"')
  // An index may keep codes in the place of its rows.
  const kept = ['codes', 'sketch'].includes(String(contents.options.keep)) ? 0 : rows
  if (values.length !== kept * dims) {
    throw damaged(name, method, `it has ${values.length} numbers for ${kept} × ${dims}`)
  }
  const ids = unpackIds(contents, rows, name)
  if (!areKeptRows(values, dims, metric, row => ids.idOf(row) === undefined)) {
    throw damaged(name, method, 'its rows have numbers that are not finite, or impossible lengths')
  }
  return { metric, dims, values, ids }
}

/** The error for contents that are no index of the method. */
export function damaged(name: string, method: string, fault: string, cause?: unknown): EngineError {
  return new EngineError('MODEL_DAMAGED', `${name} is not a valid '${method}' index: ${fault}`, { cause })
}

function unpackIds({ method, tensors }: ModelContents, rows: number, name: string): IdTable {
  try {
    return IdTable.fromTensors(rows, tensors)
  } catch (cause) {
    throw damaged(name, method, 'its ids do not fit its rows', cause)
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
