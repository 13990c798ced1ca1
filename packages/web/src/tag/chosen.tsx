// The labels that the text has by now, and a field for one that is missing.

import { useRef } from 'preact/hooks'
import { type Item, nameOf } from '../backend/answers.ts'
import { Icon } from '../parts/icon.tsx'
import { useKeys } from '../state/use-keys.ts'
import { LabelField } from './label-field.tsx'
import { useLabelNames } from './use-label-names.ts'
import type { Tagging } from './use-tagging.ts'

interface ChosenProps {
  readonly model: string
  readonly item: Item | undefined
  readonly tagging: Tagging
  /** False if the model knows nothing in the text. */
  readonly canLearn: boolean
}

export function Chosen({ model, item, tagging, canLearn }: ChosenProps) {
  const field = useRef<HTMLInputElement>(null)
  const labels = useLabelNames(model, tagging.accepted)
  const canBeNone = item !== undefined && canLearn && labels.length === 0
  useKeys({ n: () => field.current?.focus(), o: () => canBeNone && void tagging.judgeNone() })
  return (
    <div class="chosen">
      {item && (
        <ul class="line" aria-label="Labels of this text">
          {labels.map(one => (
            <li key={one.label} class="chip on" title={one.label}>
              <bdi>{nameOf(one)}</bdi>
              <button
                type="button"
                aria-label={`Remove ${nameOf(one)}`}
                onClick={() => void tagging.judge(one, 'accepted')}
              >
                <Icon name="cross" size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {canBeNone && (
        <div class="line">
          <button
            type="button"
            class="button"
            aria-pressed={tagging.noneFits}
            title="Teach the model that no label fits this text (o)"
            onClick={() => void tagging.judgeNone()}
          >
            No label fits
          </button>
          <p class="small soft">{noneText(tagging)}</p>
        </div>
      )}
      <LabelField
        model={model}
        field={field}
        isDisabled={!item || !canLearn}
        onLabel={label => {
          if (!tagging.accepted.includes(label.label)) void tagging.judge(label, 'accepted')
        }}
      />
    </div>
  )
}

function noneText({ noneFits, rejected }: Tagging): string {
  if (noneFits) return 'Learned: texts like this one get lower scores.'
  if (rejected.size === 0) return ''
  return 'What you rejected is not suggested for this text any more. Accept a label, or say that none fits, to teach the model about other texts.'
}
