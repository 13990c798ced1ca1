// Values of memories as JSON, and nothing else: what JSON would lose in silence is refused.

import { EngineError } from '../../errors.ts'
import { type Json, toJson } from '../../store/json.ts'

export function valueJson(value: Json): string {
  const json = toJson('the value', { value })
  if (json !== '{}') return json.slice('{"value":'.length, -1)
  throw new EngineError('INVALID_OPTION', 'the value is undefined, which JSON cannot hold')
}
