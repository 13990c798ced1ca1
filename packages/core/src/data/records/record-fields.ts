// The values of a record's fields, checked: texts, keys and labels.

import { EngineError, type Place } from '../../errors.ts'
import type { ReadOptions } from '../format.ts'
import { labelSplitter } from '../table/label-cells.ts'

/** A text or key: a string, or a number written out. */
export function textOf(value: unknown, field: string, where: Place): string {
  if (typeof value === 'string') return value
  if (typeof value === 'bigint' || Number.isFinite(value)) return String(value)
  throw fieldError(`"${field}" is ${valueText(value)}, expected a string`, where)
}

/**
 * The names of the labels in a field: a list of strings, numbers or Annif's `{ "uri", "label" }` (where the uri is the
 * name), or a single one of these. Null is no label. A string is one label, unless the caller gave a separator.
 */
export function labelsOf(
  value: unknown,
  field: string,
  where: Place,
  { labelSeparator: separator }: Pick<ReadOptions, 'labelSeparator'>,
): string[] {
  if (value === null) return []
  if (typeof value === 'string' && separator !== undefined)
    return labelSplitter([], { separator, single: false })(value)
  const list: readonly unknown[] =
    Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value as unknown[]) : [value]
  return list.map(item => labelName(item, field, where))
}

function labelName(item: unknown, field: string, where: Place): string {
  const name = typeof item === 'object' && item !== null ? keyOf(item) : item
  if (typeof name === 'string' && name.trim() !== '') return name
  if (typeof name === 'bigint' || Number.isFinite(name)) return String(name)
  throw fieldError(`"${field}" holds ${valueText(item)}, expected a name, a number or {"uri": …}`, where)
}

function keyOf(item: object): unknown {
  if ('uri' in item) return item.uri
  return 'label' in item ? item.label : undefined
}

/** A value for messages: short. */
export function valueText(value: unknown): string {
  if (value === undefined || typeof value === 'bigint' || typeof value === 'number') return String(value)
  const json = JSON.stringify(value)
  return json.length > 40 ? `${json.slice(0, 40)}…` : json
}

export function fieldError(message: string, where: Place): EngineError {
  return new EngineError('BAD_DATA', message, { where })
}
