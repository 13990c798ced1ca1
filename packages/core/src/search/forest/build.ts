// Making a forest index: rows are sketched, their neighbors found, an effort chosen on rows that a first forest has not seen, and
// the forest grown on all of them.

import type { Forest } from '../../forest/forest.ts'
import { growForest } from '../../forest/grow-forest.ts'
import { neighborLabels } from '../../forest/label-source.ts'
import { countsNeighbors } from '../../forest/rule.ts'
import type { Engine } from '../../kernels/engine.ts'
import { inTurns, Pauses } from '../../long-work.ts'
import { depthFor } from '../../trees/growers.ts'
import type { DenseRows } from '../dense/dense-rows.ts'
import { wholeMicros } from '../dense/exact-cost.ts'
import { QuantizedRows } from '../dense/quantized-rows.ts'
import type { Effort } from './block.ts'
import { linkRows } from './links/link-rows.ts'
import { RowLinks } from './links/row-links.ts'
import { type ForestFitOptions, type ForestSettings, givenEffort } from './options.ts'
import { ForestRows } from './rows.ts'
import {
  type BuildOptions,
  pickTraining,
  placesWithout,
  type RowParts,
  sketchRows,
  type TrainingRows,
  trainingRows,
} from './training-rows.ts'
import { EffortTrials } from './trials/effort-trials.ts'
import { holdOut, holdOutTraining } from './trials/held-out.ts'
import { shapesOf } from './trials/shapes.ts'
import { exactTuning, type GrownForest, type TunedForest, tuneForest } from './tuning.ts'

/** With fewer rows, comparing all of them is tried first, and nothing else if that takes no more than this many microseconds. */
const fewRows = 2000
const quickMicros = 100
/** Fewer rows leave too few to hold out. */
const fewestTuned = 20

/** Everything but the ids; frees what was made if it fails. */
export async function buildParts(engine: Engine, rows: DenseRows, build: BuildOptions, options: ForestFitOptions) {
  const scope = engine.arena.scope()
  const made: { free(): void }[] = []
  let given: DenseRows | undefined
  try {
    const parts = await sketchRows(engine, scope, rows, build)
    made.push(parts.sketch, parts.codes)
    const training = await trainingRows(engine, scope, parts, build)
    given = training.given
    const rowCodes = build.settings.keep === 'codes' ? QuantizedRows.from(engine, rows, build.discard) : undefined
    if (rowCodes) made.push(rowCodes.codes)
    const tuned = await tune(engine, { ...parts, rowCodes }, training, build, options)
    const sketchDims = Math.max(build.settings.sketchDims, parts.sketch.dims)
    const settings = { ...build.settings, sketchDims, ...tuned?.shape }
    const forest = await growOnRows(engine, training, rows.rows, { ...build, settings })
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
    given?.free()
    scope.free()
  }
}

/** With a byte per number, if the index keeps that of its rows. */
interface StoredRows extends RowParts {
  readonly rowCodes: QuantizedRows | undefined
}

/** Finds what reaches the target on held-out rows; undefined if the effort is given, or there are too few rows. */
async function tune(
  engine: Engine,
  parts: StoredRows,
  training: TrainingRows,
  build: BuildOptions,
  options: ForestFitOptions,
): Promise<TunedForest | undefined> {
  const { settings, threads, signal, onProgress } = build
  const { rows } = parts
  const isGiven = Object.keys(givenEffort(options)).length > 0
  if (settings.targetRecall === 0 || isGiven) return undefined
  const keepsRows = settings.keep === 'rows'
  const micros = wholeMicros(rows)
  if (keepsRows && (rows.rows < fewestTuned || (rows.rows < fewRows && micros <= quickMicros))) {
    const shape = { ...settings, links: options.links ?? 0 }
    return { tuning: exactTuning(shape, rows.rows, micros), shape }
  }
  if (rows.rows < fewestTuned || training.rows < fewestTuned) return undefined
  const scope = engine.arena.scope()
  try {
    const { given } = training
    const pauses = new Pauses({ signal })
    const heldOut = given
      ? holdOutTraining(given, settings.seed)
      : await inTurns(holdOut(rows, settings.k, settings.seed), { signal })
    const unseen = given ? heldOut.queries : heldOut.hidden
    await pauses.rest()
    const seen = await inTurns(pickTraining(scope, training, placesWithout(training, unseen)), { signal })
    await pauses.rest()
    return await tuneForest({
      ...{ trials: new EffortTrials(engine, scope, { ...parts, heldOut, keepsRows, threads, signal }), settings },
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

/** What a trial forest has seen, all rows with their neighbors, and which of them are hidden from it. */
interface TrialRows {
  readonly seen: TrainingRows
  readonly training: TrainingRows
  readonly hidden: Uint32Array
}

/** A forest on the rows that are not held out, searched as the index will be. */
async function growTrial(
  engine: Engine,
  { rows, sketch, codes, rowCodes }: StoredRows,
  { seen, training, hidden }: TrialRows,
  build: BuildOptions,
): Promise<GrownForest> {
  const { settings } = build
  const forest = await growOnRows(engine, seen, rows.rows, build)
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

/** A forest grown on the training rows, for a corpus of `corpus` rows. */
async function growOnRows(
  engine: Engine,
  training: TrainingRows,
  corpus: number,
  { settings, threads, discard, signal, onProgress }: BuildOptions,
): Promise<Forest> {
  const scope = engine.arena.scope()
  try {
    const labels = neighborLabels(scope, training.lists, corpus)
    await new Pauses({ signal }).rest()
    const { grower, trees, leafSize, seed, rule, depth } = settings
    const fit = {
      ...{ view: training.view, rows: training.rows, dims: training.dims, labels },
      ...{ grower, options: settings, trees, leafSize, seed, threads },
      depth: depth > 0 ? depth : depthFor(grower, training.rows, leafSize),
      ...{ plainVotes: !countsNeighbors(rule), signal, onProgress },
    }
    return await growForest(engine, fit, discard)
  } finally {
    scope.free()
  }
}

/** Links of the rows with their neighbors, if the settings ask for them. */
async function linkAll(
  engine: Engine,
  { rows, sketch, codes }: RowParts,
  { linked: lists }: TrainingRows,
  { settings: { links: width }, threads, signal, onProgress }: BuildOptions,
  hidden?: Uint32Array,
): Promise<RowLinks | undefined> {
  if (width === 0) return undefined
  const linking = { searched: { rows, sketch, codes }, lists, width, hidden, threads, signal, onProgress }
  return new RowLinks(engine, width, await linkRows(engine, linking))
}

/** All trees, and with few rows all candidates. */
function defaultEffort({ trees, k }: ForestSettings, rows: number): Effort {
  return { trees, threshold: 0, probes: 0, rerank: rows < fewRows ? fewRows : 8 * k, walk: 0, exact: false }
}
