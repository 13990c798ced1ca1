// Scores of labels by distance alone. Formula 16 of paper 004 comes down to h(x, y) = (d' − d) / gap, cut to [−1, 1], where d is the
// distance of the nearest row with the label and d' that of the nearest row without it: the margin of formula 4 for f = −L d.
// A label's score is (1 + h) / 2, so ½ means that two labels are equally near. Equal distances are common if distances are whole
// numbers: there the label with more of the equally near rows comes first, by up to 1/256 of score that the others lose.

import { explore } from '../../nets/explore.ts'
import { distancesFrom } from '../../nets/metrics/metric.ts'
import type { MetricItem } from '../../nets/metrics/named-metrics.ts'
import type { Net } from '../../nets/net.ts'
import { type LabelsOf, shareOne } from './separation/conflicts.ts'

/** The query. */
export interface MarginQuestion {
  readonly net: Net<MetricItem>
  readonly labelsOf: LabelsOf
  readonly gap: number
  readonly tolerance: number
  /** How many labels matter; infinite if rows have several, because then the nearest labels do not include all rivals. */
  readonly labels: number
}

/** The evidence for a label. */
export interface LabelMargin {
  readonly label: number
  /** h(x, y). */
  readonly margin: number
  readonly score: number
  /** Of the nearest rows with the label. */
  readonly distance: number
  /** These rows. */
  readonly rows: readonly number[]
  /** The nearest row without the label; undefined if there is none near enough to matter. */
  readonly rival: Hit | undefined
}

interface Hit {
  readonly row: number
  readonly distance: number
}

/** The most that a label's score drops if others are equally near. */
const tieCost = 2 ** -8

/** The labels that the margin does not rule out, best first, ties by label. */
export function labelMargins(question: MarginQuestion, item: MetricItem): LabelMargin[] {
  const hits = nearHits(question, item)
  const nearest = new Map<number, { distance: number; rows: number[] }>()
  for (const { row, distance } of hits) {
    const labels = question.labelsOf(row)
    for (let e = 0; e < labels.length; e++) {
      const found = nearest.get(labels[e])
      if (!found) nearest.set(labels[e], { distance, rows: [row] })
      else if (found.distance === distance) found.rows.push(row)
    }
  }
  const counts = countEqual(hits)
  const margins = Array.from(nearest, ([label, { distance, rows }]) => {
    const rival = hits.find(({ row }) => !shareOne(question.labelsOf(row), [label]))
    const margin = marginOf(rival?.distance ?? Number.POSITIVE_INFINITY, distance, question.gap)
    const equal = counts.get(distance) ?? rows.length
    const score = Math.fround((1 + margin) / 2 - tieCost * (1 - rows.length / equal))
    return { label, margin, score, distance, rows, rival }
  })
  return margins.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.label - b.label)
}

/** h for a rival at distance `other`, cut to [−1, 1]. Without a gap any difference decides. */
export function marginOf(other: number, own: number, gap: number): number {
  if (other === own) return 0
  return gap === 0 ? Math.sign(other - own) : Math.max(-1, Math.min(1, (other - own) / gap))
}

/**
 * All rows up to the distance of the nearest and the gap beyond, or up to the first label that is one too many, which may be the rival
 * of the best; nearest first, ties by row.
 */
function nearHits({ net, gap, tolerance, labels, labelsOf }: MarginQuestion, item: MetricItem): Hit[] {
  const hits: Hit[] = []
  const byLabel = new Map<number, number>()
  let [nearest, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const see = (label: number, distance: number) => {
    if (distance >= (byLabel.get(label) ?? Number.POSITIVE_INFINITY)) return
    byLabel.set(label, distance)
    if (byLabel.size > labels) most = Math.min(most, Float64Array.from(byLabel.values()).sort()[labels])
  }
  const limit = () => Math.min(nearest + gap, most)
  explore(net, distancesFrom(net.metric, item), () => limit() / (1 + tolerance), (node, distance) => {
    if (distance > limit()) return
    if (distance < nearest) nearest = distance
    for (const row of node.rows) {
      hits.push({ row, distance })
      if (labels < Number.POSITIVE_INFINITY) see(labelsOf(row)[0], distance)
    }
  }) // biome-ignore format: one call
  return hits.filter(({ distance }) => distance <= limit()).sort((a, b) => a.distance - b.distance || a.row - b.row)
}

/** How many rows there are at each distance. */
function countEqual(hits: readonly Hit[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { distance } of hits) counts.set(distance, (counts.get(distance) ?? 0) + 1)
  return counts
}
