// How `vicinal curve` prints what it measured: as text for people, as an object for programs, as a plot.

import type { CurvePoint } from '@vicinal/core'
import type { Plot } from '@vicinal/core/inspect'
import { textPlot } from '@vicinal/core/internals'
import { formatOptions } from '../flags/method-options.ts'
import { formatBytes, formatCountOf, formatNumber } from '../terminal/quantity.ts'
import { formatTable, oneLine } from '../terminal/table.ts'

export interface MeasuredCurve {
  /** The index file. */
  readonly path: string
  readonly kind: string
  readonly metric: string
  /** In the index. */
  readonly rows: number
  /** Where the queries came from. */
  readonly queriesName: string
  readonly k: number
  /** How many were searched. */
  readonly queries: number
  readonly buildSeconds: number | null
  readonly indexBytes: number
  /** Ascending recall and time. */
  readonly points: readonly CurvePoint[]
}

export function curveJson({ k, queries, buildSeconds, indexBytes, points }: MeasuredCurve): object {
  return {
    k,
    queries,
    buildSeconds,
    indexBytes,
    points: points.map(({ recall, microsPerQuery, candidates, options }) => {
      return { recall, microsPerQuery, candidates, options }
    }),
  }
}

export function formatCurve(curve: MeasuredCurve): string {
  const { path, kind, metric, rows, queriesName, k, queries, buildSeconds, indexBytes, points } = curve
  const built = buildSeconds === null ? '' : `, built in ${formatNumber(buildSeconds)} s`
  const facts = [
    ['index', `${kind}, ${metric}, ${formatCountOf(rows, 'row')}, ${formatBytes(indexBytes)}${built}`],
    ['queries', `${queriesName}, ${formatCountOf(queries, 'row')}, ${formatCountOf(k, 'neighbor')} each`],
  ]
  const lines = points.map(({ recall, microsPerQuery, candidates, options }) => {
    const set = formatOptions(options).map(([name, value]) => `${name}=${value}`)
    return [recall.toFixed(4), formatNumber(microsPerQuery), formatNumber(candidates), set.join(' ')]
  })
  const heads = ['recall', 'µs/query', 'candidates', ...(lines.some(([, , , set]) => set !== '') ? ['options'] : [])]
  return [
    `${oneLine(path)}\n${formatTable(facts)}`,
    formatTable([heads, ...lines], ['right', 'right', 'right']),
    // One point makes no curve.
    ...(points.length > 1 ? [textPlot(curvePlot(curve))] : []),
  ].join('\n')
}

/** Recall to the right, time upwards: the better a curve, the lower and the farther to the right it lies. */
export function curvePlot({ kind, k, points }: MeasuredCurve): Plot {
  return {
    x: { label: `recall@${k}` },
    y: { label: 'µs per query', scale: 'log' },
    series: [{ name: kind, points: points.map(({ recall, microsPerQuery }) => [recall, microsPerQuery] as const) }],
  }
}
