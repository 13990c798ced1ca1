// The reasons for one label of the text, if a person asked for them. They change with the text and with what the model learns.

import { useEffect, useState } from 'preact/hooks'
import type { Explanation, Item } from '../backend/answers.ts'
import { report } from '../state/session.ts'
import { useLiveAnswer } from '../state/use-live-answer.ts'

export interface Why {
  /** The label whose reasons are asked for. */
  readonly label: string | undefined
  /** Undefined until the answer for that label has come. */
  readonly explanation: Explanation | undefined
  open(label: string | undefined): void
}

export function useWhy(model: string, item: Item | undefined): Why {
  const [label, open] = useState<string>()
  const input = item && label !== undefined ? { ...item, label } : null
  const { data, problem } = useLiveAnswer<Explanation>('model', model, 'explain', input)
  useEffect(() => {
    if (!problem) return
    report(problem)
    open(undefined)
  }, [problem])
  return { label, explanation: data?.label === label ? data : undefined, open }
}
