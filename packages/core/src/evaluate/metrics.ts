// The names of the measures `evaluate` reports, and whether higher or lower is better: the words used in output, in options and as
// the goal of tuning. All are fractions in [0, 1].

import { EngineError, quoted } from '../errors.ts'
import { checkNumber } from '../options.ts'

/** Every measure, and whether higher or lower is better. */
export const metricDirections = Object.freeze({
  'p@1': 'higher',
  'p@3': 'higher',
  'p@5': 'higher',
  'ndcg@1': 'higher',
  'ndcg@3': 'higher',
  'ndcg@5': 'higher',
  'psp@1': 'higher',
  'psp@3': 'higher',
  'psp@5': 'higher',
  accuracy: 'higher',
  hammingLoss: 'lower',
  microF1: 'higher',
  macroF1: 'higher',
  instanceF1: 'higher',
  macroF1Mulan: 'higher',
  microPrecision: 'higher',
  microRecall: 'higher',
  macroPrecision: 'higher',
  macroRecall: 'higher',
  instancePrecision: 'higher',
  instanceRecall: 'higher',
} as const)

/** The name of a measure: 'p@1', 'microF1' … */
export type MetricName = keyof typeof metricDirections

/** The names of all measures. */
export const metricNames: readonly MetricName[] = Object.freeze(Object.keys(metricDirections) as MetricName[]) // its keys

/** `name`, if it is the name of a measure; otherwise throws. */
export function checkMetricName(name: string): MetricName {
  const found = metricNames.find(known => known === name)
  if (found) return found
  throw new EngineError('UNKNOWN_NAME', `unknown measure ${quoted(name)}`, {
    hint: `Known: ${metricNames.join(', ')}.`,
  })
}

/** Whether `value` beats `other`; equal values do not. */
export function isBetter(metric: MetricName, value: number, other: number): boolean {
  checkMetricName(metric)
  for (const [name, given] of Object.entries({ value, other })) checkNumber(name, given, () => true, 'a number')
  return metricDirections[metric] === 'higher' ? value > other : value < other
}
