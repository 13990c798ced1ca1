// Which distance, scaling and power suit dense rows: those under which the nearest other rows name a label of a row most often.
// Judged on a sample of the training rows, leave-one-out, so that no row votes for its own labels.

import type { LongWork } from '../../long-work.ts'
import { inTurns } from '../../long-work.ts'
import type { DenseMatrix } from '../../matrix/dense-matrix.ts'
import type { LabelMatrix } from '../../matrix/label-matrix.ts'
import { filledRows } from '../../matrix/row-numbers.ts'
import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { Random } from '../../random.ts'
import type { FitContext } from '../fit-context.ts'
import { DenseNeighbors } from '../scores/dense-neighbors.ts'
import { TrialScores } from '../scores/trial-scores.ts'
import type { Scaling, VectorDistance } from './vector-options.ts'
import { VectorSpace } from './vector-space.ts'

export interface SpaceChoice {
  readonly distance: Exclude<VectorDistance, 'auto'>
  readonly scaling: Exclude<Scaling, 'auto'>
}

export interface ChosenSpace extends SpaceChoice {
  readonly space: VectorSpace
  /** The power of similarities that goes with it. */
  readonly power: number
}

export interface SpaceSettings {
  readonly distance: VectorDistance
  readonly scaling: Scaling
  /** Whether columns are to be centered, if rows keep a direction. Default false. */
  readonly centered?: boolean
  /** Nearest rows that vote. */
  readonly neighbors: number
  readonly seed: number
}

/** What to try, in this order: the first of the best is taken. Under 'euclidean', centering changes nothing. */
export const spaceChoices: readonly SpaceChoice[] = [
  { distance: 'euclidean', scaling: 'standard' },
  { distance: 'cosine', scaling: 'standard' },
  { distance: 'euclidean', scaling: 'none' },
  { distance: 'cosine', scaling: 'center' },
  { distance: 'cosine', scaling: 'none' },
]
const powers = [4, 8, 2, 16, 1, 32]

/** Rows to evaluate, and rows to search: enough to tell spaces apart, few enough to be fast. */
const [asked, among] = [1000, 10_000]

/** The choices that are left to make. */
export function openChoices({ distance, scaling }: Pick<SpaceSettings, 'distance' | 'scaling'>): SpaceChoice[] {
  const fits = (choice: SpaceChoice) => distance === 'auto' || choice.distance === distance
  const open = spaceChoices.filter(choice => fits(choice) && (scaling === 'auto' || choice.scaling === scaling))
  return open.length > 0 ? open : [{ distance: 'euclidean', scaling: 'center' }]
}

/** The choices under which every row of `parts` has a direction, if it needs one; all choices if there are none. */
export function usableChoices(choices: readonly SpaceChoice[], parts: readonly DenseMatrix[]): readonly SpaceChoice[] {
  const keeps = ({ distance, scaling }: SpaceChoice, rows: DenseMatrix) =>
    distance !== 'cosine' || VectorSpace.fit(rows, scaling, true).keepsDirections(rows)
  const usable = choices.filter(choice => parts.every(rows => keeps(choice, rows)))
  return usable.length > 0 ? usable : choices
}

/** Rows are finite. A space in which some row has no direction, or all are zeros, is taken only if there is no other. */
export async function chooseSpace(
  rows: DenseMatrix,
  labels: LabelMatrix,
  settings: SpaceSettings,
  place: FitContext & LongWork,
): Promise<ChosenSpace> {
  const sample = new Random(settings.seed).shuffle(filledRows(labels)).subarray(0, among)
  let best: (ChosenSpace & { readonly hits: number }) | undefined
  for (const choice of openChoices(settings)) {
    if (settings.centered && choice.scaling === 'none' && best && best.hits >= 0) continue
    const space = VectorSpace.fit(rows, choice.scaling, choice.distance === 'cosine')
    const seen = space.rows(rows.select(sample), 'row')
    // Of all rows, not of the sample alone: a single row without a direction is refused later.
    const isUsable = space.keepsDirections(rows) && seen.values.some(value => value !== 0)
    const found = isUsable ? await judge(seen, labels.select(sample), settings, place) : { hits: -1, power: powers[0] }
    if (best === undefined || found.hits > best.hits) best = { ...choice, space, ...found }
  }
  return best as ChosenSpace // there is at least one choice
}

/** How many rows get a correct first label, with the best power. */
async function judge(
  rows: SparseMatrix,
  labels: LabelMatrix,
  { neighbors, seed }: SpaceSettings,
  { engine, threads, signal }: FitContext & LongWork,
): Promise<{ readonly hits: number; readonly power: number }> {
  const own = Uint32Array.from({ length: Math.min(asked, rows.rows) }, (_, i) => i)
  const index = await DenseNeighbors.fit(rows, { engine, threads, neighbors, seed, exact: true })
  try {
    const queries = rows.slice(0, own.length)
    const work = { ...(threads !== undefined && { threads }), signal }
    const nearest = await index.nearestBatch(queries, { k: neighbors, own, ...work })
    const trial = new TrialScores({ queries, own, labels }, nearest, undefined)
    let best = { hits: -1, power: powers[0] }
    for (const power of powers) {
      const options = { neighbors, neighborPower: power, featurePower: 1, mix: 1 }
      const { labels: first, counts } = await inTurns(trial.rank(options, 1), { signal })
      const hits = own.reduce((sum, i) => sum + Number(counts[i] > 0 && labels.row(i).includes(first[i])), 0)
      if (hits > best.hits) best = { hits, power }
    }
    return best
  } finally {
    index.free()
  }
}
