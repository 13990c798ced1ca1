// Checks a distance supplied by the caller. With a function that is not a metric, a net would silently miss neighbors. So triples of
// items are tried first, and every later distance must be a number.

import { refusePromise } from '../../callback-answers.ts'
import { EngineError, shown } from '../../errors.ts'
import { checkOptions, checkWhole, optionTable, refuse } from '../../options.ts'
import { Random } from '../../random.ts'
import { checkOwnMetric, distancesFrom, type Metric } from './metric.ts'

/** Options of `metricFault`. */
export interface MetricFaultOptions {
  /** Triples of items to try. Default 300; each costs seven distances, or eight if the metric has `from`. */
  readonly triples?: number
  readonly seed?: number
}

const faultOptions = optionTable<MetricFaultOptions>({
  triples: (name, value) => checkWhole(name, value, 0, 2 ** 32),
  seed: (name, value) => checkWhole(name, value, 0, Number.MAX_SAFE_INTEGER),
})

const needsNumber = 'Give a distance that returns a number, not an async function.'

/** Of a difference: what rounding may do. */
const slack = 1e-6

/** Checks a metric on sampled triples of `items`. Returns what is wrong with it, or undefined. */
export function metricFault<Item>(
  metric: Metric<Item>,
  items: readonly Item[],
  options: MetricFaultOptions = {},
): string | undefined {
  checkOptions(options, faultOptions)
  const { triples = 300, seed = 1 } = options
  checkOwnMetric('metric', metric)
  if (!Array.isArray(items)) refuse('items', items, 'a list')
  const random = new Random(seed)
  for (let i = 0; i < triples && items.length > 0; i++) {
    const rows = [0, 1, 2].map(() => random.below(items.length))
    const direct = (a: number, b: number) => metric.distance(items[rows[a]], items[rows[b]])
    // The net measures by `from`, where there is one.
    const measured = (a: number, b: number) => distancesFrom(metric, items[rows[a]])(items[rows[b]])
    const fault = metric.from ? faultOf(rows, measured, direct) : faultOf(rows, direct)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** By places in `rows`. */
type Distances = (a: number, b: number) => number

/** `direct` is the function that `d` must agree with, if there are two. */
function faultOf(rows: readonly number[], d: Distances, direct?: Distances): string | undefined {
  const [ab, bc, ac, ba] = [d(0, 1), d(1, 2), d(0, 2), d(1, 0)]
  const between = (a: number, b: number) => `items ${rows[a]} and ${rows[b]}`
  for (const [value, pair] of [
    [ab, between(0, 1)],
    [bc, between(1, 2)],
    [ac, between(0, 2)],
    [ba, between(1, 0)],
  ] as const) {
    // biome-ignore format: one list
    if (!isDistance(value)) return `the distance between ${pair} is ${shown(value)}, expected a finite number of at least 0`
  }
  const scale = slack * Math.max(ab, bc, ac, ba)
  for (const a of [0, 1, 2]) {
    const self = d(a, a)
    if (!(Math.abs(self) <= scale)) return `the distance from item ${rows[a]} to itself is ${self}, expected 0`
  }
  if (Math.abs(ab - ba) > scale) return `the distance between ${between(0, 1)} is ${ab} one way and ${ba} the other`
  const same = direct?.(0, 1) ?? ab
  if (!(Math.abs(ab - same) <= scale)) return `${between(0, 1)} are ${same} apart by distance, but ${ab} by from`
  if (ac <= ab + bc + scale) return undefined
  return `${between(0, 2)} are ${ac} apart, but only ${ab + bc} by way of item ${rows[1]}: the triangle inequality does not hold`
}

/** The metric, wrapped to throw if it returns anything but a distance. The message has no items: they may be anything. */
export function guarded<Item>(metric: Metric<Item>): Metric<Item> {
  const checked = (value: number): number => {
    if (isDistance(value)) return value
    refusePromise(value, `the metric '${metric.name}'`, needsNumber)
    throw new EngineError(
      'BAD_DATA',
      `the metric '${metric.name}' returned ${shown(value)}, expected a finite number of at least 0`,
      {
        hint: 'Every pair of items needs a distance. Leave out items without one.',
      },
    )
  }
  return {
    ...{ name: metric.name, distance: (a, b) => checked(metric.distance(a, b)) },
    from(a) {
      const measure = metric.from?.(a) ?? ((b: Item) => metric.distance(a, b))
      return b => checked(measure(b))
    },
    check: (item, name) => metric.check?.(item, name),
  }
}

/** Refuses a function that is not a metric, as shown by triples of the items. */
export function requireMetric<Item>(metric: Metric<Item>, items: readonly Item[], triples?: number): void {
  if (items.length > 0) refusePromise(metric.distance(items[0], items[0]), `the metric '${metric.name}'`, needsNumber)
  const fault = metricFault(metric, items, triples === undefined ? {} : { triples })
  if (fault === undefined) return
  throw new EngineError('BAD_DATA', `'${metric.name}' is not a metric: ${fault}`, {
    hint: 'Use a true metric. Or set triples to 0 to skip this check; searches may then miss neighbors.',
  })
}

function isDistance(value: number): boolean {
  return value >= 0 && value < Number.POSITIVE_INFINITY
}
