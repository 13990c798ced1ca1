// A classifier's answers: a line of JSON per item, `{"id", "labels": [{"label", "name"?, "score", "because"?}]}`, or a row per label.

import type { Classifier, Explanation, Suggestion, Vocabulary } from '@vicinal/core'
import type { Answer, Column } from '../files/results/answer.ts'

/** How many neighbors and features a label's `because` names. */
const reasonsShown = 2
const digits = 6

/** The columns of a table of labels. */
export function predictionColumns({ vocabulary }: Classifier, explained: boolean): Column[] {
  return [
    { name: 'id', type: 'text' },
    { name: 'rank', type: 'number' },
    { name: 'label', type: 'text' },
    ...(vocabulary ? [{ name: 'name', type: 'text' } as const] : []),
    ...moreColumns.filter(({ name }) => isUsed(vocabulary, name)),
    { name: 'score', type: 'number' },
    ...(explained ? [{ name: 'because', type: 'text' } as const] : []),
  ]
}

const moreColumns = [
  { name: 'notation', type: 'text' },
  { name: 'deprecated', type: 'text' },
  { name: 'replacedBy', type: 'text' },
] as const

function isUsed(vocabulary: Vocabulary | undefined, name: 'notation' | 'deprecated' | 'replacedBy'): boolean {
  for (const concept of vocabulary ?? []) if (concept[name] !== undefined) return true
  return false
}

/** The labels of an item, with reasons where the suggestions have some. */
export function predictionAnswer(
  id: string | number,
  suggestions: readonly Suggestion[],
  columns: readonly Column[],
): Answer {
  const labels = suggestions.map(({ score, because, ...named }) => ({
    ...{ ...named, score: round(score) },
    ...(because && { because: shortened(because) }),
  }))
  const rows = labels.map((label, i) => {
    const because = 'because' in label ? JSON.stringify(label.because) : undefined
    const deprecated = label.deprecated && 'true'
    const cells: Record<string, string | number | undefined> = { id, rank: i + 1, ...label, because, deprecated }
    return columns.map(({ name }) => cells[name])
  })
  return { line: { id, labels }, rows }
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

/** To six digits: further digits differ between machines. */
function round(value: number): number {
  return Number(value.toPrecision(digits))
}
