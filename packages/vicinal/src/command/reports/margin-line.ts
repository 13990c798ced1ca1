// Sums up margin training in a line or two: rows kept, the gap, and the proven bound. Estimates are not printed.

import type { MarginReport } from '@vicinal/core/margin'
import { formatCount, formatNumber } from '../terminal/quantity.ts'

export function marginLine({ rows, kept, gap, distance, selectedBy, bound }: MarginReport): string {
  const chosen = selectedBy === 'caller' ? 'as given' : `chosen by ${selectedBy}`
  const left = `${formatCount(kept)} of ${formatCount(rows)} rows kept; gap ${formatNumber(gap)} by ${distance}, ${chosen}`
  return `${left}\n${proven(bound)}`
}

function proven({ total, reason, vacuous, constant, uncertainty }: MarginReport['bound']): string {
  if (total === null) return `no bound on the error: ${reason}`
  if (total >= 1) return 'no useful bound on the error: the rows are too few for how spread out they are'
  if (vacuous) {
    const trivial = `always answering the most frequent label gives ${constant.toFixed(3)}`
    return `no useful bound on the error: ${total.toFixed(3)} is proven, and ${trivial}`
  }
  const sure = `with probability ${formatNumber(1 - uncertainty)}, for items drawn like the rows`
  return `proven: the error on new items is at most ${total.toFixed(3)}, ${sure}`
}
