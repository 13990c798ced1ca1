// What is proven about the error of the model that a gap gives, and what is only estimated.

import type { LongWork } from '../../long-work.ts'
import { type BoundFacts, compressionBound, fatBound, largestSize, rademacherBound } from './bounds.ts'
import { type Compression, compressPlaces, compressRows, coverRadius } from './compression.ts'
import type { MarginData } from './data.ts'
import type { ErrorBound } from './model.ts'
import { moveRows } from './perturb.ts'

/** A bound, and what it rests on. */
export interface Proof extends Compression {
  readonly total: number
}

/** Why there is no bound; undefined if there is one. */
export function noProofReason(
  { reader, settings }: Pick<MarginData, 'reader' | 'settings'>,
  gap: number,
): string | undefined {
  if (reader.pipeline) return 'the distance was learned from the training texts'
  return gap === 0 && settings.perturb === 0 ? 'there is no bound without a gap' : undefined
}

/** The bound for what is left by `dropped` at a gap; undefined if there is none, or none below `target`. */
export async function prove(
  data: MarginData,
  gap: number,
  dropped: Uint8Array,
  diameter: number,
  target: number,
  work: LongWork,
): Promise<Proof | undefined> {
  if (noProofReason(data, gap) !== undefined) return undefined
  const { labeled, settings } = data
  const kept = labeled.filter(row => dropped[row] === 0)
  const found = await (settings.perturb > 0
    ? compressMoved(data, kept, diameter, work)
    : compressKept(data, kept, gap, target, work))
  const total = found && compressionBound({ rows: labeled.length, uncertainty: settings.uncertainty, ...found })
  return found && total !== undefined && total < target ? { ...found, total } : undefined
}

async function compressMoved(
  data: MarginData,
  kept: readonly number[],
  diameter: number,
  work: LongWork,
): Promise<Compression> {
  const { places, net } = await moveRows(data, kept, diameter, work)
  const { nats, ...rest } = await compressPlaces(data, places, net, work)
  return { ...rest, nats: nats + choiceNats(data) }
}

/** The cost of choosing one of the distances that were tried. */
function choiceNats({ settings }: MarginData): number {
  return Math.log(settings.distancesTried)
}

/** Stops as soon as the bound is not below the target any more. */
async function compressKept(
  data: MarginData,
  kept: readonly number[],
  gap: number,
  target: number,
  work: LongWork,
): Promise<Compression | undefined> {
  const { labeled, settings } = data
  const { radius, nats: radiusNats } = coverRadius(gap, settings.tolerance)
  const nats = radiusNats + choiceNats(data)
  const facts = { rows: labeled.length, errors: labeled.length - kept.length, nats, uncertainty: settings.uncertainty }
  const chosen = await compressRows(data, kept, radius, largestSize(facts, target), work)
  return chosen && { size: chosen.length, errors: facts.errors, nats }
}

/** What is reported. `facts` are for the estimates; undefined without a gap. */
export function errorBound(
  data: MarginData,
  proof: Proof | undefined,
  dropped: number,
  facts: BoundFacts | undefined,
  reason: string | undefined,
): ErrorBound {
  const { settings, labeled } = data
  const rows = labeled.length
  const total = reason === undefined ? (proof?.total ?? 1) : null
  return {
    empirical: rows === 0 ? 0 : (proof?.errors ?? dropped) / rows,
    ...{ compressed: proof?.size ?? null, uncertainty: settings.uncertainty },
    ...{ total, constant: constantError(data), vacuous: total === null || total >= constantError(data) },
    ...(reason !== undefined && { reason }),
    fat: facts ? fatBound(facts) : null,
    rademacher: facts && settings.rademacherConstant > 0 ? rademacherBound(facts, settings.rademacherConstant) : null,
  }
}

/** The report after rows were added or removed: its bound no longer holds. */
export function withoutBound<Report extends { readonly bound: ErrorBound }>(report: Report): Report {
  const reason = 'rows were added or removed after fitting'
  return { ...report, bound: { ...report.bound, total: null, compressed: null, vacuous: true, reason } }
}

/** The share of rows without the most frequent label. */
function constantError({ rowLabels, labeled, names }: MarginData): number {
  const counts = new Float64Array(names.length)
  for (const row of labeled) for (const label of rowLabels[row]) counts[label]++
  return labeled.length === 0 ? 0 : 1 - counts.reduce((a, b) => Math.max(a, b), 0) / labeled.length
}
