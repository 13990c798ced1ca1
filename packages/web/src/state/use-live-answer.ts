// The answer to one call, asked for again whenever something was learned or changed. The answer before stays until then.

import { useEffect, useRef } from 'preact/hooks'
import type { ServedKind } from '../backend/backend.ts'
import { changes } from './session.ts'
import { useSignal } from './signal.ts'
import { useAnswer } from './use-answer.ts'
import type { Answered } from './use-asked.ts'

export function useLiveAnswer<Answer>(
  kind: ServedKind,
  name: string,
  operation: string,
  input: object | null = {},
): Answered<Answer> {
  const answered = useAnswer<Answer>(kind, name, operation, input)
  const turn = useSignal(changes)
  const answeredTurn = useRef(turn)
  useEffect(() => {
    if (turn !== answeredTurn.current) answered.again()
    answeredTurn.current = turn
  }, [turn])
  return answered
}
