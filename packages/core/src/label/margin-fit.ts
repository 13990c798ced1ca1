// Structural risk minimization (section 4 of paper 004): a net of all rows → the gap → rows in conflict are dropped → a net of the
// others, and what can be said about the error.

import type { Dataset } from '../data/dataset.ts'
import type { LongWork } from '../progress.ts'
import { Random } from '../random.ts'
import { IdTable } from '../search/id-table.ts'
import type { MetricItem } from '../search/metrics/named-metrics.ts'
import { Net } from '../search/net.ts'
import { estimateDimension } from '../search/net-dimension.ts'
import { inTurns } from '../search/turns.ts'
import { wellFormed } from '../store/packed-strings.ts'
import { LabelNames } from './label-names.ts'
import { type BoundFacts, fatBound, rademacherBound } from './margin-bounds.ts'
import { type Conflicts, coverConflicts, findConflicts, type LabelsOf } from './margin-conflicts.ts'
import { type MarginReader, readMarginItems } from './margin-items.ts'
import { type ErrorBound, type MarginModel, type MarginReport, mostLabelsOf } from './margin-model.ts'
import {
  type MarginOptions,
  type MarginSettings,
  type OwnDistance,
  type OwnDistanceOption,
  resolveMarginOptions,
} from './margin-options.ts'
import { perturbRows } from './margin-perturb.ts'
import { candidateGaps, leastBound, type TriedGap, validationErrors } from './margin-selection.ts'
import { checkTraining, namesOf } from './training-data.ts'

/** Rows as they are learned from. */
export interface MarginData {
  readonly settings: MarginSettings
  readonly reader: MarginReader
  readonly items: readonly MetricItem[]
  readonly rowLabels: Uint32Array[]
  readonly names: readonly string[]
  /** Rows that have a label. */
  readonly labeled: readonly number[]
}

/** What is left of the rows, and why. */
export interface Separated {
  /** 1 for the rows that are dropped: S₀, and those without labels. */
  readonly dropped: Uint8Array
  readonly gap: number
  readonly report: Omit<MarginReport, 'kept' | 'perturbation'>
}

export async function fitMargin(
  dataset: Dataset,
  options: MarginOptions & OwnDistanceOption & LongWork,
): Promise<MarginModel> {
  const { signal, onProgress } = options
  const work = { signal, onProgress }
  const data = readMarginData(dataset, resolveMarginOptions(options), work, options.ownDistance)
  const ids = new IdTable(dataset.rows, dataset.ids)
  const { dropped, report } = await separate(data, work)
  const kept = data.labeled.filter(row => dropped[row] === 0)
  const moved = data.settings.perturb > 0 ? await perturbRows(data, kept, report.diameter, work) : undefined
  const { rowLabels } = data
  const placeLabels = new Map(moved?.places.map(({ row, labels }) => [row, labels]))
  const net = await netOf(data, moved?.places.map(({ row }) => row) ?? kept, 'indexing', work)
  const places = moved?.places.length ?? kept.length
  return {
    ...{ settings: data.settings, reader: data.reader, net, ids },
    ...{ rowLabels, placeLabels, mostLabels: mostLabelsOf(rowLabels, placeLabels.values()) },
    report: { ...report, kept: places, ...(moved && { perturbation: moved.report }) },
    labelNames: new LabelNames(data.names),
    texts: data.reader.pipeline && dataset.texts ? keepTexts(dataset.texts, net) : undefined,
  }
}

export function readMarginData(
  dataset: Dataset,
  settings: MarginSettings,
  work: LongWork,
  own?: OwnDistance,
): MarginData {
  const labels = checkTraining(dataset)
  const names = namesOf(dataset, labels)
  new LabelNames(names) // refuses names that repeat, before the work begins
  const { reader, items } = readMarginItems(dataset, settings, work, own)
  const rowLabels = Array.from({ length: labels.rows }, (_, row) => labels.row(row).slice())
  const labeled = [...rowLabels.keys()].filter(row => rowLabels[row].length > 0)
  return { settings, reader, items, rowLabels, names, labeled }
}

/** A net of some rows, under the numbers that they have. */
export async function netOf(
  { reader, items }: Pick<MarginData, 'reader' | 'items'>,
  rows: readonly number[],
  what: string,
  work: LongWork,
): Promise<Net<MetricItem>> {
  const net = new Net<MetricItem>(reader.metric, Array.from({ length: items.length }))
  await inTurns(rows.length, what, work, i => {
    net.items[rows[i]] = items[rows[i]]
    net.insert(rows[i])
  })
  return net
}

/** Chooses the gap, and the rows to drop. */
export async function separate(data: MarginData, work: LongWork): Promise<Separated> {
  const { settings, labeled, rowLabels, reader } = data
  const labelsOf: LabelsOf = row => rowLabels[row]
  const net = await netOf(data, labeled, 'building the net', work)
  const gaps = settings.gap === 'chosen' ? candidateGaps(net, labeled, labelsOf, settings.seed) : [settings.gap]
  const conflicts = await findConflicts(net, labelsOf, gaps, work)
  const facts = factsOf(data, net)
  const choice = await chooseGap({ data, net, conflicts, gaps: gaps.filter(gap => gap <= conflicts.gap), facts }, work)
  const dropped = coverConflicts(conflicts, rowLabels.length, choice.gap)
  const count = dropped.reduce((sum, drop) => sum + drop, 0)
  for (const [row, labels] of rowLabels.entries()) if (labels.length === 0) dropped[row] = 1
  const lipschitz = choice.gap === 0 ? null : facts.lipschitzOf(choice.gap)
  const report = {
    ...{ distance: reader.metric.name, rows: labeled.length, dropped: count, lipschitz, ...choice },
    ...{ diameter: facts.diameter, dimension: facts.dimension },
    bound: boundOf(facts, choice.gap, count, settings),
  }
  return { dropped, gap: choice.gap, report }
}

interface Facts {
  readonly diameter: number
  readonly dimension: MarginReport['dimension']
  lipschitzOf(gap: number): number
  factsFor(gap: number): BoundFacts
}

/** Of the space and the data: what the bounds take. All items are within the root's radius of it, so twice that is no less than the diameter. */
function factsOf({ labeled, names, settings }: MarginData, net: Net<MetricItem>): Facts {
  const diameter = 2 * (net.root?.radius ?? 0)
  const dimension = estimateDimension(net, settings.seed)
  const lipschitzOf = (gap: number) => Math.min((2 * diameter) / gap, Number.MAX_VALUE)
  const factsFor = (gap: number): BoundFacts => ({
    ...{ rows: labeled.length, labels: names.length, lipschitz: lipschitzOf(gap) },
    ...{ dimension: dimension.most, uncertainty: settings.uncertainty },
  })
  return { diameter, dimension, lipschitzOf, factsFor }
}

/** The theorems are about rows as they are and exact neighbors; for perturb and tolerance section 5 prints no constants. */
function boundOf({ factsFor }: Facts, gap: number, dropped: number, settings: MarginSettings): ErrorBound {
  const { radConstant, perturb, tolerance } = settings
  const facts = factsFor(gap)
  const empirical = dropped / facts.rows
  if (gap === 0) return { empirical, fat: null, rademacher: null, total: null, vacuous: true }
  const fat = fatBound(facts)
  const rademacher = radConstant > 0 ? rademacherBound(facts, radConstant) : null
  if (perturb > 0 || tolerance > 0) return { empirical, fat, rademacher, total: null, vacuous: true }
  const total = Math.min(empirical + Math.min(fat, rademacher ?? fat), Number.MAX_VALUE)
  return { empirical, fat, rademacher, total, vacuous: total >= 1 }
}

interface GapTask {
  readonly data: MarginData
  readonly net: Net<MetricItem>
  readonly conflicts: Conflicts
  /** Ascending, at least one. */
  readonly gaps: readonly number[]
  readonly facts: Facts
}

type GapChoice = Pick<MarginReport, 'gap' | 'selectedBy' | 'tried'>

async function chooseGap(task: GapTask, work: LongWork): Promise<GapChoice> {
  const { data, conflicts, gaps, facts } = task
  const droppedAt = (gap: number) =>
    coverConflicts(conflicts, data.rowLabels.length, gap).reduce((sum, drop) => sum + drop, 0)
  const tried: TriedGap[] = gaps.map(gap => ({
    ...{ gap, dropped: droppedAt(gap) },
    fatBound: gap === 0 ? Number.MAX_VALUE : fatBound(facts.factsFor(gap)),
  }))
  if (data.settings.gap !== 'chosen') return { gap: gaps[0], selectedBy: 'caller', tried }
  if (data.settings.select === 'bound') {
    const { rows } = facts.factsFor(1)
    const shareAt = (gap: number) => (tried.find(one => one.gap === gap)?.dropped ?? 0) / rows
    const deltaAt = (gap: number) => boundOf(facts, gap, 0, data.settings).total ?? Number.MAX_VALUE
    const gap = gaps[leastBound(gaps, shareAt, deltaAt)]
    if (shareAt(gap) + deltaAt(gap) < 1) return { gap, selectedBy: 'bound', tried }
  }
  return validate(task, tried, work)
}

async function validate(
  { data, net, conflicts, gaps }: GapTask,
  tried: readonly TriedGap[],
  work: LongWork,
): Promise<GapChoice> {
  const { settings, labeled, rowLabels } = data
  const count = Math.min(settings.validationRows, Math.floor(labeled.length / 5))
  if (count === 0 || gaps.length === 1) return { gap: gaps[0], selectedBy: 'validation', tried }
  const heldOut = new Random(settings.seed).sample(labeled.length, count).map(at => labeled[at])
  const errors = await validationErrors({ net, labelsOf: row => rowLabels[row], conflicts, heldOut, gaps }, work)
  // Of gaps that are as good the largest: what is simpler generalizes.
  const best = errors.lastIndexOf(Math.min(...errors))
  return { gap: gaps[best], selectedBy: 'validation', tried: tried.map((one, i) => ({ ...one, error: errors[i] })) }
}

function keepTexts(texts: readonly string[], net: Net<MetricItem>): string[] {
  return texts.map((text, row) => (net.items[row] === undefined ? '' : wellFormed(text)))
}
