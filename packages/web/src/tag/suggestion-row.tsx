// One suggestion: its score, its reasons on request, and the verdict on it.

import { nameOf } from '../backend/answers.ts'
import { Bar } from '../parts/bar.tsx'
import { Icon } from '../parts/icon.tsx'
import { decimal } from '../parts/numbers.ts'
import type { ShownLabel } from './accepted-first.ts'
import { Reasons } from './reasons.tsx'
import type { Tagging } from './use-tagging.ts'
import type { Why } from './use-why.ts'

interface RowProps {
  readonly suggestion: ShownLabel
  /** The score whose bar is full. */
  readonly full: number
  readonly why: Why
  readonly tagging: Tagging
}

const meaning = 'From 0 (nothing points to the label) to 1. The Models room shows how reliable scores are.'

export function SuggestionRow({ suggestion, full, why, tagging }: RowProps) {
  const { label, score } = suggestion
  const isOpen = why.label === label
  const name = nameOf(suggestion)
  const isAccepted = tagging.accepted.includes(label)
  const isRejected = tagging.rejected.has(label)
  return (
    <li data-key={label} class={`suggestion ${isAccepted ? 'is-accepted' : isRejected ? 'is-rejected' : ''}`}>
      <div class="suggestion-line">
        <button
          type="button"
          class="suggestion-name"
          aria-expanded={isOpen}
          onClick={() => why.open(isOpen ? undefined : label)}
          title={label}
        >
          <Icon name="chevron" size={14} />
          <span>
            <span class="suggestion-text" dir="auto">
              {name}
            </span>
            {isAccepted && <span class="small accepted-mark"> accepted</span>}
          </span>
          <span class="number suggestion-score" title={meaning}>
            <span class="unseen">, score </span>
            {score === undefined ? '–' : decimal(score)}
          </span>
          <Bar share={(score ?? 0) / full} />
        </button>
        <button
          type="button"
          class="button bare square"
          aria-pressed={isAccepted}
          aria-label={`Accept ${name}`}
          title="Accept (a)"
          onClick={() => void tagging.judge(suggestion, 'accepted')}
        >
          <Icon name="check" />
        </button>
        <button
          type="button"
          class="button bare square"
          aria-pressed={isRejected}
          aria-label={`Reject ${name}`}
          title="Reject (r)"
          onClick={() => void tagging.judge(suggestion, 'rejected')}
        >
          <Icon name="cross" />
        </button>
      </div>
      {isOpen && why.explanation && <Reasons explanation={why.explanation} />}
    </li>
  )
}
