// The answer to a question, asked again when the question changes. Answers to earlier questions are dropped, however late they come.

import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Problem } from '../backend/backend.ts'
import { connection } from './session.ts'
import { useSignal } from './signal.ts'

export interface Answered<Answer> {
  /** The last answer; it stays while the next one is asked for. */
  readonly data: Answer | undefined
  readonly problem: Problem | undefined
  readonly isLoading: boolean
  /** Asks again. */
  again(): void
}

interface State<Answer> {
  readonly about: string
  readonly question: string | null
  readonly data?: Answer | undefined
  readonly problem?: Problem
  readonly isLoading: boolean
}

/**
 * `about` names whom the question is for: answers from others are dropped. `question` tells questions apart; with null, nothing is
 * asked.
 */
export function useAsked<Answer>(
  about: string,
  question: string | null,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Answered<Answer> {
  const [state, setState] = useState<State<Answer>>({ about, question, isLoading: question !== null })
  const [turn, setTurn] = useState(0)
  const isOnline = useSignal(connection) === 'on'
  useEffect(() => {
    if (question === null) {
      setState({ about, question, isLoading: false })
      return undefined
    }
    const stop = new AbortController()
    const set = (change: (last: Answer | undefined) => State<Answer>) => {
      if (!stop.signal.aborted) setState(last => change(last.about === about ? last.data : undefined))
    }
    set(data => ({ about, question, data, isLoading: true }))
    ask(stop.signal).then(
      data => set(() => ({ about, question, data, isLoading: false })),
      problem => set(data => ({ about, question, data, problem, isLoading: false })),
    )
    return () => stop.abort()
  }, [about, question, turn, isOnline])
  const again = useCallback(() => setTurn(last => last + 1), [])
  const isCurrent = state.about === about
  const isAsked = isCurrent && state.question === question // not yet in the render that brings the question
  return {
    data: isCurrent ? state.data : undefined,
    problem: isAsked ? state.problem : undefined,
    isLoading: question !== null && (!isAsked || state.isLoading),
    again,
  }
}
