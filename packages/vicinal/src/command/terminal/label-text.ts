// How a label is shown to people: its name, and its id in angle brackets; what has no name is shown by its id alone.

import type { NamedLabel } from '@vicinal/core'
import { oneLine, shorten } from './table.ts'

/** `ships <http://www.yso.fi/onto/yso/p8450>`. A name that is longer than `most` characters is cut; an id never is. */
export function labelText({ label, name }: NamedLabel, most = Number.POSITIVE_INFINITY): string {
  return name === undefined
    ? shorten(oneLine(label), Math.max(most, 80))
    : `${shorten(oneLine(name), most)} <${oneLine(label)}>`
}
