// Whether a filter of the command line can match at all. In a program, a name that no document has yet may be meant; on the command line
// it is a typing error, and an empty answer would hide it.

import { EngineError } from '@vicinal/core'
import type { Collection, Condition, Primitive } from '@vicinal/core/collection'
import { didYouMean } from '@vicinal/core/internals'

type Conditions = Readonly<Record<string, Condition<Primitive>>>

/** Refuses conditions on names that no document has, and values of a type that none of them has there. */
export function checkFilterValues(collection: Collection, conditions: Conditions): void {
  const types = typesByName(collection)
  for (const [name, condition] of Object.entries(conditions)) {
    const known = types.get(name)
    if (!known) throw unknownName(name, [...types.keys()])
    for (const value of valuesOf(condition)) {
      if (value !== null && !known.has(typeof value)) throw otherType(name, value, [...known])
    }
  }
}

/** The types of the values under each name of the metadata, those of list members included. */
function typesByName(collection: Collection): Map<string, Set<string>> {
  const types = new Map<string, Set<string>>()
  for (const { metadata = {} } of collection.list({ limit: collection.count() })) {
    for (const [name, value] of Object.entries(metadata)) {
      const known = types.get(name) ?? new Set()
      types.set(name, known)
      for (const member of Array.isArray(value) ? value : [value]) known.add(typeof member)
    }
  }
  return types
}

function valuesOf({ in: among = [], notIn = [], gt, gte, lt, lte }: Condition<Primitive>): Primitive[] {
  return [...among, ...notIn, ...[gt, gte, lt, lte].filter(bound => bound !== undefined)]
}

function unknownName(name: string, names: readonly string[]): EngineError {
  const listed = names.length === 0 ? 'No document has metadata.' : `Known names: ${names.slice(0, 20).join(', ')}.`
  return new EngineError('INVALID_OPTION', `--filter: no document has "${name}" in its metadata`, {
    hint: didYouMean(name, names) ?? listed,
  })
}

function otherType(name: string, value: Primitive, types: readonly string[]): EngineError {
  const hint =
    typeof value === 'number'
      ? `To compare with a text, put it in double quotes: --filter '${name}="${value}"'.`
      : `Give a ${types[0]}.`
  const message = `--filter compares "${name}" with the ${typeof value} ${JSON.stringify(value)}, but documents have a ${types.join(' or a ')} there`
  return new EngineError('INVALID_OPTION', message, { hint })
}
