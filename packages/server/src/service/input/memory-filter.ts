// Filters of memories in JSON: by ids, metadata and values. A program passes a function instead.

import type { Id, Json, JsonObject } from '@vicinal/core'
import { clausesOf, conditionWords, meetsAll } from '@vicinal/core/internals'
import { z } from 'zod'
import { id, json } from '../schemas.ts'

const conditions = z.record(z.string(), json)

export const memoryFilter = z
  .union([
    z.array(id),
    z.strictObject({
      ids: z.array(id).optional().describe('Only these ids.'),
      metadata: conditions
        .optional()
        .describe('Conditions on metadata, as collections take them: { "host": "db1", "year": { "gte": 1990 } }.'),
      value: json
        .optional()
        .describe(
          'The value itself, conditions on it ({ "gte": 3 }), or conditions on its fields ({ "kind": { "in": ["fix"] } }).',
        ),
    }),
  ])
  .describe('Only these memories: a list of ids, or conditions, all of which must hold.')

/** As the library takes it. Refuses conditions that make no sense. */
export function filterOf(
  given: z.output<typeof memoryFilter>,
): readonly Id[] | ((value: Json, id: Id, metadata: JsonObject | undefined) => boolean) {
  if (Array.isArray(given)) return given
  const { ids, metadata = {}, value } = given
  const among = ids && new Set(ids)
  const clauses = clausesOf(metadata)
  const fits = value === undefined ? () => true : valueTest(value as Json)
  return (own, id, about) => (!among || among.has(id)) && meetsAll({ metadata: about }, clauses) && fits(own)
}

/** A bare value, or an object of condition words alone, is about the value itself; any other object is about its fields. */
function valueTest(wanted: Json): (value: Json) => boolean {
  const names =
    typeof wanted === 'object' && wanted !== null && !Array.isArray(wanted) ? Object.keys(wanted) : undefined
  if (!names || names.every(name => conditionWords.includes(name))) {
    const clauses = clausesOf({ value: wanted })
    return value => meetsAll({ metadata: { value } }, clauses)
  }
  const clauses = clausesOf(wanted as JsonObject) // it has names
  return value => isObject(value) && meetsAll({ metadata: value }, clauses)
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
