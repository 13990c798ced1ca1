// For messages about a name that is not known: which of the known ones may have been meant.

import { levenshtein } from '../search/metrics/levenshtein.ts'

/** Up to `count` of `names`: first those that begin like `name`, then those with the fewest letters to change. */
export function nearestNames(name: string, names: readonly string[], count = 5): string[] {
  const wanted = name.toLowerCase()
  const ranked = names.map((known, order) => ({ known, order, distance: distanceOf(wanted, known.toLowerCase()) }))
  ranked.sort((a, b) => a.distance - b.distance || a.order - b.order)
  return ranked.slice(0, count).map(({ known }) => known)
}

function distanceOf(wanted: string, known: string): number {
  const begins = wanted.length > 0 && (known.startsWith(wanted) || wanted.startsWith(known))
  return begins ? -1 / (1 + Math.abs(known.length - wanted.length)) : levenshtein.distance(wanted, known)
}
