// Items as objects with fields, such as { id, vector }: their fields and keys, checked.

import { EngineError, shown } from '../../errors.ts'
import type { Id } from '../../ids/id.ts'
import { isNumberList, isSparseVector } from '../../matrix/given-vector.ts'

/** The keys of objects: of all, or of none. */
export function idsOfRecords(records: readonly object[], one: string): readonly Id[] | undefined {
  const ids = records.map(record => (record as { id?: unknown }).id)
  if (ids.every(id => id === undefined)) return undefined
  return ids.map((id, i) => {
    if (typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id))) return id
    throw new EngineError('BAD_DATA', `the id of ${one} ${i} is ${shown(id)}, expected a text or a number`, {
      hint: 'Give every item an id, or none.',
    })
  })
}

/** An object that contains a vector or a text, and is not one itself. */
export function isRecord(item: unknown): item is object {
  if (typeof item !== 'object' || item === null || Array.isArray(item) || ArrayBuffer.isView(item)) return false
  return 'vector' in item || 'text' in item || !(isNumberList(item) || isSparseVector(item))
}

/** Refuses objects among vectors or texts: a list has one form, and the first item says which. */
export function refuseRecords(items: readonly unknown[], one: string, forms: string): void {
  for (let i = 0; i < items.length; i++) refuseRecord(items[i], i, items[0], one, forms)
}

/** The same for item `i`; returns it. */
export function refuseRecord(item: unknown, i: number, first: unknown, one: string, forms: string): unknown {
  if (!isRecord(item)) return item
  throw new EngineError('BAD_DATA', `${one} ${i} is an object, but ${one} 0 is ${shown(first)}`, {
    hint: `Give all of them in the same form. ${forms}`,
  })
}

export function requireRecord(item: unknown, name: string, forms: string): object {
  if (isRecord(item)) return item
  throw new EngineError('BAD_DATA', `${name} is ${shown(item)}, expected an object like those before it`, {
    hint: `Give all of them in the same form. ${forms}`,
  })
}

export function fieldOf(record: object, field: string, name: string, forms: string): unknown {
  const value = (record as Readonly<Record<string, unknown>>)[field]
  if (value !== undefined) return value
  const fields = Object.keys(record)
  const found = fields.length === 0 ? 'it is empty' : `it has ${fields.slice(0, 8).join(', ')}`
  throw new EngineError('BAD_DATA', `${name} has no ${field}: ${found}`, { hint: forms })
}
