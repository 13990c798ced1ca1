// All measures of a classifier's answers at once, under the names every output uses.

import type { LabelMatrix } from '../matrix/label-matrix.ts'
import { checkedLater, checkOptions, optionTable } from '../options.ts'
import type { MetricName } from './metrics.ts'
import type { RankedLabels } from './predictions.ts'
import { propensityPrecisionAt } from './propensity.ts'
import { ndcgAt, precisionAt } from './ranking.ts'
import { type SetMeasures, setMeasures } from './sets.ts'

type At<Name extends string> = `${Name}@${1 | 3 | 5}`

/** Ranking measures always; psp if there are propensities; the rest if there are predicted sets. */
export type Metrics = Readonly<Record<At<'p' | 'ndcg'>, number>> &
  Readonly<Partial<Record<At<'psp'>, number>>> &
  Partial<SetMeasures>

/** Options of `evaluate`. */
export interface EvaluateOptions {
  /** One propensity per label (see `labelPropensities`), for the psp measures. Default: none, and no psp. */
  readonly propensities?: Float64Array
}

const evaluateOptions = optionTable<EvaluateOptions>({ propensities: checkedLater })

/** Measures `ranked`, and the label sets in `predicted` if given, against `truth`. */
export function evaluate(
  truth: LabelMatrix,
  ranked: RankedLabels,
  predicted?: LabelMatrix,
  options: EvaluateOptions = {},
): Metrics {
  checkOptions(options, evaluateOptions)
  const { propensities } = options
  return {
    ...atCuts('p', k => precisionAt(truth, ranked, k)),
    ...atCuts('ndcg', k => ndcgAt(truth, ranked, k)),
    ...(propensities !== undefined && atCuts('psp', k => propensityPrecisionAt(truth, ranked, k, propensities))),
    ...(predicted !== undefined && setMeasures(truth, predicted)),
  }
}

function atCuts<Name extends 'p' | 'ndcg' | 'psp'>(
  name: Name,
  measure: (k: number) => number,
): Record<At<Name>, number> {
  const entries = ([1, 3, 5] as const).map(k => [`${name}@${k}` satisfies MetricName, measure(k)])
  return Object.fromEntries(entries) as Record<At<Name>, number> // the three cuts of At
}
