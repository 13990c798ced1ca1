// The rows that a forest index learns from: its own with their sketches, or the caller's; and the neighbors of each.

import { EngineError } from '../../errors.ts'
import { type NeighborLists, selfLists } from '../../forest/label-source.ts'
import { countsNeighbors } from '../../forest/rule.ts'
import type { Scope, Slice } from '../../kernels/arena.ts'
import type { Engine } from '../../kernels/engine.ts'
import type { Discard } from '../../kernels/readers.ts'
import { finish, type LongWork, type Steps } from '../../long-work.ts'
import type { DenseNumbers } from '../../matrix/dense-values.ts'
import { Random } from '../../random.ts'
import { type DenseRows, denseRowsFrom } from '../dense/dense-rows.ts'
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
  readonly training?: DenseNumbers | undefined
  readonly threads?: number | undefined
  readonly discard: Discard
  /** Whether a sketch may have more axes than `settings` say, if it would lose neighbors. */
  readonly takesMoreAxes?: boolean
}

/** The rows' sketches, which stay in the scope, and the codes made of them. */
export async function sketchRows(
  engine: Engine,
  scope: Scope,
  rows: DenseRows,
  build: BuildOptions,
): Promise<SketchedRows> {
  const { settings, threads, discard, signal, onProgress } = build
  const work = { signal, onProgress }
  const dims = sketchCounts(build, rows.dims)
  const rest = settings.keep !== 'sketch'
  const sketch = await Sketch.fit(engine, { ...work, rows, dims, rest, seed: settings.seed, threads })
  try {
    const sketches = await sketch.sketchAll(scope, rows, threads, work)
    const slice = engine.arena.allocate(Uint8Array, rows.rows * sketch.stride, 'the codes of the rows')
    const codes = new SketchCodes(engine.arena, sketch.stride, slice, discard)
    try {
      await sketch.encodeAll(sketches.pointer, rows.rows, slice.pointer, threads, { signal })
    } catch (error) {
      codes.free()
      throw error
    }
    return { rows, sketch, sketches, codes }
  } catch (error) {
    sketch.free()
    throw error
  }
}

/** How many axes to try. Neighbors that differ along many weak axes need more than the default, unless the caller chose a number. */
const moreAxes = [128, 192, 256]

function sketchCounts({ settings, takesMoreAxes }: BuildOptions, dims: number): [number, ...number[]] {
  const first = Math.min(settings.sketchDims, dims)
  const more = takesMoreAxes ? moreAxes.map(count => Math.min(count, dims)).filter(count => count > first) : []
  return [first, ...new Set(more)]
}

/** Rows to learn from: what trees see of them, and their neighbors among the corpus rows. */
export interface TrainingRows {
  readonly view: Pick<Slice<Float32Array>, 'pointer' | 'array'>
  readonly rows: number
  readonly dims: number
  /** The corpus rows that each counts for. */
  readonly lists: NeighborLists
  /** The corpus rows that they are, ascending; undefined: all of them, or rows of the caller's. */
  readonly numbers: Uint32Array | undefined
  /** Neighbors of all corpus rows, for links. */
  readonly linked: NeighborLists
  /** Rows of the caller's as they were given; undefined if the corpus is what is learned from. */
  readonly given: DenseRows | undefined
}

/** An index with links grows its trees on at most this many rows: walks reach the others, and more would take memory and time. */
const mostGrownOn = 2 ** 17

/** The training rows: the corpus, or rows of the caller's, placed in the scope; `given` is the caller's to free. */
export async function trainingRows(
  engine: Engine,
  scope: Scope,
  parts: SketchedRows,
  build: BuildOptions,
): Promise<TrainingRows> {
  const { settings, training, threads, signal, onProgress } = build
  const work = { signal, onProgress }
  if (!training) {
    const { rows } = parts.rows
    const numbers =
      settings.links > 0 && rows > mostGrownOn ? new Random(settings.seed, 4).sample(rows, mostGrownOn) : undefined
    const seen = viewOf(parts, settings)
    let view = seen.view
    const narrow = () => {
      if (!numbers) return
      view = finish(pickRows(scope, seen, numbers))
      parts.sketches.free()
    }
    const lists = countsNeighbors(settings.rule) ? await corpusLists(engine, parts, build, narrow) : selfLists(rows)
    const own = numbers ? pickLists(lists, numbers) : lists
    return {
      view,
      rows: numbers?.length ?? rows,
      dims: seen.dims,
      lists: own,
      numbers,
      linked: lists,
      given: undefined,
    }
  }
  if (!countsNeighbors(settings.rule)) {
    throw new EngineError(
      'INVALID_OPTION',
      `rule is '${settings.rule}', which counts corpus rows and takes no training rows`,
    )
  }
  const given = denseRowsFrom(engine, parts.rows.metric, training, 'training row')
  try {
    const lists = await givenLists(engine, parts.rows, given, build)
    const ofRows = { ...build, neighborLists: 'bootstrap' } as const
    const linked = settings.links > 0 ? await corpusLists(engine, parts, ofRows, () => undefined) : lists
    const view =
      settings.view === 'sketch'
        ? await parts.sketch.sketchAll(scope, given, threads, work)
        : scope.place(given.array, 'training rows')
    const dims = settings.view === 'sketch' ? parts.sketch.dims : given.dims
    return { view, rows: given.rows, dims, lists, numbers: undefined, linked, given }
  } catch (error) {
    given.free()
    throw error
  }
}

/** What trees see of all rows. */
function viewOf(
  { rows, sketch, sketches }: SketchedRows,
  { view }: ForestSettings,
): Pick<TrainingRows, 'view' | 'dims'> {
  if (view === 'sketch') return { view: sketches, dims: sketch.dims }
  const all = {
    pointer: rows.pointer,
    get array() {
      return rows.array
    },
  }
  return { view: all, dims: rows.dims }
}

/** Neighbors of all rows; `onGrown` is called when the sketches are no longer needed for them. */
async function corpusLists(
  engine: Engine,
  parts: SketchedRows,
  build: BuildOptions,
  onGrown: () => void,
): Promise<NeighborLists> {
  const { settings, neighborLists, threads, signal, onProgress } = build
  if (neighborLists !== 'bootstrap') {
    onGrown()
    return givenLists(engine, parts.rows, parts.rows, build)
  }
  const { sketches, rows, sketch, codes } = parts
  const { lists } = await bootstrapLists(engine, {
    ...{ searched: { rows, sketch, codes }, sketches, k: settings.labelNeighbors, seed: settings.seed, threads },
    ...{ onGrown, signal, onProgress },
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

/** Places of the training rows that are not among these corpus rows. */
export function placesWithout({ rows, numbers }: TrainingRows, hidden: Uint32Array): Uint32Array {
  const isHidden = new Set(hidden)
  const places = Uint32Array.from({ length: rows }, (_, place) => place)
  return places.filter(place => !isHidden.has(numbers ? numbers[place] : place))
}

/** Only the training rows at these places, copied into the scope. */
export function* pickTraining(scope: Scope, training: TrainingRows, picked: Uint32Array): Steps<TrainingRows> {
  const { dims, lists, numbers, linked, given } = training
  const view = yield* pickRows(scope, training, picked)
  return {
    ...{ view, rows: picked.length, dims, lists: pickLists(lists, picked) },
    ...{ numbers: numbers ? picked.map(place => numbers[place]) : picked, linked, given },
  }
}

const rowsPerStep = 1024

function* pickRows(
  scope: Scope,
  { view, dims }: Pick<TrainingRows, 'view' | 'dims'>,
  picked: Uint32Array,
): Steps<Slice<Float32Array>> {
  const some = scope.allocateUnset(Float32Array, picked.length * dims, 'training rows')
  for (let i = 0; i < picked.length; i++) {
    some.array.set(view.array.subarray(picked[i] * dims, (picked[i] + 1) * dims), i * dims)
    if (i % rowsPerStep === 0) yield
  }
  yield
  return some
}

function pickLists({ k, rows, counts }: NeighborLists, picked: Uint32Array): NeighborLists {
  const some = new Uint32Array(picked.length * k)
  for (let i = 0; i < picked.length; i++) some.set(rows.subarray(picked[i] * k, (picked[i] + 1) * k), i * k)
  return { k, rows: some, counts: picked.map(row => counts[row]) }
}
