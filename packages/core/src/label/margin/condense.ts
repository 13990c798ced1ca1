// A training set with fewer rows, for any method that compares with rows: those in conflict are dropped, then those that are not needed.
// 'border' keeps rows near other labels: it drops a row if a kept row of its label is nearer than any other label by some margin,
// so that every dropped row keeps that margin. 'net' keeps points of a net, no two within a radius, with the labels of most rows
// around each. How much margin, or which radius, follows from the share of rows to keep.

import { type Dataset, selectRows } from '../../data/dataset.ts'
import { type LabeledItems, labeledInTurns } from '../../data/given/labeled.ts'
import { EngineError } from '../../errors.ts'
import type { LongWork } from '../../long-work.ts'
import { eachInTurns } from '../../long-work.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { explore } from '../../nets/explore.ts'
import { checkOwnMetric, distancesFrom } from '../../nets/metrics/metric.ts'
import type { MetricItem } from '../../nets/metrics/named-metrics.ts'
import { Net } from '../../nets/net.ts'
import { checkedLater, checkNumber, checkOptions, checkWord, optionTable, workChecks } from '../../options.ts'
import { type MarginData, netOf, readMarginData } from './data.ts'
import type { MarginReport } from './model.ts'
import { type MarginOptions, type OwnDistanceOption, resolveMarginOptions } from './options.ts'
import { gatherRows } from './perturb.ts'
import { type LabelsOf, nearestEnemy, shareOne } from './separation/conflicts.ts'
import { separate } from './separation/separate.ts'

export const condensers = ['border', 'net', 'separated'] as const

/** Options of `condense`. */
export interface CondenseOptions
  extends Pick<MarginOptions, 'distance' | 'gap' | 'select' | 'validationRows' | 'seed' | 'text'>,
    OwnDistanceOption,
    LongWork {
  // biome-ignore format: one list
  /** Which rows to keep: 'border' (default) those near other labels; 'net' evenly spread ones; 'separated' all that are not in conflict. */
  readonly keep?: (typeof condensers)[number]
  /**
   * The largest share of rows to keep, above 0; 'separated' ignores it. Default 0.5. Refused if the border alone is larger.
   */
  readonly share?: number
}

/** What `condense` returns: the rows that remain. */
export interface Condensed {
  /** The remaining rows. Ids, texts and features are unchanged; labels too, except with 'net'. */
  readonly dataset: Dataset
  /** Their row numbers in the given data set, ascending. */
  readonly rows: Uint32Array
  /** What is guaranteed for every dropped row: with 'border' its margin, in units of the distance; with 'net' a kept row within this radius. */
  readonly margin: number
  /** How conflicts were resolved. */
  readonly report: Omit<MarginReport, 'kept' | 'perturbation'>
}

/** The rows left with one margin or radius; undefined if these are more than `most`. */
type Trial = (knob: number, most: number) => Promise<Leaving | undefined>

interface Leaving {
  readonly rows: readonly number[]
  /** By row, if they changed. */
  readonly labels?: ReadonlyMap<number, Uint32Array>
}

const halvings = 7
const condenseOptions = optionTable<CondenseOptions>({
  ...{ distance: checkedLater, gap: checkedLater, select: checkedLater, validationRows: checkedLater },
  ...{ seed: checkedLater, text: checkedLater, keep: checkedLater, share: checkedLater },
  ...{ ownDistance: checkOwnMetric, ...workChecks },
})

/** Shrinks a training set to the rows that matter, for use with any method. */
export async function condense(items: LabeledItems, options: CondenseOptions = {}): Promise<Condensed> {
  checkOptions(options, condenseOptions)
  const { keep = 'border', share = 0.5, signal, onProgress, ...fixed } = options
  checkWord('keep', keep, condensers)
  checkNumber('share', share, value => value > 0 && value <= 1, 'a number above 0 and at most 1')
  const work = { signal, onProgress }
  const dataset = await labeledInTurns(items, work)
  const data = readMarginData(dataset, resolveMarginOptions(fixed), work, fixed.ownDistance)
  const { dropped, report } = await separate(data, work)
  const rows = data.labeled.filter(row => dropped[row] === 0)
  if (keep === 'separated') return toCondensed(dataset, data, { rows }, report.gap, report)
  const most = Math.max(1, Math.floor(share * dataset.rows))
  // More margin leaves more rows, a larger radius fewer.
  const trial = keep === 'border' ? await borderTrial(data, rows, work) : netTrial(data, rows, work)
  const { knob, left } = await search(trial, keep === 'border' ? [report.diameter, 0] : [0, report.diameter], most)
  if (left.rows.length > most) throw tooLong(left.rows.length, dataset.rows, share)
  return toCondensed(dataset, data, left, knob, report)
}

function tooLong(border: number, rows: number, share: number): EngineError {
  const message = `border keeps at least ${border} of ${rows} rows here, more than the share ${share}`
  return new EngineError('INVALID_OPTION', message, { hint: "Raise share or gap, or set keep to 'net'." })
}

/** Bisects between a value that leaves too many rows and one that leaves the fewest. */
async function search(
  trial: Trial,
  [many, few]: [number, number],
  most: number,
): Promise<{ knob: number; left: Leaving }> {
  let [high, low] = [many, few]
  const all = await trial(many, most)
  if (all) return { knob: many, left: all }
  let left = (await trial(few, Number.POSITIVE_INFINITY)) ?? { rows: [] }
  for (let step = 0; step < halvings && left.rows.length <= most; step++) {
    const middle = (high + low) / 2
    const next = await trial(middle, most)
    if (next) [low, left] = [middle, next]
    else high = middle
  }
  return { knob: low, left }
}

/** Rows in the order of how near other labels are: the border first. */
async function borderTrial(data: MarginData, rows: readonly number[], work: LongWork): Promise<Trial> {
  const { reader, items, rowLabels } = data
  const labelsOf: LabelsOf = row => rowLabels[row]
  const all = await netOf(data, rows, 'building the net', work)
  const enemies = new Map<number, number>()
  await eachInTurns(rows.length, 'finding the border', work, i =>
    enemies.set(rows[i], nearestEnemy(all, rows[i], labelsOf)),
  )
  const enemyOf = (row: number) => enemies.get(row) ?? 0
  const order = [...rows].sort((a, b) => enemyOf(a) - enemyOf(b) || a - b)
  return async (margin, most) => {
    const net = new Net<MetricItem>(reader.metric, Array.from({ length: items.length }))
    const kept: number[] = []
    await eachInTurns(order.length, 'condensing', work, i => {
      const row = order[i]
      if (kept.length > most || hasFriend(net, items[row], enemyOf(row) - margin, labelsOf, rowLabels[row])) return
      net.items[row] = items[row]
      net.insert(row)
      kept.push(row)
    })
    return kept.length > most ? undefined : { rows: kept }
  }
}

function hasFriend(
  net: Net<MetricItem>,
  item: MetricItem,
  reach: number,
  labelsOf: LabelsOf,
  labels: Uint32Array,
): boolean {
  let found = false
  explore(net, distancesFrom(net.metric, item), () => (found ? Number.NEGATIVE_INFINITY : reach), (node, distance) => {
    if (distance <= reach && node.rows.some(row => shareOne(labels, labelsOf(row)))) found = true
  }) // biome-ignore format: one call
  return found
}

function netTrial(data: MarginData, rows: readonly number[], work: LongWork): Trial {
  return async (radius, most) => {
    const { places } = await gatherRows(data, rows, radius, work)
    if (places.length > most) return undefined
    return { rows: places.map(({ row }) => row), labels: new Map(places.map(({ row, labels }) => [row, labels])) }
  }
}

function toCondensed(
  dataset: Dataset,
  { rowLabels }: MarginData,
  left: Leaving,
  margin: number,
  report: Condensed['report'],
): Condensed {
  const rows = Uint32Array.from(left.rows).sort()
  const selected = selectRows(dataset, rows)
  const labels = LabelMatrix.from(Array.from(rows, row => left.labels?.get(row) ?? rowLabels[row]), dataset.labels?.columns) // biome-ignore format: one idea
  return { dataset: { ...selected, labels }, rows, margin, report }
}
