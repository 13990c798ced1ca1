// Filters as people make them, one condition after the other, and as the service takes them.

import type { StoredDocument } from '../backend/answers.ts'

export type Comparison = 'is' | 'not' | 'from' | 'to'

export interface Condition {
  readonly field: string
  readonly comparison: Comparison
  readonly value: string | number | boolean
}

export const comparisonNames: Readonly<Record<Comparison, string>> = { is: 'is', not: 'is not', from: '≥', to: '≤' }

/** Conditions on one field are joined: several 'is' mean one of them, the others must all hold. */
export function filterOf(conditions: readonly Condition[]): Record<string, object> | undefined {
  if (conditions.length === 0) return undefined
  const filter: Record<string, Record<string, unknown>> = {}
  for (const { field, comparison, value } of conditions) {
    filter[field] ??= {}
    const clause = filter[field]
    if (comparison === 'is') clause.in = [...((clause.in as unknown[]) ?? []), value]
    else if (comparison === 'not') clause.notIn = [...((clause.notIn as unknown[]) ?? []), value]
    else clause[comparison === 'from' ? 'gte' : 'lte'] = value
  }
  return filter
}

export interface Field {
  readonly name: string
  readonly isNumber: boolean
  /** Values seen, for completion. */
  readonly values: readonly string[]
}

/** The metadata that documents have, as far as these show. */
export function fieldsOf(documents: readonly StoredDocument[]): Field[] {
  const seen = new Map<string, Set<unknown>>()
  for (const { metadata = {} } of documents) {
    for (const [name, value] of Object.entries(metadata)) {
      const values = seen.get(name) ?? seen.set(name, new Set()).get(name)
      for (const one of Array.isArray(value) ? value : [value]) if (isPlain(one)) values?.add(one)
    }
  }
  return [...seen].map(([name, values]) => ({
    name,
    isNumber: values.size > 0 && [...values].every(value => typeof value === 'number'),
    values: [...values].map(String).sort().slice(0, 200),
  }))
}

export function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** What was typed, as the type that the field has. */
export function typedValue(typed: string, { isNumber, values }: Field): string | number | boolean {
  if (isNumber) return Number(typed)
  if (['true', 'false'].includes(typed) && values.every(value => ['true', 'false'].includes(value)))
    return typed === 'true'
  return typed
}
