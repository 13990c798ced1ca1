// A sorted set of texts or numbers that can grow at any time. New values wait in a short unsorted list until there are enough to merge, so
// that the cost of adding does not depend on the size.

/** This many values may wait, or this share of the sorted ones. */
const fewestWaiting = 64
const waitingShare = 1 / 16

export class SortedValues<Value extends string | number> {
  #sorted: Value[]
  #waiting: Value[] = []

  /** Different values, in any order. */
  constructor(values: Iterable<Value> = []) {
    this.#sorted = [...values].sort(compare)
  }

  /** Different values, in order already. */
  static inOrder<Value extends string | number>(sorted: Value[]): SortedValues<Value> {
    const values = new SortedValues<Value>()
    values.#sorted = sorted
    return values
  }

  get size(): number {
    return this.#sorted.length + this.#waiting.length
  }

  /** A value that is not there yet. */
  add(value: Value): void {
    this.#waiting.push(value)
    if (this.#waiting.length <= Math.max(fewestWaiting, waitingShare * this.#sorted.length)) return
    this.#sorted = merged(this.#sorted, this.#waiting.sort(compare))
    this.#waiting = []
  }

  /** Those in order. */
  get sorted(): readonly Value[] {
    return this.#sorted
  }

  /** Those that are not in order yet. */
  get waiting(): readonly Value[] {
    return this.#waiting
  }
}

/** The first position from `from` on whose value is not below `value` (galloping search). */
export function firstFrom<Value extends string | number>(sorted: readonly Value[], value: Value, from = 0): number {
  let low = from
  let step = 1
  while (low + step < sorted.length && sorted[low + step] < value) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step, sorted.length)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle] < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Texts by code units, as `<` has it. */
function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function merged<Value extends string | number>(a: readonly Value[], b: readonly Value[]): Value[] {
  const all: Value[] = []
  let j = 0
  for (const value of a) {
    while (j < b.length && b[j] < value) all.push(b[j++])
    all.push(value)
  }
  while (j < b.length) all.push(b[j++])
  return all
}
