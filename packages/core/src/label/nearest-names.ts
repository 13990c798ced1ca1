// For messages about a name that is not known: which of the known ones may have been meant.

/** Up to `count` of `names`: first those that begin like `name`, then those with the fewest letters to change. */
export function nearestNames(name: string, names: readonly string[], count = 5): string[] {
  const wanted = name.toLowerCase()
  const ranked = names.map((known, order) => ({ known, order, distance: distanceOf(wanted, known.toLowerCase()) }))
  ranked.sort((a, b) => a.distance - b.distance || a.order - b.order)
  return ranked.slice(0, count).map(({ known }) => known)
}

function distanceOf(wanted: string, known: string): number {
  const begins = wanted.length > 0 && (known.startsWith(wanted) || wanted.startsWith(known))
  return begins ? -1 / (1 + Math.abs(known.length - wanted.length)) : editDistance(wanted, known)
}

/** Levenshtein's distance: letters to add, take out or replace. */
function editDistance(a: string, b: string): number {
  let previous = Uint32Array.from({ length: b.length + 1 }, (_, j) => j)
  let current = new Uint32Array(b.length + 1)
  for (let i = 1; i <= a.length; i++) {
    current[0] = i
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)
      current[j] = Math.min(previous[j] + 1, current[j - 1] + 1, replaced)
    }
    ;[previous, current] = [current, previous]
  }
  return previous[b.length]
}
