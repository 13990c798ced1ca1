// The ways to choose thresholds that tuning tries, for any classifier.

import type { CommonOptions } from '../options.ts'

const cardinalityFactors = [0.3, 0.5, 0.7, 1, 1.25, 1.5, 2]

const priorFactors = [0.7, 1, 1.4, 2]

const trusts = [2, 10]

type ThresholdChoice = Pick<CommonOptions, 'threshold' | 'thresholdFactor' | 'thresholdTrust'>

const thresholds: readonly ThresholdChoice[] = [
  ...cardinalityFactors.map(thresholdFactor => ({ threshold: 'cardinality' as const, thresholdFactor })),
  ...priorFactors.map(thresholdFactor => ({ threshold: 'priors' as const, thresholdFactor })),
  ...trusts.map(thresholdTrust => ({ threshold: 'f1' as const, thresholdFactor: 1, thresholdTrust })),
]

/** Ways to choose thresholds; none if the caller has fixed one. */
export function thresholdAxis({
  threshold,
  thresholdFactor,
  thresholdTrust,
}: CommonOptions): (readonly ThresholdChoice[])[] {
  if (threshold !== undefined) return []
  const kept = {
    ...(thresholdFactor !== undefined && { thresholdFactor }),
    ...(thresholdTrust !== undefined && { thresholdTrust }),
  }
  return [thresholds.map(values => ({ ...values, ...kept }))]
}
