// The highest few of many sums, without putting all of them in order.

/** For more than this, sorting all is quicker. */
const few = 32

/** Below 0 if the first of two places with equal sums comes first. */
type BreakTie = (a: number, b: number) => number

/** The places of the k highest sums, highest first. */
export function bestFirst(sums: ArrayLike<number>, k: number, breakTie: BreakTie): number[] {
  if (k > few)
    return Array.from(sums, (_, i) => i)
      .sort((a, b) => sums[b] - sums[a] || breakTie(a, b))
      .slice(0, k)
  const best: number[] = []
  // The lowest sum that is still among the best.
  let least = Number.NEGATIVE_INFINITY
  for (let i = 0; i < sums.length; i++) {
    const isFull = best.length === k
    if (isFull && (sums[i] < least || (sums[i] === least && breakTie(i, best[k - 1]) >= 0))) continue
    let place = isFull ? k - 1 : best.length
    for (; place > 0; place--) {
      const other = best[place - 1]
      if (sums[i] < sums[other] || (sums[i] === sums[other] && breakTie(i, other) >= 0)) break
      best[place] = other
    }
    best[place] = i
    least = sums[best[best.length - 1]]
  }
  return best
}
