// Rules: how leaf counts become scores (paper 000, formulas 4–9). The naive classifiers are the natural one with other labels (the rows
// that share the leaf, instead of their neighbors) and plain votes instead of proportions. So a rule is a label source and a way of
// voting, and one loop serves all.

import { EngineError, shown } from '../errors.ts'

/** All rules. */
export const ruleNames = ['natural', 'voting', 'lookup'] as const

/**
 * How candidates are chosen. 'natural': a row's score is its share among the neighbors of the leaf's rows, averaged over the trees;
 * candidates score above `threshold` (τ). 'voting': the share of the trees whose leaf holds the row itself. 'lookup': voting with τ fixed
 * at 0, so every row in a leaf that the query reaches is a candidate.
 */
export type RuleName = (typeof ruleNames)[number]

export function checkRule(rule: RuleName): void {
  if (ruleNames.includes(rule)) return
  throw new EngineError('UNKNOWN_NAME', `rule is ${shown(rule)}, expected one of ${ruleNames.join(', ')}`)
}

/** Whether candidates are chosen by a threshold; else every row of the leaves reached is one. */
export function takesThreshold(rule: RuleName): boolean {
  return rule !== 'lookup'
}

/** Whether leaves count the neighbors of their rows; else the rows themselves. */
export function countsNeighbors(rule: RuleName): boolean {
  return rule === 'natural'
}
