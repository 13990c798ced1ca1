// Making a forest index: rows are sketched, their neighbors found, an effort chosen on rows that a first forest has not seen, and
// the forest grown on all of them.

import type { Engine } from '../kernels/engine.ts'
import { Random } from '../random.ts'
import type { DenseRows } from './dense-rows.ts'
import type { ForestEffort, ForestFitOptions } from './forest-options.ts'
import {
  type BuildOptions,
  growForest,
  pickTraining,
  type RowParts,
  sketchRows,
  type TrainingRows,
  trainingRows,
} from './forest-parts.ts'
import { type ForestTuning, tuneEffort } from './forest-tuning.ts'
import { RowCodes } from './row-codes.ts'

/** Rows held out of growing while the effort is chosen. */
const heldOutRows = 500
/** With fewer rows, everything is worth comparing. */
const fewRows = 2000

/** The effort that options of fitting give. */
export function givenEffort({ searchTrees, threshold, probes, rerank }: ForestFitOptions): ForestEffort {
  return {
    ...(searchTrees !== undefined && { trees: searchTrees }),
    ...(threshold !== undefined && { threshold }),
    ...(probes !== undefined && { probes }),
    ...(rerank !== undefined && { rerank }),
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
    const tuning = await chooseEffort(engine, parts, training, build, options)
    const forest = await growForest(engine, training, rows.rows, build)
    made.push(forest)
    const { settings } = build
    const most = {
      trees: settings.trees,
      threshold: 0,
      probes: 0,
      rerank: rows.rows < fewRows ? fewRows : 8 * settings.k,
    }
    const effort = tuning?.chosen.effort ?? { ...most, ...givenEffort(options) }
    const rowCodes = settings.keep === 'codes' ? RowCodes.from(engine, rows, build.discard) : undefined
    if (settings.keep !== 'rows') rows.keep(new Uint32Array(0))
    return { rows, sketch: parts.sketch, codes: parts.codes, rowCodes, forest, effort, tuning }
  } catch (error) {
    for (const part of made) part.free()
    throw error
  } finally {
    scope.free()
  }
}

/** Tries efforts on a forest that has not seen some of the rows; undefined where the effort is given, or rows are few. */
async function chooseEffort(
  engine: Engine,
  parts: RowParts,
  training: TrainingRows,
  build: BuildOptions,
  options: ForestFitOptions,
): Promise<ForestTuning | undefined> {
  const { settings, threads } = build
  const { rows } = parts
  const isGiven = Object.keys(givenEffort(options)).length > 0
  if (settings.targetRecall === 0 || isGiven || rows.rows < fewRows || build.training) return undefined
  const scope = engine.arena.scope()
  const held = new Random(settings.seed, 3).sample(rows.rows, Math.min(heldOutRows, Math.floor(rows.rows / 10)))
  const isHeld = new Set(held)
  const others = Uint32Array.from({ length: rows.rows }, (_, row) => row).filter(row => !isHeld.has(row))
  try {
    const seen = pickTraining(scope, training, others)
    const forest = await growForest(engine, seen, rows.rows, build)
    try {
      const { entries, rows: leafRows } = forest.parts
      const searched = { ...parts, forest: forest.pointer, treesSeeSketch: settings.view === 'sketch' }
      return await tuneEffort(engine, {
        ...{
          searched,
          rule: settings.rule,
          trees: settings.trees,
          leafEntries: entries.length / leafRows.length,
          heldOut: held,
        },
        ...{
          k: settings.k,
          target: settings.targetRecall,
          threads,
          signal: options.signal,
          onProgress: options.onProgress,
        },
      })
    } finally {
      forest.free()
    }
  } finally {
    scope.free()
  }
}
