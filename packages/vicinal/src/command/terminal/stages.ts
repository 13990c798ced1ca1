// The stages of each command, with the time they usually take in relation to each other: from runs on 54,000 titles and 60,000
// images. The actual times correct the estimate (whole-estimate.ts).

import type { Stage } from './whole-estimate.ts'

function stage(weight: number, ...names: string[]): Stage {
  return { names, weight }
}

const reading = stage(1, 'reading')
const words = stage(3, 'reading words')

/** Neighbors, thresholds. */
const lcif: readonly Stage[] = [
  { ...stage(80, 'searching', 'learning weights'), rounds: 18 },
  stage(3, 'indexing'),
  stage(10, 'searching', 'scoring labels', 'predicting'),
]

const forest: readonly Stage[] = [
  stage(95, 'growing trees'),
  stage(1, 'counting labels'),
  stage(1, 'writing leaves'),
  stage(3, 'labeling', 'scoring labels', 'predicting'),
]

const margin: readonly Stage[] = [
  {
    ...stage(
      90,
      ...['building the net', 'trying gaps on some rows', 'trying gaps', 'counting conflicts', 'finding conflicts'],
      ...['matching rows', 'taking rows back', 'compressing', 'counting errors', 'choosing places', 'moving rows'],
    ),
    rounds: 12,
  },
  stage(10, 'indexing'),
]

const fitting: Readonly<Record<string, readonly Stage[]>> = {
  ...{ lcif, instance: lcif, feature: lcif, gpt: forest, forest, margin },
  memory: [stage(95, 'learning'), stage(5, 'choosing thresholds')],
}

/** Stages of `train` with a method. */
export function trainStages(method: string): readonly Stage[] {
  return [reading, words, ...(fitting[method] ?? [])]
}

/** Stages of `tune`; `fits` if a model is trained afterwards. */
export function tuneStages(method: string, fits: boolean): readonly Stage[] {
  const after = fits ? [words, ...(fitting[method] ?? [])].map(one => ({ ...one, weight: one.weight / 10 })) : []
  return [reading, words, stage(100, 'tuning'), ...after]
}

const denseForest: readonly Stage[] = [
  ...[stage(1, 'indexing'), stage(1, 'finding axes'), stage(3, 'sketching')],
  ...[stage(2, 'growing trees'), stage(1, 'counting labels'), stage(1, 'writing leaves')],
  stage(12, 'finding neighbors'),
  { ...stage(25, 'refining neighbors', 'linking rows'), rounds: 2 },
  ...[stage(4, 'growing trees'), stage(1, 'counting labels'), stage(2, 'writing leaves')],
  // More trees may be grown if the first ones do not reach the recall.
  stage(
    25,
    ...['tuning', 'searching', 'tuning further', 'growing trees', 'counting labels', 'writing leaves', 'linking rows'],
  ),
]

/** Stages of making a collection, or adding to one: documents, then a forest if there are many vectors. */
export const documentStages: readonly Stage[] = [stage(20, 'indexing'), ...denseForest]

const sparseForest: readonly Stage[] = [
  ...[stage(1, 'indexing'), stage(3, 'searching'), stage(90, 'growing trees')],
  ...[stage(1, 'counting labels'), stage(1, 'writing leaves')],
]

const indexing: Readonly<Record<string, readonly Stage[]>> = {
  forest: denseForest,
  exact: [stage(1, 'indexing')],
  inverted: [stage(1, 'indexing')],
  'sparse-forest': sparseForest,
  net: [stage(50, 'indexing')],
}

/** Stages of `index` until the kind is known, which may depend on the data. */
export const indexStages: readonly Stage[] = [reading, ...denseForest]

/** Stages of making an index, after the reading. */
export function makingStages(kind: string): readonly Stage[] {
  return indexing[kind] ?? []
}

export const evaluateStages: readonly Stage[] = [reading, { ...stage(20, 'predicting', 'labeling'), rounds: 2 }]
export const predictStages: readonly Stage[] = [reading, stage(20, 'predicting')]
export const searchStages: readonly Stage[] = [reading, stage(10, 'searching')]
export const curveStages: readonly Stage[] = [reading, stage(10, 'searching'), stage(60, 'measuring')]
export const insertStages: readonly Stage[] = [stage(1, 'inserting')]
export const replayStages: readonly Stage[] = [reading, stage(60, 'replaying')]
export const convertStages: readonly Stage[] = [reading, stage(1, 'writing')]
export const inspectStages: readonly Stage[] = [reading]
export const demoStages: readonly Stage[] = [
  { ...reading, rounds: 2 },
  ...[words, ...lcif.slice(1), stage(10, 'predicting')],
]
