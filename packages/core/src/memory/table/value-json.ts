// Values of memories as JSON. Refuses what JSON would silently lose.

import { EngineError } from '../../errors.ts'
import { type Json, type JsonObject, toJson } from '../../store/json.ts'

/** Whether a value fits JSON is checked when it is written, not by its type: interfaces have no index signature. */
export function valueJson(value: unknown): string {
  const json = toJson('the value', { value: value as Json })
  if (json !== '{}') return json.slice('{"value":'.length, -1)
  throw new EngineError('INVALID_OPTION', 'the value is undefined, which JSON cannot hold')
}

export function metadataJson(metadata: JsonObject): string {
  return toJson('metadata', metadata)
}
