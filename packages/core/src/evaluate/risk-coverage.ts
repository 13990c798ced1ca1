// What abstaining buys: answering only where the confidence is high enough, how many items are answered (coverage), and how many of
// these wrongly (risk).

import { EngineError } from '../errors.ts'

/** What withholding the least certain answers buys, at one confidence. */
export interface RiskPoint {
  /** Items with at least this confidence are answered. */
  readonly least: number
  /** The share of all items that is answered. */
  readonly coverage: number
  /** The share of the answers that is wrong. */
  readonly risk: number
}

/** One point for every confidence that occurs, from the surest few to all. */
export function riskCoverage(confidences: ArrayLike<number>, isWrong: (item: number) => boolean): RiskPoint[] {
  if (confidences.length === 0) throw new EngineError('EMPTY_DATA', 'there are no answers to judge')
  const order = Uint32Array.from({ length: confidences.length }, (_, item) => item)
  order.sort((a, b) => confidences[b] - confidences[a])
  const points: RiskPoint[] = []
  let wrong = 0
  order.forEach((item, place) => {
    if (isWrong(item)) wrong++
    const [answered, least] = [place + 1, confidences[item]]
    if (answered < order.length && confidences[order[answered]] === least) return
    points.push({ least, coverage: answered / order.length, risk: wrong / answered })
  })
  return points
}
