// A forest index as the contents of a model file, and back. Everything is stored as it is in memory, so that loading computes
// nothing. Refuses arrays that could lead a kernel out of bounds.

import type { ForestArrays } from '../../forest/forest.ts'
import {
  type Fail,
  forestArrays,
  forestFault,
  numberOf,
  objectOf,
  tensorOf,
  wholeOf,
} from '../../forest/forest-contents.ts'
import { noLink } from '../../kernels/generated/blocks/dense-forest.ts'
import { squareLimit } from '../../matrix/dense-checks.ts'
import { allFinite } from '../../store/array-checks.ts'
import type { ModelContents } from '../../store/header.ts'
import type { JsonObject } from '../../store/json.ts'
import { type DenseParts, damaged, unpackDense } from '../dense/dense-contents.ts'
import { type CodeRange, strideOf } from '../dense/quantized-rows.ts'
import type { SketchParts } from '../dense/sketch.ts'
import type { Effort } from './block.ts'
import { checkEffort, type ForestSettings, forestSettings } from './options.ts'
import type { FittedRows } from './rows.ts'
import type { ForestTuning } from './tuning.ts'

export const forestMethod = 'forest'

/** Tensors that an index places in its memory, and keeps nowhere else. */
export const placedTensors: readonly string[] = [
  ...['rows', 'codes', 'rowCodes', 'links'],
  ...['forest.nodes', 'forest.offsets', 'forest.entries', 'forest.rows'],
]

type EffortShape = Pick<ForestSettings, 'trees' | 'rule' | 'links'>

export interface LoadedForest extends DenseParts {
  readonly sketch: SketchParts
  readonly codes: Uint8Array
  /** Codes instead of the rows. */
  readonly rowCodes: (CodeRange & { readonly codes: Uint8Array }) | undefined
  /** u32 [rows × settings.links]; undefined if there are none. */
  readonly links: Uint32Array | undefined
  readonly forest: ForestArrays
  readonly settings: ForestSettings
  readonly effort: Effort
  readonly tuning: ForestTuning | undefined
  readonly fitted: FittedRows
}

export function unpackForest(contents: ModelContents, name: string): LoadedForest {
  const dense = unpackDense(contents, forestMethod, name)
  const { meta, options } = contents
  const fail = (fault: string, cause?: unknown) => damaged(name, forestMethod, fault, cause)
  const sketch = {
    axes: tensorOf(contents, 'sketchAxes', Float32Array, fail),
    shifts: tensorOf(contents, 'sketchShifts', Float32Array, fail),
    liftAxes: tensorOf(contents, 'sketchLiftAxes', Float32Array, fail),
    // Older files have none.
    mean: contents.tensors.sketchMean && tensorOf(contents, 'sketchMean', Float32Array, fail),
    ...{ radius: numberOf(meta.radius, fail), steps: numberOf(meta.steps, fail) },
  }
  const codes = tensorOf(contents, 'codes', Uint8Array, fail)
  const forest = forestArrays(contents, fail)
  // Older files have none.
  const settings = settingsOf({ links: 0, ...options }, fail)
  const fault = faultOf(dense, sketch, codes, forest, settings)
  if (fault) throw fail(fault)
  const rowCodes = settings.keep === 'codes' ? rowCodesOf(contents, dense, fail) : undefined
  const links = settings.links > 0 ? linksOf(contents, dense, settings.links, fail) : undefined
  const shape = { ...settings, trees: forest.trees }
  const effort = effortOf(meta.effort, shape, fail)
  const tuning = tuningOf(meta.tuning, shape, fail)
  const fitted = fittedOf(meta.fitted, dense, fail)
  return { ...dense, sketch, codes, rowCodes, links, forest, settings, effort, tuning, fitted }
}

/** Older files have none. */
function fittedOf(value: unknown, { ids }: DenseParts, fail: Fail): FittedRows {
  if (value === undefined) return { below: ids.rows, left: ids.live }
  const given = objectOf(value, fail)
  const fitted = { below: wholeOf(given.below, fail), left: wholeOf(given.left, fail) }
  if (fitted.left > fitted.below || fitted.below > ids.rows) throw fail('it was fitted with rows it does not have')
  return fitted
}

function rowCodesOf(contents: ModelContents, { dims, ids }: DenseParts, fail: Fail): CodeRange & { codes: Uint8Array } {
  const codes = tensorOf(contents, 'rowCodes', Uint8Array, fail)
  if (codes.length !== ids.rows * strideOf(dims)) throw fail('its row codes do not fit its rows')
  const { zero, steps } = objectOf(contents.meta.codeRange, fail)
  if (typeof zero !== 'number' || !Number.isFinite(zero)) throw fail('the range of its codes is missing')
  if (numberOf(steps, fail) === 0) throw fail('its codes have no steps')
  return { codes, zero, steps: numberOf(steps, fail) }
}

function linksOf(contents: ModelContents, { ids }: DenseParts, width: number, fail: Fail): Uint32Array {
  const links = tensorOf(contents, 'links', Uint32Array, fail)
  if (links.length !== ids.rows * width) throw fail('its links do not fit its rows')
  if (links.some(linked => linked >= ids.rows && linked !== noLink))
    throw fail('its links lead to rows it does not have')
  return links
}

/** Kernels rely on the effort: it must be one that a search could ask for. */
function effortOf(value: unknown, shape: EffortShape, fail: Fail): Effort {
  const given = objectOf(value, fail)
  const [asked, probes, rerank] = [given.trees, given.probes, given.rerank].map(number => wholeOf(number, fail))
  const exact = given.exact === true // absent in older files
  const walk = wholeOf(given.walk ?? 0, fail) // likewise
  const effort = { trees: asked, threshold: numberOf(given.threshold, fail), probes, rerank, walk, exact }
  try {
    checkEffort(effort, shape)
  } catch (cause) {
    throw fail('its effort is not valid', cause)
  }
  return effort
}

function tuningOf(value: unknown, shape: EffortShape, fail: Fail): ForestTuning | undefined {
  if (value === undefined) return undefined
  // Older files have neither the last four nor the rows.
  const given = objectOf(value, fail)
  const { curve, chosen, stages = [], larger = [], sift = [], farthest = null } = given
  if (!Array.isArray(curve) || !Array.isArray(stages) || !Array.isArray(larger) || !Array.isArray(sift))
    throw fail('its tuning has no curve')
  const tried = (one: unknown) => ({
    ...objectOf(one, fail),
    effort: effortOf(objectOf(one, fail).effort, shape, fail),
  })
  if (farthest !== null && !Number.isFinite(farthest)) throw fail('its tuning has no farthest query')
  const efforts = { chosen: tried(chosen), curve: curve.map(tried), larger: larger.map(tried) }
  // In the order of the file: saved again, it has the same bytes.
  const tuning = { ...given, ...efforts, stages, farthest, sift }
  // Written by us, under the file's checksum; only the efforts, their k, `rows` and `farthest` are used in computations; the others are reported.
  if (given.rows !== undefined) wholeOf(given.rows, fail)
  for (const step of [...larger, ...sift]) wholeOf(objectOf(step, fail).k, fail)
  for (const step of sift) wholeOf(objectOf(step, fail).rerank, fail)
  return tuning as unknown as ForestTuning
}

function settingsOf({ metric: _, ...options }: JsonObject, fail: Fail): ForestSettings {
  try {
    return forestSettings(options)
  } catch (cause) {
    throw fail('its options are not valid', cause)
  }
}

function faultOf(
  { ids, dims }: DenseParts,
  sketch: SketchParts,
  codes: Uint8Array,
  forest: ForestArrays,
  { view }: ForestSettings,
): string | undefined {
  const count = sketch.shifts.length
  const axes = count - (sketch.mean ? 1 : 0)
  if (axes < 1 || sketch.axes.length !== axes * dims || sketch.liftAxes.length !== count) return 'its sketch is broken'
  if (sketch.mean && !isMean(sketch.mean, dims)) return 'the mean of its sketch is not valid'
  if (!areAxes(sketch)) return 'the axes of its sketch are not valid'
  if (codes.length !== ids.rows * Math.ceil(count / 16) * 16) return 'its codes do not fit its rows'
  if (forest.dims !== (view === 'sketch' ? count : dims)) return `its trees do not see its ${view}`
  if (forest.labels !== ids.rows) return 'its forest was grown for other rows'
  return forestFault(forest)
}

/** Axes have length 1, but for rounding: then the sketch of a row is no longer than the row. */
const longestAxis = 1.01

function isMean(mean: Float32Array, dims: number): boolean {
  return mean.length === dims && mean.reduce((sum, value) => sum + value * value, 0) < squareLimit
}

function areAxes({ axes, shifts, liftAxes, mean, radius, steps }: SketchParts): boolean {
  const count = shifts.length - (mean ? 1 : 0)
  const dims = axes.length / count
  for (let axis = 0; axis < count; axis++) {
    let square = liftAxes[axis] ** 2
    for (let at = axis * dims; at < (axis + 1) * dims; at++) square += axes[at] * axes[at]
    if (!(square <= longestAxis)) return false
  }
  const [shift, most] = [shifts.reduce((sum, each) => sum + each * each, 0), squareLimit]
  return allFinite(shifts) && shift < most && radius * radius < most && steps > 0 && Number.isFinite(Math.fround(steps))
}
