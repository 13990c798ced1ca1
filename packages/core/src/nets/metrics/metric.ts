// What a distance is to the net: a function of two items, of any kind. Invariant of every metric: d(a, a) = 0, d(a, b) = d(b, a) ≥ 0
// and d(a, c) ≤ d(a, b) + d(b, c); searches skip whole regions because of these three. metric-fault.ts checks them.

import { EngineError, shown } from '../../errors.ts'

/** A distance between items. It must be a metric: symmetric, with the triangle inequality. */
export interface Metric<Item> {
  /** Stored in model files. To load a model with your own metric, pass a metric with the same name. */
  readonly name: string
  /** The distance of two items: 0 or more, the same both ways. */
  distance(a: Item, b: Item): number
  /** The distances of many items from one. Prepares the one item only once. Default: calls `distance`. */
  from?(a: Item): (b: Item) => number
  /** Refuses an item that the metric cannot compare; `name` is what messages call it: 'row 7', 'the query'. */
  check?(item: Item, name: string): void
}

export function distancesFrom<Item>(metric: Metric<Item>, a: Item): (b: Item) => number {
  return metric.from?.(a) ?? (b => metric.distance(a, b))
}

/** Refuses an option that is not a metric supplied by the caller. */
export function checkOwnMetric(name: string, value: unknown): void {
  const metric = value as Partial<Metric<unknown>> | null // only what is checked here
  const isMetric = typeof metric === 'object' && typeof metric?.distance === 'function'
  if (isMetric && typeof metric.name === 'string') return
  const expected = 'an object with a name and a distance function'
  throw new EngineError('INVALID_OPTION', `${name} is ${shown(value)}, expected ${expected}`, {
    hint: `Give { name: 'mine', distance: (a, b) => … }.`,
  })
}
