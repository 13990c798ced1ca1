// What a fitted MarginClassifier holds. Rows that were dropped keep their number, id and labels, but are not in the net: they have no
// influence, and nothing of their contents is kept.

import type { IdTable } from '../../ids/id-table.ts'
import type { DimensionEstimate } from '../../nets/dimension.ts'
import type { MetricItem } from '../../nets/metrics/named-metrics.ts'
import type { Net } from '../../nets/net.ts'
import type { JsonObject } from '../../store/json.ts'
import type { LabelNames } from '../label-names.ts'
import type { MarginReader } from './items.ts'
import type { MarginSettings } from './options.ts'
import type { MarginQuestion } from './scores.ts'
import type { TriedGap } from './separation/selection.ts'

/** How a model was fitted, and bounds on its error. */
export interface MarginReport {
  /** The metric in use. */
  readonly distance: string
  /** Training rows with labels. */
  readonly rows: number
  /** Of these, the rows that were in conflict and were dropped: S₀; the others are S₁. */
  readonly dropped: number
  /** Distinct places left: fewer than rows if rows were moved together. */
  readonly kept: number
  /** Rows of different labels in S₁ are at least this far apart. */
  readonly gap: number
  /** 2 / gap for distances of at most 1 (L); null if the gap is 0. */
  readonly lipschitz: number | null
  /** No two items are farther apart. */
  readonly diameter: number
  /** Measured down to the scale of the gap: an estimate, which no proof relies on. */
  readonly dimension: DimensionEstimate
  /** What chose the gap. */
  readonly selectedBy: 'validation' | 'bound' | 'caller'
  readonly tried: readonly TriedGap[]
  readonly bound: ErrorBound
  /** How rows were moved together, if requested. */
  readonly perturbation?: Perturbation
}

/**
 * Bounds on the error for new items from the same distribution as the training rows. An error is an item whose nearest row has no label
 * in common with it: for items with one label, a wrong best label.
 */
export interface ErrorBound {
  /** With probability 1 − δ the error on new items is at most this: proven, by sample compression. Null if there is a `reason`. */
  readonly total: number | null
  /** Why there is no bound. */
  readonly reason?: string
  /** True if the bound is useless: there is none, or it is not below `constant`. */
  readonly vacuous: boolean
  /** The share of training rows that always giving the most frequent label gets wrong. */
  readonly constant: number
  /** The share of training rows that count as errors: those dropped or, with `perturb`, those that the places get wrong. */
  readonly empirical: number
  /** How many rows represent all others in the proof; null if there is no bound below 1. */
  readonly compressed: number | null
  /** δ. */
  readonly uncertainty: number
  /** Δ of Theorem 5, to be added to `empirical`: an estimate, because the dimension is one. Null if the gap is 0. */
  readonly fat: number | null
  /** Δ of Theorem 4: also an estimate. Null if its constant is not given: the paper does not print it. */
  readonly rademacher: number | null
}

/** How far rows were moved onto a coarser net. */
export interface Perturbation {
  /** How far rows were moved on average, in units of the metric (α / n). */
  readonly shift: number
  /** No place is within this of another. */
  readonly radius: number
  readonly places: number
  readonly dimensionBefore: number
  readonly dimensionAfter: number
}

export interface MarginModel {
  readonly settings: MarginSettings
  /** It has no bound after rows were added or removed. */
  report: MarginReport
  readonly reader: MarginReader
  readonly net: Net<MetricItem>
  readonly ids: IdTable
  /** By row, ascending. */
  readonly rowLabels: Uint32Array[]
  /** If rows were merged: the labels at each place, by the row whose item the place has. Otherwise empty. */
  readonly placeLabels: ReadonlyMap<number, Uint32Array>
  /** The most labels that any row has ever had: if it is 1, a search can stop at the labels it is asked for. */
  mostLabels: number
  readonly labelNames: LabelNames
  /** Texts of rows that are compared as vectors, by row. */
  readonly texts: string[] | undefined
}

/** For the best `top` labels. */
export function questionOf(model: MarginModel, top: number): MarginQuestion {
  const { net, rowLabels, placeLabels, report, settings, mostLabels } = model
  const labels = mostLabels > 1 ? Number.POSITIVE_INFINITY : top
  return {
    net,
    labelsOf: row => placeLabels.get(row) ?? rowLabels[row],
    gap: report.gap,
    tolerance: settings.tolerance,
    labels,
  }
}

export function mostLabelsOf(...lists: readonly Iterable<Uint32Array>[]): number {
  let most = 0
  for (const list of lists) for (const { length } of list) most = Math.max(most, length)
  return most
}

/** Reports hold only what JSON can hold, though their types do not say so. */
export function asJson(value: object): JsonObject {
  return value as JsonObject
}
