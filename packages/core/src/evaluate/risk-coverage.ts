// How much abstaining gains: if only confident answers are given, how many items are answered (coverage), and how many of these
// wrongly (risk).

import { isYes } from '../callback-answers.ts'
import { EngineError, shown } from '../errors.ts'
import { requireNumberList } from '../matrix/given-vector.ts'
import { checkFunction } from '../options.ts'

/** Error rate and coverage if answers below one confidence are withheld. */
export interface RiskPoint {
  /** Items with at least this confidence are answered. */
  readonly least: number
  /** The share of all items that is answered. */
  readonly coverage: number
  /** The share of the answers that is wrong. */
  readonly risk: number
}

/** One point per distinct confidence, from only the most certain answers to all. */
export function riskCoverage(confidences: ArrayLike<number>, isWrong: (item: number) => boolean): RiskPoint[] {
  requireNumberList(confidences, 'confidences')
  checkFunction('isWrong', isWrong)
  if (confidences.length === 0) throw new EngineError('EMPTY_DATA', 'there are no answers to judge')
  const sure = floats(confidences)
  const order = Uint32Array.from({ length: confidences.length }, (_, item) => item)
  order.sort((a, b) => sure[b] - sure[a])
  const points: RiskPoint[] = []
  let wrong = 0
  order.forEach((item, place) => {
    if (isYes(isWrong(item), 'isWrong')) wrong++
    const [answered, least] = [place + 1, sure[item]]
    if (answered < order.length && sure[order[answered]] === least) return
    points.push({ least, coverage: answered / order.length, risk: wrong / answered })
  })
  return points
}

/** A copy. Refuses anything that is not a number. */
function floats(confidences: ArrayLike<number>): Float64Array {
  const bad = findBad(confidences)
  if (bad === undefined) return Float64Array.from(confidences)
  throw new EngineError('BAD_DATA', `the confidence of item ${bad} is ${shown(confidences[bad])}, expected a number`)
}

function findBad(confidences: ArrayLike<number>): number | undefined {
  for (let i = 0; i < confidences.length; i++) {
    if (typeof confidences[i] !== 'number' || Number.isNaN(confidences[i])) return i
  }
  return undefined
}
