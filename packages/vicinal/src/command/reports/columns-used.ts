// Which columns or fields of its data a command has used: the names it guessed, or was given.

import type { Dataset } from '@vicinal/core'
import type { CommandIo } from '../command-io.ts'
import { formatCountOf } from '../terminal/quantity.ts'
import { oneLine } from '../terminal/table.ts'

/** As `--json` prints them. */
export interface UsedColumns {
  readonly text?: readonly string[]
  readonly labels?: string
  /** What cells were split into labels at; ' ' is any white space. */
  readonly labelSeparator?: string
  readonly id?: string
  readonly vector?: string
  /** How many columns of numbers are a feature each. */
  readonly features?: number
}

/** Of texts and vectors, a command uses the `items` it is for; empty if the format leaves no choice. */
export function usedColumns(
  { columns = {} }: Dataset,
  items: 'texts' | 'vectors',
  uses: { labels: boolean },
): UsedColumns {
  const { text, labels, labelSeparator, id, vector, features } = columns
  return {
    ...(items === 'texts' && text && { text }),
    ...(items === 'vectors' && vector !== undefined && { vector }),
    ...(items === 'vectors' && features && { features: features.length }),
    ...(uses.labels && labels !== undefined && { labels }),
    ...(uses.labels && labelSeparator !== undefined && { labelSeparator }),
    ...(id !== undefined && { id }),
  }
}

/** Says on stderr what was read from where. */
export function noteColumns({ name }: Dataset, used: UsedColumns, { stderr }: CommandIo): void {
  const { text, labels, labelSeparator, id, vector, features } = used
  const split =
    labelSeparator === undefined ? '' : `, split at ${labelSeparator === ' ' ? 'white space' : quoted(labelSeparator)}`
  const parts = [
    ...(text ? [`text from ${text.map(quoted).join(' and ')}`] : []),
    ...(vector !== undefined ? [`vectors from ${quoted(vector)}`] : []),
    ...(features !== undefined ? [`features from ${formatCountOf(features, 'column')} of numbers`] : []),
    ...(labels !== undefined ? [`labels from ${quoted(labels)}${split}`] : []),
    ...(id !== undefined ? [`ids from ${quoted(id)}`] : []),
  ]
  if (parts.length > 0) stderr.write(`${oneLine(`${name}: ${parts.join(', ')}`)}\n`)
}

function quoted(name: string): string {
  return `"${name}"`
}
