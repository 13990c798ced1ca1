// The list that a person sees: what they accepted comes first, then what the model suggests, best first, and last what they rejected.

import type { NamedLabel, Suggestion } from '../backend/answers.ts'

export interface ShownLabel extends NamedLabel {
  /** Undefined for a label that was accepted or rejected and is not among the best of the model. */
  readonly score?: number
}

export function acceptedFirst(
  suggestions: readonly Suggestion[],
  accepted: readonly NamedLabel[],
  rejected: readonly NamedLabel[] = [],
): ShownLabel[] {
  const byLabel = new Map(suggestions.map(one => [one.label, one]))
  const isJudged = new Set([...accepted, ...rejected].map(({ label }) => label))
  const shown = (one: NamedLabel) => byLabel.get(one.label) ?? one
  return [...accepted.map(shown), ...suggestions.filter(({ label }) => !isJudged.has(label)), ...rejected.map(shown)]
}
