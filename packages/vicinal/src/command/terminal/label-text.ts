// How a label is shown to people: its notation and its name, then its id in angle brackets; only the id if it has no name. A
// deprecated label says so.

import type { NamedLabel } from '@vicinal/core'
import { oneLine, shorten } from './table.ts'

/** `ships <http://www.yso.fi/onto/yso/p8450>`. A name that is longer than `most` characters is cut; an id never is. */
export function labelText(named: NamedLabel, most = Number.POSITIVE_INFINITY): string {
  const { label, name, notation } = named
  const code = notation === undefined ? '' : `${oneLine(notation)} `
  const text =
    name === undefined
      ? `${code}${shorten(oneLine(label), Math.max(most, 80))}`
      : `${code}${shorten(oneLine(name), most)} <${oneLine(label)}>`
  return `${text}${deprecation(named)}`
}

function deprecation({ deprecated, replacedBy }: NamedLabel): string {
  if (!deprecated) return ''
  return replacedBy === undefined ? ' (deprecated)' : ` (deprecated: use <${oneLine(replacedBy)}>)`
}
