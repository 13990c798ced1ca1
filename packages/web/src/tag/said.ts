// The verdicts of a person on the labels of one text, and how one more verdict changes them.

import type { Correction, Item } from '../backend/answers.ts'

export type Verdict = 'accepted' | 'rejected'

/** Labels that fit (none of all, if the list is empty) and labels that do not. */
export type Said = Pick<Correction, 'labels' | 'rejected'>

/** With a verdict on a label, or without one. */
export function judged({ labels, rejected = [] }: Said, label: string, verdict: Verdict | undefined): Said {
  const yes = (labels ?? []).filter(one => one !== label)
  const no = rejected.filter(one => one !== label)
  if (verdict) (verdict === 'accepted' ? yes : no).push(label)
  const isSaid = yes.length > 0 || labels?.length === 0
  return { ...(isSaid && { labels: yes }), rejected: no }
}

export function saidOf(corrections: readonly Correction[], item: Item | undefined): Correction | undefined {
  return corrections.find(one => keyOf(one.item) === keyOf(item))
}

/** The list after these corrections were made: each replaces an earlier one of its item. */
export function withLearned(corrections: readonly Correction[], learned: readonly Correction[]): Correction[] {
  const keys = new Set(learned.map(one => keyOf(one.item)))
  return [...corrections.filter(one => !keys.has(keyOf(one.item))), ...learned]
}

function keyOf(item: Item | undefined): string {
  return JSON.stringify(item) ?? ''
}
