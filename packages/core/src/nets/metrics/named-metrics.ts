// The built-in metrics, by name and by what they compare. A new one is a line in a table.

import { EngineError } from '../../errors.ts'
import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import { checkText } from '../../options.ts'
import { type DenseMetricName, denseCheck, denseMetricFunctions, refuseNegative } from './dense-metrics.ts'
import { levenshtein, levenshteinNormalized } from './levenshtein.ts'
import type { Metric } from './metric.ts'
import { type SparseMetricName, sparseMetricFunctions } from './sparse-metrics.ts'

/** What a metric compares: dense vectors, sparse vectors, texts, or anything your own metric takes. */
export type ItemLayout = (typeof itemLayouts)[number]
export const itemLayouts = ['dense', 'sparse', 'text', 'any'] as const
/** An item that built-in metrics compare. */
export type MetricItem = Float32Array | SparseRow | string

const byLayout: Readonly<Record<ItemLayout, Readonly<Record<string, Metric<never>>>>> = Object.freeze({
  dense: tableOf(Object.entries(denseMetricFunctions), (name, distance): Metric<Float32Array> => {
    const check = denseCheck(name as DenseMetricName) // names of its own table
    return { name, distance, ...(check && { check }) }
  }),
  sparse: tableOf(Object.entries(sparseMetricFunctions), (name, distance): Metric<SparseRow> => {
    const check = (item: SparseRow, what: string) => refuseNegative(item.values, what)
    return { name, distance, ...((name as SparseMetricName) === 'jaccard' && { check }) } // likewise
  }),
  text: { [levenshtein.name]: levenshtein, [levenshteinNormalized.name]: levenshteinNormalized },
  any: {},
})

/** The names of the metrics for a layout; the first is its default. */
export function metricNamesFor(layout: ItemLayout): string[] {
  return Object.keys(byLayout[layout])
}

/** The names of the built-in metrics. */
export const netMetrics: readonly string[] = Object.freeze([
  ...new Set([...metricNamesFor('dense'), ...metricNamesFor('text')]),
])

/** `option` is what the caller calls the metric. */
export function findNetMetric(name: string, layout: ItemLayout, option = 'metric'): Metric<never> {
  const known = byLayout[layout]
  checkText(option, name)
  if (Object.hasOwn(known, name)) return known[name]
  const names = metricNamesFor(layout)
  if (names.length === 0) {
    throw new EngineError('UNKNOWN_NAME', `${option} is '${name}', but there are no named metrics for these items`, {
      hint: 'Give the metric itself: { name, distance(a, b) }.',
    })
  }
  throw new EngineError(
    'UNKNOWN_NAME',
    `${option} is '${name}', expected one of ${names.join(', ')} for ${layout} items`,
  )
}

function tableOf<Item, F>(
  entries: [string, F][],
  make: (name: string, distance: F) => Metric<Item>,
): Record<string, Metric<Item>> {
  return Object.fromEntries(entries.map(([name, distance]) => [name, Object.freeze(make(name, distance))]))
}
