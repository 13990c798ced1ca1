// Making a forest index: rows are sketched, their neighbors found, an effort chosen on rows that a first forest has not seen, and
// the forest grown on all of them.

import type { Engine } from '../../kernels/engine.ts'
import type { DenseRows } from '../dense/dense-rows.ts'
import { exactMicros } from '../dense/exact-cost.ts'
import { QuantizedRows } from '../dense/quantized-rows.ts'
import type { Effort } from './block.ts'
import { linkRows } from './links/link-rows.ts'
import { RowLinks } from './links/row-links.ts'
import type { ForestEffort, ForestFitOptions, ForestSettings } from './options.ts'
import {
  type BuildOptions,
  growForest,
  pickTraining,
  type RowParts,
  sketchRows,
  type TrainingRows,
  trainingRows,
} from './parts.ts'
import { ForestRows } from './rows.ts'
import { EffortTrials } from './trials/effort-trials.ts'
import { holdOut } from './trials/held-out.ts'
import {
  exactTuning,
  type ForestShape,
  type GrownForest,
  type TunedForest,
  type TuningQuestion,
  tuneForest,
} from './tuning.ts'

/** With fewer rows, everything is worth comparing: nothing else is tried if that takes no longer than so many microseconds. */
const fewRows = 2000
const quickMicros = 100
/** Fewer rows leave too few to hold out. */
const fewestTuned = 20
/** What is changed about a forest if the target is not reached: trees miss less with larger leaves, then with more trees. */
const largerLeaves = 4
const moreTrees = 2
/** Walks start from few trees; if the target is not reached, from more. */
const walkTrees = [2, 8]

/** The effort that options of fitting give. */
export function givenEffort({ searchTrees, threshold, probes, rerank, walk, exact }: ForestFitOptions): ForestEffort {
  return {
    ...(searchTrees !== undefined && { trees: searchTrees }),
    ...(threshold !== undefined && { threshold }),
    ...(probes !== undefined && { probes }),
    ...(rerank !== undefined && { rerank }),
    ...(walk !== undefined && { walk }),
    ...(exact !== undefined && { exact }),
  }
}

/** Everything but the ids; what is half made is freed where it fails. */
export async function buildParts(engine: Engine, rows: DenseRows, build: BuildOptions, options: ForestFitOptions) {
  const scope = engine.arena.scope()
  const made: { free(): void }[] = []
  try {
    const parts = await sketchRows(engine, scope, rows, build)
    made.push(parts.sketch, parts.codes)
    const training = await trainingRows(engine, scope, parts, build)
    const rowCodes = build.settings.keep === 'codes' ? QuantizedRows.from(engine, rows, build.discard) : undefined
    if (rowCodes) made.push(rowCodes.codes)
    const tuned = await tune(engine, { ...parts, rowCodes }, training, build, options)
    const settings = { ...build.settings, ...tuned?.shape }
    const forest = await growForest(engine, training, rows.rows, { ...build, settings })
    made.push(forest)
    const links = await linkAll(engine, parts, training, { ...build, settings })
    if (links) made.push(links)
    const tuning = tuned?.tuning
    const effort = tuning?.chosen.effort ?? { ...defaultEffort(settings, rows.rows), ...givenEffort(options) }
    if (settings.keep !== 'rows') rows.keep(new Uint32Array(0))
    return { rows, sketch: parts.sketch, codes: parts.codes, rowCodes, links, forest, effort, tuning, settings }
  } catch (error) {
    for (const part of made) part.free()
    throw error
  } finally {
    scope.free()
  }
}

/** All trees, and with few rows all candidates. */
function defaultEffort({ trees, k }: ForestSettings, rows: number): Effort {
  return { trees, threshold: 0, probes: 0, rerank: rows < fewRows ? fewRows : 8 * k, walk: 0, exact: false }
}

/** Finds what reaches the target on held-out rows; undefined if the effort is given, or training is other rows. */
async function tune(
  engine: Engine,
  parts: RowParts & { readonly rowCodes: QuantizedRows | undefined },
  training: TrainingRows,
  build: BuildOptions,
  options: ForestFitOptions,
): Promise<TunedForest | undefined> {
  const { settings, threads, signal, onProgress } = build
  const { rows } = parts
  const isGiven = Object.keys(givenEffort(options)).length > 0
  if (settings.targetRecall === 0 || isGiven || build.training) return undefined
  const keepsRows = settings.keep === 'rows'
  const micros = exactMicros(rows)
  if (keepsRows && (rows.rows < fewestTuned || (rows.rows < fewRows && micros <= quickMicros))) {
    const shape = { ...settings, links: options.links ?? 0 }
    return { tuning: exactTuning(shape, rows.rows, micros), shape }
  }
  if (rows.rows < fewestTuned) return undefined
  const scope = engine.arena.scope()
  try {
    const heldOut = holdOut(rows, settings.seed)
    const isHidden = new Set(heldOut.hidden)
    const others = Uint32Array.from({ length: rows.rows }, (_, row) => row).filter(row => !isHidden.has(row))
    const seen = pickTraining(scope, training, others)
    return await tuneForest({
      ...{ trials: new EffortTrials(engine, scope, { rows, heldOut, keepsRows, threads, signal }), settings },
      ...{ rows: rows.rows, shapes: shapesOf(settings, options), signal, onProgress },
      grow: shape => {
        const trial = { ...build, settings: { ...settings, ...shape } }
        return growTrial(engine, parts, { seen, training, hidden: heldOut.hidden }, trial)
      },
    })
  } finally {
    scope.free()
  }
}

/** Options that the caller gave stay as they are. */
function shapesOf(settings: ForestSettings, given: ForestFitOptions): TuningQuestion['shapes'] {
  const { trees, leafSize, links } = settings
  if (links === 0) return forestShapes(settings, given)
  const counts = given.trees === undefined ? walkTrees : [trees]
  const [first, ...others] = counts.map(count => ({ trees: count, leafSize, links }))
  return [first as ForestShape, ...others, ...forestShapes(settings, given)] // there is at least one
}

function forestShapes({ trees, leafSize }: ForestSettings, given: ForestFitOptions): TuningQuestion['shapes'] {
  const leaves = given.leafSize === undefined ? largerLeaves * leafSize : leafSize
  const more = given.trees === undefined ? moreTrees * trees : trees
  const links = 0
  const larger = { trees, leafSize: leaves, links }
  return [
    { trees, leafSize, links },
    ...(leaves === leafSize ? [] : [larger]),
    ...(more === trees ? [] : [{ ...larger, trees: more }]),
  ]
}

/** A forest on the rows that are not held out, searched as the index will be. */
async function growTrial(
  engine: Engine,
  { rows, sketch, codes, rowCodes }: RowParts & { readonly rowCodes: QuantizedRows | undefined },
  { seen, training, hidden }: TrialRows,
  build: BuildOptions,
): Promise<GrownForest> {
  const { settings } = build
  const forest = await growForest(engine, seen, rows.rows, build)
  try {
    const links = await linkAll(engine, { rows, sketch, codes }, training, build, hidden)
    const { entries, rows: leafRows } = forest.parts
    const kept = new ForestRows(engine, { keep: settings.keep, rows, sketch, codes, rowCodes, links }).searched()
    return {
      searched: { ...kept, forest: forest.pointer, treesSeeSketch: settings.view === 'sketch' },
      leafEntries: entries.length / leafRows.length,
      free: () => {
        forest.free()
        links?.free()
      },
    }
  } catch (error) {
    forest.free()
    throw error
  }
}

/** What a trial forest has seen, all rows with their neighbors, and which of them are hidden from it. */
interface TrialRows {
  readonly seen: TrainingRows
  readonly training: TrainingRows
  readonly hidden: Uint32Array
}

/** Links of the rows with their neighbors, if the settings ask for them. */
async function linkAll(
  engine: Engine,
  { rows, sketch, codes }: RowParts,
  { lists }: TrainingRows,
  { settings: { links: width }, threads, signal, onProgress }: BuildOptions,
  hidden?: Uint32Array,
): Promise<RowLinks | undefined> {
  if (width === 0) return undefined
  const linking = { searched: { rows, sketch, codes }, lists, width, hidden, threads, signal, onProgress }
  return new RowLinks(engine, width, await linkRows(engine, linking))
}
