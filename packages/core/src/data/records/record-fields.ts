// The values of a record's fields, checked: texts, keys and labels.

import { EngineError, type Place } from '../../errors.ts'
import type { ReadOptions } from '../format.ts'
import { shorten } from '../limits.ts'
import { labelSplitter } from '../table/label-cells.ts'

/** A text or key: a string, or a number written out. */
export function textOf(value: unknown, field: string, where: Place): string {
  if (typeof value === 'string') return value
  if (typeof value === 'bigint' || Number.isFinite(value)) return String(value)
  throw fieldError(`"${shorten(field)}" is ${valueText(value)}, expected a string`, where)
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

/** Whether a value is a number, or a list or object that may hold one. */
export function holdsNumber(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(item => typeof item !== 'string')
  return typeof value === 'number' || (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value))
}

function labelName(item: unknown, field: string, where: Place): string {
  const name = typeof item === 'object' && item !== null ? keyOf(item) : item
  if (typeof name === 'string' && name.trim() !== '') return name
  if (typeof name === 'bigint' || Number.isFinite(name)) return String(name)
  throw fieldError(`"${shorten(field)}" holds ${valueText(item)}, expected a name, a number or {"uri": …}`, where)
}

function keyOf(item: object): unknown {
  if ('uri' in item) return item.uri
  return 'label' in item ? item.label : undefined
}

/** A value for messages: short, however long or deep it is. */
export function valueText(value: unknown): string {
  if (value === undefined || typeof value === 'bigint' || typeof value === 'number') return shorten(String(value))
  return shorten(JSON.stringify(beginning(value, 3)))
}

/** The beginning of a value, cut so that a deep one does not overflow the stack of JSON.stringify. */
function beginning(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.slice(0, 50)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '…'
  const inner = (item: unknown) => beginning(item, depth - 1)
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from((value as unknown[]).slice(0, 20), inner)
  const entries = Object.entries(value).slice(0, 20)
  return Object.fromEntries(entries.map(([name, item]) => [shorten(name), inner(item)]))
}

export function fieldError(message: string, where: Place): EngineError {
  return new EngineError('BAD_DATA', message, { where })
}
