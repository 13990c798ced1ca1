// How a model reads items, among the contents of its file, and back.

import { TextPipeline } from '../../data/text/text-pipeline.ts'
import type { Thresholds } from '../../evaluate/thresholds.ts'
import { allFinite } from '../../store/array-checks.ts'
import type { JsonObject } from '../../store/json.ts'
import type { StoredParts } from '../../store/stored-parts.ts'
import { type Tensor, tensor1d } from '../../store/tensor.ts'
import { givenColumns, type ItemReader } from './item-reader.ts'
import { VectorSpace } from './vector-space.ts'

export function readerMeta({ pipeline, signed, space }: ItemReader): JsonObject {
  return {
    // A state holds only what JSON can hold, though its type does not say so.
    ...(pipeline && { text: pipeline.state() as object as JsonObject }),
    ...(signed && { signed }),
    ...(space && { unit: space.parts.unit }),
  }
}

export function readerTensors({ weights, space }: ItemReader): Record<string, Tensor> {
  if (!space) return { weights: tensor1d(weights) }
  return { spaceCenter: tensor1d(space.parts.center), spaceScale: tensor1d(space.parts.scale) }
}

/** Values times weights up to this still fit in 32 bits. */
const mostWeight = 2 ** 64

/** Restores what `readerMeta` and `readerTensors` returned. */
export function storedReader(stored: StoredParts): ItemReader {
  const { text, signed = false, unit } = stored.contents.meta
  if (typeof signed !== 'boolean') return stored.refuse('it does not say whether features are signed')
  const pipeline = text === undefined ? undefined : stored.checked(() => TextPipeline.fromState(text))
  const space = unit === undefined ? undefined : storedSpace(stored, unit)
  const weights = space ? new Float32Array(0) : stored.amounts('weights', Float32Array)
  if (weights.some(weight => weight > mostWeight)) return stored.refuse('the weight of a feature is too large')
  if (pipeline && pipeline.columns !== weights.length) {
    return stored.refuse(`its texts have ${pipeline.columns} features, but ${weights.length} weights`)
  }
  if (signed && weights.length % 2 === 1) return stored.refuse(`it has ${weights.length} weights of signed features`)
  return { pipeline, weights, signed, space }
}

function storedSpace(stored: StoredParts, unit: unknown): VectorSpace {
  const center = stored.array('spaceCenter', Float32Array)
  const scale = stored.array('spaceScale', Float32Array, center.length)
  if (typeof unit !== 'boolean') return stored.refuse('it does not say how vectors are compared')
  if (![center, scale].every(allFinite)) return stored.refuse('its scaling is not finite')
  return new VectorSpace({ center, scale, unit })
}

/** One per column as callers give them; undefined if there are none. */
export function storedFeatureNames(stored: StoredParts, reader: ItemReader): string[] | undefined {
  return stored.names('featureNames', givenColumns(reader))
}

/** The single threshold, and those of labels that have their own. */
export function storedThresholds(stored: StoredParts, labels: number): Thresholds {
  const single = stored.number('threshold')
  if (!stored.has('thresholds')) return { single }
  const byLabel = stored.array('thresholds', Float32Array)
  const isFit = byLabel.length <= labels && allFinite(byLabel)
  return isFit ? { single, byLabel } : stored.refuse('its thresholds are not those of its labels')
}
