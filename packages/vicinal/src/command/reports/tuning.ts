// How `vicinal tune` prints what it found: as text for people, as an object for programs.

import type { TunedPoint, TuningResult } from '@vicinal/core'
import { formatOptions } from '../flags/method-options.ts'
import { formatCountOf } from '../terminal/quantity.ts'
import { formatTable } from '../terminal/table.ts'

export function tuningJson(method: string, metric: string, { options, value, table }: TuningResult): object {
  return { method, metric, value, options, points: table }
}

/** The options found, and with `all` every point tried. */
export function formatTuning(metric: string, result: TuningResult, all: boolean): string {
  const found = formatTable(formatOptions({ ...result.options }))
  const tried = `${formatCountOf(result.table.length, 'set')} of options tried`
  return [
    `${metric} ${fraction(result.value)} with\n${found}`,
    all ? `${tried}\n${pointTable(metric, result.table)}` : `${tried}: --table lists them\n`,
  ].join('\n')
}

/** One line per point, in the order they were tried: the score, then the options that differ between points. */
function pointTable(metric: string, points: readonly TunedPoint[]): string {
  const rows = points.map(({ options }) => new Map(formatOptions({ ...options })))
  const names = [...new Set(rows.flatMap(row => [...row.keys()]))].filter(name => differs(rows, name))
  const lines = rows.map((row, i) => [fraction(points[i]!.value), ...names.map(name => row.get(name) ?? '')])
  return formatTable([[metric, ...names], ...lines])
}

function differs(rows: readonly ReadonlyMap<string, string>[], name: string): boolean {
  return new Set(rows.map(row => row.get(name))).size > 1
}

function fraction(value: number): string {
  return value.toFixed(4)
}
