// The first few of many in an order, without putting all of them in order.

/** For more than this, sorting all is quicker. */
const few = 32

/** The first k of the numbers [0, count) by `compare`, which is below 0 if its first argument comes first. */
export function bestFirst(count: number, k: number, compare: (a: number, b: number) => number): number[] {
  if (k > few)
    return Array.from({ length: count }, (_, i) => i)
      .sort(compare)
      .slice(0, k)
  const best: number[] = []
  for (let i = 0; i < count; i++) {
    if (best.length === k && compare(i, best[k - 1]) >= 0) continue
    let place = best.length < k ? best.length : k - 1
    for (; place > 0 && compare(i, best[place - 1]) < 0; place--) best[place] = best[place - 1]
    best[place] = i
  }
  return best
}
