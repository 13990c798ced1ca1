// Do scores mean what they say? Suggestions with a score of 0.7 should be right seven times in ten: on the diagonal.

import type { ReliabilityBin } from '../backend/answers.ts'
import { linearAxis } from '../parts/axis.ts'
import { Card } from '../parts/card.tsx'
import { count, decimal, percent } from '../parts/numbers.ts'

const [size, left, bottom, edge, top] = [320, 40, 34, 10, 26]

export function ReliabilityCard({ bins }: { bins: readonly ReliabilityBin[] }) {
  const x = linearAxis(0, 1, left, size - edge, 5)
  const y = linearAxis(0, 1, size - bottom, top)
  const all = bins.reduce((sum, bin) => sum + bin.count, 0)
  const gap = bins.reduce((sum, bin) => sum + bin.count * Math.abs(bin.meanScore - bin.right), 0) / Math.max(1, all)
  const most = Math.max(...bins.map(bin => bin.count), 1)
  return (
    <Card title="Reliability">
      <svg class="chart square" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={summary(bins)}>
        {x.ticks.map(tick => (
          <g key={tick}>
            <line class="grid" x1={left} x2={size - edge} y1={y.place(tick)} y2={y.place(tick)} />
            <line class="grid" y1={top} y2={size - bottom} x1={x.place(tick)} x2={x.place(tick)} />
            <text class="tick" x={left - 8} y={y.place(tick) + 4} text-anchor="end">
              {decimal(tick).replace(/0$/, '')}
            </text>
            <text class="tick" x={x.place(tick)} y={size - bottom + 16} text-anchor="middle">
              {decimal(tick).replace(/0$/, '')}
            </text>
          </g>
        ))}
        <line class="diagonal" x1={x.place(0)} y1={y.place(0)} x2={x.place(1)} y2={y.place(1)} />
        <polyline class="curve" points={bins.map(bin => `${x.place(bin.meanScore)},${y.place(bin.right)}`).join(' ')} />
        {bins.map(bin => (
          <circle
            key={bin.from}
            class="dot is-current still"
            cx={x.place(bin.meanScore)}
            cy={y.place(bin.right)}
            r={3 + 6 * Math.sqrt(bin.count / most)}
          >
            <title>{binText(bin)}</title>
          </circle>
        ))}
        <text class="tick" x={size - edge} y={size - 2} text-anchor="end">
          score →
        </text>
        <text class="tick" x={left - 24} y={12}>
          ↑ share that is right
        </text>
      </svg>
      <p class="small soft">
        On average, scores are {percent(gap)} off. On the dashed line they would mean what they say. Small dots stand
        for few suggestions.
      </p>
    </Card>
  )
}

function binText({ count: n, meanScore, right }: ReliabilityBin): string {
  return `score ${decimal(meanScore)}: ${percent(right)} right, of ${count(n, 'suggestion')}`
}

function summary(bins: readonly ReliabilityBin[]): string {
  return `Reliability: ${bins.map(binText).join('; ')}`
}
