// What training by margin did, in a line or two for people: rows kept, the gap, and what is proven.

import type { MarginReport } from '@vicinal/core/margin'
import { formatCount, formatNumber } from './quantity.ts'

export function marginLine({ rows, kept, gap, distance, selectedBy, bound }: MarginReport): string {
  const chosen = selectedBy === 'caller' ? 'as given' : `chosen by ${selectedBy}`
  const left = `${formatCount(kept)} of ${formatCount(rows)} rows speak; gap ${formatNumber(gap)} by ${distance}, ${chosen}`
  const proven =
    bound.vacuous || bound.total === null
      ? 'no bound on the error: it would take far more rows in so many dimensions'
      : `the error on new items is at most ${bound.total.toFixed(3)}`
  return `${left}\n${proven}`
}
