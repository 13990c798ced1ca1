// The list that a person sees: what they accepted comes first, then what the model suggests, best first.

import type { NamedLabel, Suggestion } from '../backend/answers.ts'

export interface ShownLabel extends NamedLabel {
  /** Undefined for an accepted label that is not among the best of the model. */
  readonly score?: number
}

export function acceptedFirst(suggestions: readonly Suggestion[], accepted: readonly NamedLabel[]): ShownLabel[] {
  const byLabel = new Map(suggestions.map(one => [one.label, one]))
  const isAccepted = new Set(accepted.map(({ label }) => label))
  return [
    ...accepted.map(one => byLabel.get(one.label) ?? one),
    ...suggestions.filter(({ label }) => !isAccepted.has(label)),
  ]
}
