// What training by margin did, in a line or two for people: rows kept, the gap, and what is proven.

import type { MarginReport } from '@vicinal/core/margin'
import { formatCount, formatNumber } from './quantity.ts'

export function marginLine({ rows, kept, gap, distance, selectedBy, bound }: MarginReport): string {
  const chosen = selectedBy === 'caller' ? 'as given' : `chosen by ${selectedBy}`
  const left = `${formatCount(kept)} of ${formatCount(rows)} rows speak; gap ${formatNumber(gap)} by ${distance}, ${chosen}`
  return `${left}\n${proven(bound, gap)}`
}

function proven({ total, vacuous }: MarginReport['bound'], gap: number): string {
  if (gap === 0) return 'no bound on the error: without a gap there is none'
  if (total === null) return 'no bound on the error: with perturb or tolerance there is none'
  if (vacuous) return 'no bound on the error: it would take far more rows in so many dimensions'
  return `the error on new items is at most ${total.toFixed(3)}`
}
