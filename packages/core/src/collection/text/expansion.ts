// Which words of the dictionary a query word matches: itself, words it is a prefix of, words that differ by a typo. Each has a closeness in
// (0, 1] that scales its weight.

import type { FieldLists } from './field-lists.ts'

/** Whether a query matches prefixes and typos. */
export interface Forgiveness {
  /** Words that the query's words begin count too: those of the last word ('last'), or of all. */
  readonly prefix: boolean | 'last'
  /** Words that differ by a typo count too: one edit in words of 4 to 7 letters, two in longer ones. */
  readonly typos: boolean
}

/** A word of the dictionary. */
export interface Expanded {
  readonly word: string
  readonly closeness: number
}

/** Only the nearest are used: more would cost time and add little. */
const mostExpanded = 50
const prefixCloseness = 0.75
/** By edits. */
const typoCloseness = [1, 0.5, 0.25]

/** Closest first. `isLast` says whether it is the last word of the query. */
export function expandWord(field: FieldLists, word: string, how: Forgiveness, isLast: boolean): Expanded[] {
  const found = new Map<string, number>()
  const keep = (other: string, closeness: number) => {
    const isFound = field.find(other) !== undefined
    if (isFound) found.set(other, Math.max(closeness, found.get(other) ?? 0))
    return isFound
  }
  keep(word, 1)
  const begins = how.prefix === true || (how.prefix === 'last' && isLast)
  if (begins) {
    let left = mostExpanded
    for (const other of field.words.withPrefix(word)) {
      if (keep(other, (prefixCloseness * word.length) / other.length) && --left === 0) break
    }
  }
  const edits = how.typos ? mostEdits(word) : 0
  if (edits > 0) field.words.near(word, edits, (other, count) => keep(other, typoCloseness[count]))
  const expanded = Array.from(found, ([other, closeness]) => ({ word: other, closeness }))
  if (expanded.length > 1) expanded.sort((a, b) => b.closeness - a.closeness || (a.word < b.word ? -1 : 1))
  return expanded.slice(0, mostExpanded)
}

function mostEdits(word: string): number {
  return word.length < 4 ? 0 : word.length < 8 ? 1 : 2
}
