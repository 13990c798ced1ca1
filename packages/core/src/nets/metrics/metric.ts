// What a distance is to the net: a function of two items, of any kind. Invariant of every metric: d(a, a) = 0, d(a, b) = d(b, a) ≥ 0
// and d(a, c) ≤ d(a, b) + d(b, c); whole regions are passed over by these three (see metric-fault.ts for who doubts them).

import { EngineError, shown } from '../../errors.ts'

/** A distance between items. It must be a metric: symmetric, with the triangle inequality. */
export interface Metric<Item> {
  /** As in model files: who loads one with a distance supplied by the caller gives the metric of this name again. */
  readonly name: string
  /** The distance of two items: 0 or more, the same both ways. */
  distance(a: Item, b: Item): number
  /** The distances of many items from one. What is to be prepared of it is prepared once. Default: calls `distance`. */
  from?(a: Item): (b: Item) => number
  /** Refuses an item that the metric cannot compare; `name` is what messages call it: 'row 7', 'the query'. */
  check?(item: Item, name: string): void
}

export function distancesFrom<Item>(metric: Metric<Item>, a: Item): (b: Item) => number {
  return metric.from?.(a) ?? (b => metric.distance(a, b))
}

/** Refuses an option that is not a metric supplied by the caller. */
export function checkOwnMetric(name: string, value: unknown): void {
  const metric = value as Partial<Metric<unknown>> | null // as far as is looked at here
  const isMetric = typeof metric === 'object' && typeof metric?.distance === 'function'
  if (isMetric && typeof metric.name === 'string') return
  const expected = 'an object with a name and a distance function'
  throw new EngineError('INVALID_OPTION', `${name} is ${shown(value)}, expected ${expected}`, {
    hint: `Give { name: 'mine', distance: (a, b) => … }.`,
  })
}
