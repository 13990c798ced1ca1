// A fitted MemoryClassifier as the contents of a model file, and back.

import type { Id } from '../../ids/id.ts'
import type { Engine } from '../../kernels/engine.ts'
import type { Steps } from '../../long-work.ts'
import type { LinearModel, LinearModelPlace } from '../../memory/learning/linear-model.ts'
import { ModelReader, packModels } from '../../memory/learning/model-contents.ts'
import { MemoryTree } from '../../memory/memory-tree.ts'
import { requireMethod } from '../../model-kinds.ts'
import type { ModelContents } from '../../store/header.ts'
import { isJsonObject, type JsonObject } from '../../store/json.ts'
import { packNames, StoredParts } from '../../store/stored-parts.ts'
import { type Tensor, tensor1d } from '../../store/tensor.ts'
import { packLabelNames, storedLabelNames } from '../label-contents.ts'
import {
  readerMeta,
  readerTensors,
  storedFeatureNames,
  storedReader,
  storedThresholds,
} from '../reading/reader-contents.ts'
import { WorkUnderWay } from '../work-under-way.ts'
import { labelPlace, type MemoryLabelModel } from './model.ts'
import { OneAgainstSome, type VoteWeight } from './one-against-some.ts'
import { noTime, resolveMemoryClassifier } from './options.ts'

/** The method name in files. ('memory' is a memory without labels.) */
export const storedMemoryLabels = 'memory-labels'

/** Before the names of the memory's own tensors. */
const prefix = 'memory.'

export function packMemoryModel(model: MemoryLabelModel): ModelContents {
  const { settings, thresholds, labeler, bare, texts } = model
  const memory = model.memory.contents()
  return {
    method: storedMemoryLabels,
    options: asJson(settings),
    meta: {
      ...{ threshold: thresholds.single, memory: { options: memory.options, meta: memory.meta } },
      bare: [...bare].map(([id, labels]) => [id, labels]),
      nextId: model.nextId,
      ...(labeler && { votes: { ...labeler.votes } }),
      ...readerMeta(model),
    },
    tensors: {
      ...readerTensors(model),
      ...(thresholds.byLabel && { thresholds: tensor1d(thresholds.byLabel) }),
      ...packLabelNames(model.labelNames),
      ...packNames('featureNames', model.featureNames),
      ...packNames('textIds', texts && [...texts.keys()].map(id => JSON.stringify(id))),
      ...packNames('texts', texts && [...texts.values()]),
      ...(labeler && packLabeler(labeler)),
      ...Object.fromEntries(Object.entries(memory.tensors).map(([name, tensor]) => [prefix + name, tensor])),
    },
  }
}

/** Options and states hold only what JSON can hold, though their types do not say so. */
function asJson(value: object): JsonObject {
  return value as JsonObject
}

/** The models one after the other; `labelModels` says whose they are. */
function packLabeler({ models }: OneAgainstSome): Record<string, Tensor> {
  const taught = [...models.entries()].flatMap(([label, model]) => (model ? [{ label, model }] : []))
  return {
    labelModels: tensor1d(Uint32Array.from(taught, ({ label }) => label)),
    labelWords: tensor1d(packModels(taught.map(({ model }) => model))),
  }
}

/** The model that `packMemoryModel` packed, in steps; `name` is what messages call the file. */
export function* unpackMemoryModel(contents: ModelContents, engine: Engine, name: string): Steps<MemoryLabelModel> {
  requireMethod(contents, name, storedMemoryLabels)
  const stored = new StoredParts(contents, name)
  const settings = stored.checked(() => resolveMemoryClassifier(contents.options))
  const labelNames = storedLabelNames(stored)
  const reader = storedReader(stored)
  const read = {
    ...{ settings, labelNames, ...reader },
    featureNames: storedFeatureNames(stored, reader),
    thresholds: storedThresholds(stored, labelNames.count),
    texts: readTexts(stored),
    bare: readBare(stored, labelNames.count),
    nextId: stored.whole('nextId'),
    underWay: new WorkUnderWay(),
  }
  const memory = yield* MemoryTree.restoring(memoryContents(stored), { engine, name, clock: noTime })
  const place = labelPlace(engine)
  try {
    checkLabels(stored, memory, labelNames.count)
    return { ...read, ...place, memory, labeler: readLabeler(stored, place, labelNames.count) }
  } catch (error) {
    for (const part of [memory, place.pool, place.key]) part.free()
    throw error
  }
}

function memoryContents(stored: StoredParts): ModelContents {
  const { memory } = stored.contents.meta
  if (!isJsonObject(memory) || !isJsonObject(memory.options) || !isJsonObject(memory.meta)) {
    return stored.refuse('it has no memory')
  }
  const { keys } = memory.meta
  // The memory gets all items as sparse rows.
  const areSparse = keys === undefined || (isJsonObject(keys) && keys.kind === 'sparse' && keys.dims === 0)
  if (!areSparse) return stored.refuse(`the keys of its memory are ${JSON.stringify(keys)}`)
  const own = Object.entries(stored.contents.tensors).filter(([name]) => name.startsWith(prefix))
  const tensors = Object.fromEntries(own.map(([name, tensor]) => [name.slice(prefix.length), tensor]))
  return { method: 'memory', options: memory.options, meta: memory.meta, tensors }
}

/** Checked here, because a value that is not a list of labels would only fail much later. */
function checkLabels(stored: StoredParts, memory: MemoryTree, labels: number): void {
  for (const { value } of memory.memories()) {
    if (!isLabelList(value, labels)) stored.refuse(`a memory holds ${JSON.stringify(value)}, expected labels`)
  }
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || Number.isFinite(value)
}

function isLabelList(value: unknown, labels: number): value is readonly number[] {
  const isLabel = (label: unknown) =>
    typeof label === 'number' && Number.isInteger(label) && label >= 0 && label < labels
  return Array.isArray(value) && value.every(isLabel)
}

function readTexts(stored: StoredParts): Map<Id, string> | undefined {
  const texts = stored.names('texts')
  const ids = stored.names('textIds')
  if (!texts || !ids) return undefined
  if (texts.length !== ids.length) return stored.refuse(`it has ${texts.length} texts for ${ids.length} rows`)
  return new Map(ids.map((json, i) => [readId(stored, json), texts[i]]))
}

function readId(stored: StoredParts, json: string): Id {
  const id: unknown = stored.checked(() => JSON.parse(json))
  return isId(id) ? id : stored.refuse(`a text belongs to ${json}, expected an id`)
}

function readBare(stored: StoredParts, labelCount: number): Map<Id, readonly number[]> {
  const { bare } = stored.contents.meta
  if (!Array.isArray(bare)) return stored.refuse('it does not say which rows have no features')
  const rows = new Map<Id, readonly number[]>()
  for (const row of bare) {
    const [id, labels]: readonly unknown[] = Array.isArray(row) ? row : []
    if (!isId(id) || !isLabelList(labels, labelCount) || rows.has(id)) {
      return stored.refuse(`a row without features is ${JSON.stringify(row)}, expected an id of its own and labels`)
    }
    rows.set(id, labels)
  }
  return rows
}

function readLabeler(stored: StoredParts, place: LinearModelPlace, labelCount: number): OneAgainstSome | undefined {
  if (stored.contents.meta.votes === undefined) return undefined
  const votes = readVotes(stored)
  const labels = stored.array('labelModels', Uint32Array)
  const reader = new ModelReader(stored.array('labelWords', Uint32Array), place)
  const isTaught = (label: number, i: number) => label < labelCount && (i === 0 || label > labels[i - 1])
  if (!labels.every(isTaught)) return stored.refuse(`its models are not those of ${labelCount} labels in their order`)
  const models: (LinearModel | undefined)[] = []
  for (const label of labels) models[label] = reader.next() ?? stored.refuse('a label has no model')
  if (!reader.atEnd) return stored.refuse('there are more models than labels that have one')
  return new OneAgainstSome(place, models, votes)
}

function readVotes(stored: StoredParts): VoteWeight {
  const { votes } = stored.contents.meta
  const { weight, squares } = isJsonObject(votes) ? votes : {}
  const isWeight = Number.isFinite(weight) && Number.isFinite(squares)
  return isWeight ? ({ weight, squares } as VoteWeight) : stored.refuse('it does not say what votes count') // finite: numbers
}
