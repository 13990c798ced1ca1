// Recall over time: each point is a step of the effort. A click on a point chooses it; the slider does so by keys.

import type { CurvePoint } from '../backend/answers.ts'
import { linearAxis, logAxis } from '../parts/axis.ts'
import { micros, percent } from '../parts/numbers.ts'

interface CurveChartProps {
  readonly points: readonly CurvePoint[]
  readonly current: CurvePoint | undefined
  onPoint(point: CurvePoint): void
}

const [width, height, left, right, top, bottom] = [420, 240, 46, 14, 12, 34]

export function CurveChart({ points, current, onPoint }: CurveChartProps) {
  const times = points.map(({ microsPerQuery }) => microsPerQuery)
  const x = logAxis(0.8 * Math.min(...times), 1.25 * Math.max(...times), left, width - right)
  const low = Math.min(0.9, ...points.map(({ recall }) => recall))
  const y = linearAxis(low - (1 - low) * 0.1, 1.01, height - bottom, top)
  const line = points.map(one => `${x.place(one.microsPerQuery)},${y.place(one.recall)}`).join(' ')
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={summary(points)}>
      {y.ticks.map(tick => (
        <g key={tick}>
          <line class="grid" x1={left} x2={width - right} y1={y.place(tick)} y2={y.place(tick)} />
          <text class="tick" x={left - 8} y={y.place(tick) + 4} text-anchor="end">
            {tick.toFixed(2)}
          </text>
        </g>
      ))}
      {x.ticks.map(tick => (
        <text key={tick} class="tick" x={x.place(tick)} y={height - bottom + 18} text-anchor="middle">
          {micros(tick).replace('.0', '')}
        </text>
      ))}
      <text class="tick" x={left} y={height - 2}>
        time a query →
      </text>
      <polyline class="curve" points={line} />
      {points.map(point => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the slider does the same by keys
        <circle
          key={point.microsPerQuery}
          class={point === current ? 'dot is-current' : 'dot'}
          cx={x.place(point.microsPerQuery)}
          cy={y.place(point.recall)}
          r={point === current ? 7 : 4.5}
          onClick={() => onPoint(point)}
        >
          <title>{`recall ${percent(point.recall)}, ${micros(point.microsPerQuery)}`}</title>
        </circle>
      ))}
    </svg>
  )
}

function summary(points: readonly CurvePoint[]): string {
  const parts = points.map(({ recall, microsPerQuery }) => `${percent(recall)} in ${micros(microsPerQuery)}`)
  return `Recall over time: ${parts.join(', ')}`
}
