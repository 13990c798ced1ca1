// A forest index as the contents of a model file, and back. Everything is kept as it lies in memory, so that loading makes nothing
// anew; what could lead a kernel out of its arrays is refused.

import type { EngineError } from '../errors.ts'
import type { ForestArrays, ForestParts } from '../forest/forest.ts'
import { leafMark } from '../forest/tree-nodes.ts'
import type { ModelContents } from '../store/header.ts'
import type { JsonObject } from '../store/json.ts'
import { type Tensor, vector } from '../store/tensor.ts'
import type { SplitKind } from '../trees/grower.ts'
import type { CodeRows } from './code-rows.ts'
import { type DenseParts, damaged, packDense, unpackDense } from './dense-contents.ts'
import type { DenseRows } from './dense-rows.ts'
import type { Effort } from './forest-block.ts'
import { checkEffort, type ForestSettings, forestSettings } from './forest-options.ts'
import type { ForestTuning } from './forest-tuning.ts'
import type { IdTable } from './id-table.ts'
import { type CodeRange, type RowCodes, strideOf } from './row-codes.ts'
import type { Sketch, SketchParts } from './sketch.ts'

export const forestMethod = 'forest'

/** What the option `depth` may be at most. */
const mostDepth = 30

const tensorNames = {
  nodes: Uint32Array,
  roots: Uint32Array,
  ownDirections: Float32Array,
  directionOffsets: Uint32Array,
  directionIndices: Uint32Array,
  directionValues: Float32Array,
  offsets: Uint32Array,
  entries: Uint32Array,
  rows: Uint32Array,
} as const

export interface ForestState {
  readonly rows: DenseRows
  readonly ids: IdTable
  readonly sketch: Sketch
  readonly codes: CodeRows
  readonly rowCodes: RowCodes | undefined
  readonly forest: ForestParts
  readonly settings: ForestSettings
  readonly effort: Effort
  readonly tuning: ForestTuning | undefined
}

export function packForest(state: ForestState): ModelContents {
  const { rows, ids, sketch, codes, rowCodes, forest, settings, effort, tuning } = state
  const { axes, shifts, liftAxes, radius, steps } = sketch.parts
  const { splits, dims, trees, depth, labels, plainVotes, countBits } = forest
  const tensors: Record<string, Tensor> = {
    ...{ sketchAxes: vector(axes), sketchShifts: vector(shifts), sketchLiftAxes: vector(liftAxes) },
    codes: vector(liveCodes(codes, ids)),
    ...(rowCodes && { rowCodes: vector(liveCodes(rowCodes.codes, ids)) }),
  }
  for (const name of Object.keys(tensorNames) as (keyof typeof tensorNames)[]) {
    tensors[`forest.${name}`] = vector(forest[name].array.slice())
  }
  return packDense(rows, ids, {
    method: forestMethod,
    options: { ...settings },
    meta: {
      ...{ effort: { ...effort }, radius, steps },
      ...(rowCodes && { codeRange: { zero: rowCodes.zero, steps: rowCodes.steps } }),
      forest: { splits, dims, trees, depth, labels, plainVotes, countBits },
      // A tuning is numbers and plain objects.
      ...(tuning && { tuning: tuning as unknown as JsonObject }),
    },
    tensors,
  })
}

/** Nothing of removed rows stays in a file. */
function liveCodes(codes: CodeRows, ids: IdTable): Uint8Array {
  const array = codes.toArray()
  for (let row = 0; row < ids.rows; row++) {
    if (ids.idOf(row) === undefined) array.fill(0, row * codes.stride, (row + 1) * codes.stride)
  }
  return array
}

export interface LoadedForest extends DenseParts {
  readonly sketch: SketchParts
  readonly codes: Uint8Array
  /** In the place of the rows. */
  readonly rowCodes: (CodeRange & { readonly codes: Uint8Array }) | undefined
  readonly forest: ForestArrays
  readonly settings: ForestSettings
  readonly effort: Effort
  readonly tuning: ForestTuning | undefined
}

export function unpackForest(contents: ModelContents, name: string): LoadedForest {
  const dense = unpackDense(contents, forestMethod, name)
  const { meta, options } = contents
  const fail = (fault: string, cause?: unknown) => damaged(name, forestMethod, fault, cause)
  const sketch = {
    axes: tensorOf(contents, 'sketchAxes', Float32Array, fail),
    shifts: tensorOf(contents, 'sketchShifts', Float32Array, fail),
    liftAxes: tensorOf(contents, 'sketchLiftAxes', Float32Array, fail),
    ...{ radius: numberOf(meta.radius, fail), steps: numberOf(meta.steps, fail) },
  }
  const codes = tensorOf(contents, 'codes', Uint8Array, fail)
  const forest = forestArrays(contents, fail)
  const settings = settingsOf(options, fail)
  const fault = faultOf(dense, sketch, codes, forest, settings)
  if (fault) throw fail(fault)
  const rowCodes = settings.keep === 'codes' ? rowCodesOf(contents, dense, fail) : undefined
  const effort = effortOf(meta.effort, forest.trees, fail)
  return { ...dense, sketch, codes, rowCodes, forest, settings, effort, tuning: tuningOf(meta.tuning, fail) }
}

function rowCodesOf(contents: ModelContents, { dims, ids }: DenseParts, fail: Fail): CodeRange & { codes: Uint8Array } {
  const codes = tensorOf(contents, 'rowCodes', Uint8Array, fail)
  if (codes.length !== ids.rows * strideOf(dims)) throw fail('its row codes do not fit its rows')
  const { zero, steps } = objectOf(contents.meta.codeRange, fail)
  if (typeof zero !== 'number' || !Number.isFinite(zero)) throw fail('the range of its codes is missing')
  if (numberOf(steps, fail) === 0) throw fail('its codes have no steps')
  return { codes, zero, steps: numberOf(steps, fail) }
}

type Fail = (fault: string, cause?: unknown) => EngineError

function tensorOf<T>(contents: ModelContents, name: string, type: new (...args: never[]) => T, fail: Fail): T {
  const array = contents.tensors[name]?.array
  if (array instanceof type) return array
  throw fail(`there is no ${type.name} "${name}"`)
}

function numberOf(value: unknown, fail: Fail): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value
  throw fail('a number is missing')
}

function objectOf(value: unknown, fail: Fail): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw fail('a part of its description is missing')
}

function wholeOf(value: unknown, fail: Fail): number {
  const number = numberOf(value, fail)
  if (Number.isSafeInteger(number)) return number
  throw fail(`${number} is no whole number`)
}

/** Kernels go as far as the effort says: it must be one that a search could ask for. */
function effortOf(value: unknown, trees: number, fail: Fail): Effort {
  const given = objectOf(value, fail)
  const [asked, probes, rerank] = [given.trees, given.probes, given.rerank].map(number => wholeOf(number, fail))
  const effort = { trees: asked, threshold: numberOf(given.threshold, fail), probes, rerank }
  try {
    checkEffort(effort, trees)
  } catch (cause) {
    throw fail('its effort is none that can be asked for', cause)
  }
  return effort
}

function tuningOf(value: unknown, fail: Fail): ForestTuning | undefined {
  if (value === undefined) return undefined
  const { curve, chosen } = objectOf(value, fail)
  if (!Array.isArray(curve)) throw fail('its tuning has no curve')
  for (const tried of [...curve, chosen]) objectOf(objectOf(tried, fail).effort, fail)
  // Written by us, under the file's checksum; but for the efforts it is reported, never computed with.
  return value as unknown as ForestTuning
}

function settingsOf(options: JsonObject, fail: Fail): ForestSettings {
  try {
    return forestSettings(options)
  } catch (cause) {
    throw fail('its options are none of ours', cause)
  }
}

function forestArrays(contents: ModelContents, fail: Fail): ForestArrays {
  const about = objectOf(contents.meta.forest, fail)
  const arrays = Object.fromEntries(
    Object.entries(tensorNames).map(([name, type]) => [
      name,
      tensorOf(contents, `forest.${name}`, type as never, fail),
    ]),
  )
  const splits = (['axis', 'level', 'node'] as const).find(kind => kind === about.splits)
  if (!splits) throw fail('its splits are of no known kind')
  const [dims, trees, depth] = [about.dims, about.trees, about.depth].map(value => wholeOf(value, fail))
  const [labels, countBits] = [about.labels, about.countBits].map(value => wholeOf(value, fail))
  // All arrays of the table were found, each of its type.
  return {
    ...arrays,
    splits,
    dims,
    trees,
    depth,
    labels,
    countBits,
    plainVotes: about.plainVotes === true,
  } as ForestArrays
}

function faultOf(
  { ids, dims }: DenseParts,
  sketch: SketchParts,
  codes: Uint8Array,
  forest: ForestArrays,
  { view }: ForestSettings,
): string | undefined {
  const count = sketch.shifts.length
  if (count === 0 || sketch.axes.length !== count * dims || sketch.liftAxes.length !== count)
    return 'its sketch is broken'
  if (codes.length !== ids.rows * Math.ceil(count / 16) * 16) return 'its codes do not fit its rows'
  if (forest.dims !== (view === 'sketch' ? count : dims)) return `its trees do not see its ${view}`
  if (forest.depth > mostDepth) return `its trees have ${forest.depth} levels`
  if (forest.labels !== ids.rows) return 'its forest was grown for other rows'
  return leavesFault(forest) ?? nodesFault(forest) ?? directionsFault(forest)
}

function leavesFault({ offsets, entries, rows, countBits, labels }: ForestArrays): string | undefined {
  if (offsets.length !== rows.length + 1 || !climbs(offsets, entries.length)) return 'its leaves are broken'
  if (countBits < 1 || countBits > 31) return 'its counts are broken'
  const mask = 2 ** countBits - 1
  for (let e = 0; e < entries.length; e++) {
    if (entries[e] >>> countBits >= labels) return 'a leaf names a row that is not there'
    // A label without a score yet is listed: with a count of 0 it would be listed again and again.
    if ((entries[e] & mask) === 0) return 'a leaf counts a row that it does not have'
  }
  return undefined
}

/** Children come after their parents within their tree: then every walk ends in a leaf. */
function nodesFault({
  nodes,
  roots,
  rows,
  trees,
  splits,
  dims,
  depth,
  ownDirections,
}: ForestArrays): string | undefined {
  if (trees < 1 || roots.length !== trees + 1 || !climbs(roots, nodes.length / 3)) return 'its trees are broken'
  const inner = nodes.length / 3 - rows.length
  if (ownDirections.length !== (splits === 'node' ? inner * dims : 0)) return 'its directions are broken'
  const axes = { axis: dims, level: depth, node: inner }[splits satisfies SplitKind]
  for (let tree = 0; tree < trees; tree++) {
    const count = roots[tree + 1] - roots[tree]
    if (count === 0) return 'a tree has no nodes'
    for (let node = 0; node < count; node++) {
      const at = 3 * (roots[tree] + node)
      const fits =
        nodes[at] === leafMark
          ? nodes[at + 2] < rows.length
          : nodes[at] < axes && nodes[at + 2] > node + 1 && nodes[at + 2] < count
      if (!fits) return `tree ${tree} leads nowhere`
    }
  }
  return undefined
}

function directionsFault(forest: ForestArrays): string | undefined {
  const { splits, directionOffsets, directionIndices, directionValues, trees, depth, dims } = forest
  const rows = splits === 'level' ? trees * depth : 0
  if (directionOffsets.length !== rows + 1 || !climbs(directionOffsets, directionIndices.length))
    return 'its directions are broken'
  if (directionValues.length !== directionIndices.length) return 'its directions are broken'
  return directionIndices.every(index => index < dims) ? undefined : 'a direction names a dimension that is not there'
}

/** Whether `offsets` never fall, from 0 to `last`. */
function climbs(offsets: Uint32Array, last: number): boolean {
  if (offsets[0] !== 0 || offsets[offsets.length - 1] !== last) return false
  return offsets.every((offset, i) => i === 0 || offset >= offsets[i - 1])
}
