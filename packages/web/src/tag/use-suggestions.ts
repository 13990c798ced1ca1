// What the model suggests for the text, asked for again when it has learned.

import { useState } from 'preact/hooks'
import type { Item, Suggestion } from '../backend/answers.ts'
import { mostAtOnce } from '../backend/backend.ts'
import type { Answered } from '../state/use-asked.ts'
import { useLiveAnswer } from '../state/use-live-answer.ts'

export interface Suggested extends Answered<{ labels: Suggestion[] }> {
  /** Best first; none without a text. */
  readonly labels: readonly Suggestion[]
  /** The model knows nothing in the text. It cannot learn such a text either: its words stay those that it was trained with. */
  readonly isUnknown: boolean
  readonly hasMore: boolean
  more(): void
}

export function useSuggestions(model: string, item: Item | undefined): Suggested {
  const [top, setTop] = useState(8)
  const answered = useLiveAnswer<{ labels: Suggestion[] }>('model', model, 'predict', item ? { ...item, top } : null)
  const { data, isLoading, problem } = answered
  const labels = item ? (data?.labels ?? []) : []
  return {
    ...answered,
    labels,
    isUnknown: item !== undefined && data !== undefined && !isLoading && !problem && labels.length === 0,
    hasMore: labels.length === top && top < mostAtOnce,
    more: () => setTop(last => Math.min(mostAtOnce, 2 * last)),
  }
}
