// For messages about an unknown name: which of the known ones was probably meant.

/** Up to `count` of `names`: first those that begin like `name`, then those with the fewest letters to change. */
export function nearestNames(name: string, names: readonly string[], count = 5): string[] {
  return ranked(name, names, count).map(({ known }) => known)
}

/** 'Did you mean "metric"?', with up to `count` names that are close to `name`; undefined if none is. */
export function didYouMean(name: string, names: readonly string[], count = 1): string | undefined {
  // A third of the letters may be wrong: more is another word.
  const isClose = ({ known, distance }: Ranked) =>
    distance <= Math.max(1, Math.floor(Math.max(name.length, known.length) / 3))
  const quotedNames = ranked(name, names, count)
    .filter(isClose)
    .map(({ known }) => `"${known}"`)
  const last = quotedNames.pop()
  if (last === undefined) return undefined
  return `Did you mean ${quotedNames.length > 0 ? `${quotedNames.join(', ')} or ` : ''}${last}?`
}

interface Ranked {
  readonly known: string
  readonly distance: number
}

/** The nearest, those that are as near in their order. */
function ranked(name: string, names: readonly string[], count: number): Ranked[] {
  const wanted = name.toLowerCase()
  return names
    .map(known => ({ known, distance: distanceOf(wanted, known.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
}

function distanceOf(wanted: string, known: string): number {
  const begins = wanted.length > 0 && (known.startsWith(wanted) || wanted.startsWith(known))
  return begins ? -1 / (1 + Math.abs(known.length - wanted.length)) : editDistance(wanted, known)
}

/** Letters to insert, delete, replace or swap with their neighbor (optimal string alignment): 'metirc' is 1 from 'metric'. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(row[j - 1] + 1, last[j] + 1, last[j - 1] + (isSame ? 0 : 1))
      if (isSwapped) row[j] = Math.min(row[j], beforeLast[j - 2] + 1)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]
}
