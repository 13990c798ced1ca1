// The answer to one call of the service.

import type { ServedKind } from '../backend/backend.ts'
import { call } from './session.ts'
import { type Answered, useAsked } from './use-asked.ts'

/** Calls an operation of `name`; with the input null, nothing is asked. */
export function useAnswer<Answer>(
  kind: ServedKind,
  name: string,
  operation: string,
  input: object | null = {},
): Answered<Answer> {
  const question = input && `${operation} ${JSON.stringify(input)}`
  return useAsked(`${kind}/${name}`, question, signal => call<Answer>(kind, name, operation, input ?? {}, signal))
}
