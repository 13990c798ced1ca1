// A classifier's answers as lines of JSON: one per item, `{"id", "labels": [{"label", "score", "because"?}]}`.

import type { Explanation, Suggestion } from '@vicinal/core'

/** How many neighbors and features a label's `because` names. */
const reasonsShown = 2
const digits = 6

/** The labels of an item, with reasons where the suggestions have some. */
export function predictionLine(id: string | number, suggestions: readonly Suggestion[]): string {
  const labels = suggestions.map(({ label, name, score, because }) => ({
    ...{ label, ...(name !== undefined && { name }), score: round(score) },
    ...(because && { because: shortened(because) }),
  }))
  return `${JSON.stringify({ id, labels })}\n`
}

function shortened({ neighbors, features, margin }: Explanation): object {
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
