// A classifier's answers as lines of JSON: one an item, `{"id", "labels": [{"label", "score", "because"?}]}`.

import type { Classifier, Explanation, Item, RankedLabels } from '@vicinal/core'

/** How many neighbors and features a label's `because` names. */
const reasonsShown = 2
const digits = 6

export interface LabeledItems {
  readonly ids: readonly (string | number)[]
  readonly ranked: RankedLabels
  /** The item of a row, for reasons. Absent: no reasons. */
  readonly itemAt?: (row: number) => Item
}

export function* predictionLines(model: Classifier, { ids, ranked, itemAt }: LabeledItems): Generator<string> {
  for (const [row, id] of ids.entries()) {
    yield `${JSON.stringify({ id, labels: labelsOf(model, ranked, row, itemAt?.(row)) })}\n`
  }
}

function labelsOf(model: Classifier, ranked: RankedLabels, row: number, item: Item | undefined): object[] {
  const from = row * ranked.top
  return Array.from(ranked.labels.subarray(from, from + ranked.counts[row]!), (number, place) => {
    const label = model.labelNames[number]!
    return {
      label,
      score: round(ranked.scores[from + place]!),
      ...(item !== undefined && { because: because(model.explain(item, label)) }),
    }
  })
}

function because({ neighbors, features, margin }: Explanation): object {
  return {
    neighbors: neighbors.slice(0, reasonsShown).map(({ id, text, distance, share }) => ({
      ...{ id, ...(text !== undefined && { text }) },
      ...(distance !== undefined && { distance: round(distance) }),
      share: round(share),
    })),
    features: features.slice(0, reasonsShown).map(({ feature, share }) => ({ feature, share: round(share) })),
    ...(margin !== undefined && { margin: round(margin) }),
  }
}

/** To six digits: what is beyond them differs between machines. */
function round(value: number): number {
  return Number(value.toPrecision(digits))
}
