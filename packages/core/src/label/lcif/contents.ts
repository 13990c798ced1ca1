// A fitted LcifClassifier as the contents of a model file, and back. A loaded model gives the same answers. Refuses anything that could
// lead a kernel out of bounds: sizes and numbers are checked against each other.

import { CopyOnWriteArrays } from '../../kernels/copy-on-write-arrays.ts'
import type { Engine } from '../../kernels/engine.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { requireMethod } from '../../model-kinds.ts'
import { InvertedIndex } from '../../search/inverted/inverted-index.ts'
import { allFinite } from '../../store/array-checks.ts'
import type { ModelContents } from '../../store/header.ts'
import { isJsonObject, type JsonObject } from '../../store/json.ts'
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
import { DenseFeatures } from '../scores/dense-features.ts'
import { DenseNeighbors } from '../scores/dense-neighbors.ts'
import { FeatureLabels } from '../scores/feature-labels.ts'
import type { NeighborFinder } from '../scores/neighbor-finder.ts'
import { RowLabels } from '../scores/row-labels.ts'
import type { LcifModel, LcifParts } from './model.ts'
import { type LcifSettings, lcifMethods, resolveLcifOptions } from './options.ts'
import { scoresFeatures } from './parts.ts'

/** The prefix of the index's tensors among ours. */
const indexPrefix = 'index.'

export function packLcif(model: LcifModel): ModelContents {
  const { settings, thresholds, index } = model
  const stored = index.contents()
  const labels = model.rowLabels.matrix()
  return {
    method: settings.method,
    options: asJson(settings),
    meta: {
      rows: index.rows,
      labels: model.labelNames.count,
      neighborPower: model.neighborPower,
      threshold: thresholds.single,
      ...readerMeta(model),
      index: { method: stored.method, options: stored.options, meta: stored.meta },
    },
    tensors: {
      ...readerTensors(model),
      ...(thresholds.byLabel && { thresholds: tensor1d(thresholds.byLabel) }),
      ...packLabelNames(model.labelNames),
      ...packNames('featureNames', model.featureNames),
      ...packNames('texts', model.texts),
      labelOffsets: tensor1d(labels.offsets),
      labels: tensor1d(labels.indices),
      ...packSums(model.featureLabels),
      ...packDenseFeatures(model.denseFeatures),
      ...renamed(stored.tensors, name => indexPrefix + name),
    },
  }
}

function packSums(featureLabels: FeatureLabels | undefined): Record<string, Tensor> {
  if (!featureLabels) return {}
  const sums = featureLabels.sums()
  return {
    pairOffsets: tensor1d(sums.offsets),
    pairLabels: tensor1d(sums.labels),
    pairSums: tensor1d(sums.sums),
    featureSquares: tensor1d(sums.featureSquares),
    labelCounts: tensor1d(sums.labelCounts),
  }
}

function packDenseFeatures(features: DenseFeatures | undefined): Record<string, Tensor> {
  return features ? { featureMeans: tensor1d(features.means), featureScales: tensor1d(features.scales) } : {}
}

function renamed(tensors: ModelContents['tensors'], rename: (name: string) => string): Record<string, Tensor> {
  return Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [rename(name), tensor]))
}

/** Options and states hold only what JSON can hold, though their types do not say so. */
function asJson(value: object): JsonObject {
  return value as JsonObject
}

/** The model that `packLcif` packed; `name` is what messages call the file. */
export function unpackLcif(contents: ModelContents, engine: Engine, name: string): LcifParts {
  requireMethod(contents, name, ...lcifMethods)
  const stored = new StoredParts(contents, name)
  const index = storedIndex(indexContents(stored), { engine, name })
  const arrays = new CopyOnWriteArrays(engine)
  try {
    return unpackParts(stored, index, arrays)
  } catch (error) {
    index.free()
    arrays.free()
    throw error
  }
}

function storedIndex(contents: ModelContents, place: { engine: Engine; name: string }): NeighborFinder {
  return contents.method === 'inverted'
    ? InvertedIndex.fromContents(contents, place)
    : DenseNeighbors.fromContents(contents, place)
}

function unpackParts(stored: StoredParts, index: NeighborFinder, arrays: CopyOnWriteArrays): LcifParts {
  const settings = stored.checked(() => resolveLcifOptions(stored.contents.options))
  const labelNames = storedLabelNames(stored)
  const reader = storedReader(stored)
  const columns = columnsOf(reader)
  if (columns !== index.columns) return stored.refuse(`it reads ${columns} features, its index has ${index.columns}`)
  if ((reader.space === undefined) !== index instanceof InvertedIndex)
    return stored.refuse('its rows are of another kind')
  const hasFeatures = scoresFeatures(settings, reader)
  const neighborPower = stored.number('neighborPower')
  if (neighborPower <= 0) return stored.refuse(`neighborPower is ${neighborPower}`)
  return {
    ...{ settings, labelNames, index, arrays, ...reader },
    featureNames: storedFeatureNames(stored, reader),
    texts: stored.names('texts', index.rowNumbers),
    neighborPower,
    thresholds: storedThresholds(stored, labelNames.count),
    rowLabels: new RowLabels(arrays, storedLabels(stored, index.rowNumbers, labelNames.count)),
    featureLabels: hasFeatures ? unpackSums(stored, reader.space ? 2 * columns : columns, arrays, settings) : undefined,
    denseFeatures: hasFeatures && reader.space ? unpackDenseFeatures(stored, columns) : undefined,
  }
}

function storedLabels(stored: StoredParts, rows: number, columns: number): LabelMatrix {
  const offsets = stored.array('labelOffsets', Float64Array)
  const labels = stored.array('labels', Uint32Array)
  return stored.checked(() => new LabelMatrix(rows, columns, offsets, labels))
}

function unpackSums(
  stored: StoredParts,
  columns: number,
  arrays: CopyOnWriteArrays,
  { featurePower }: LcifSettings,
): FeatureLabels {
  const labelCounts = stored.amounts('labelCounts', Float64Array)
  const offsets = stored.array('pairOffsets', Float64Array)
  const labels = stored.array('pairLabels', Uint32Array)
  // Lists of ascending labels, one per feature: the same rules as for rows of labels.
  stored.checked(() => new LabelMatrix(columns, labelCounts.length, offsets, labels))
  const sums = stored.amounts('pairSums', Float64Array, labels.length)
  const featureSquares = stored.amounts('featureSquares', Float64Array, columns)
  return new FeatureLabels(arrays, { offsets, labels, sums, featureSquares, labelCounts }, featurePower)
}

function unpackDenseFeatures(stored: StoredParts, columns: number): DenseFeatures {
  const means = stored.array('featureMeans', Float32Array, columns)
  if (!allFinite(means)) return stored.refuse('the means of its features are not finite')
  return new DenseFeatures(means, stored.amounts('featureScales', Float32Array, columns))
}

function isIndexMethod(method: unknown): method is string {
  return method === 'inverted' || method === 'forest' || method === 'exact'
}

function indexContents(stored: StoredParts): ModelContents {
  const { index } = stored.contents.meta
  if (!isJsonObject(index) || !isJsonObject(index.options) || !isJsonObject(index.meta)) {
    return stored.refuse('it holds no index')
  }
  const own = Object.entries(stored.contents.tensors).filter(([name]) => name.startsWith(indexPrefix))
  const tensors = renamed(Object.fromEntries(own), name => name.slice(indexPrefix.length))
  // Older files do not name the method: there was only one.
  const { method = 'inverted' } = index
  if (!isIndexMethod(method)) return stored.refuse('it does not say what its index is')
  return { method, options: index.options, meta: index.meta, tensors }
}
