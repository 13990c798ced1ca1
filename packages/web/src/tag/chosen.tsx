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
  useKeys({ n: () => field.current?.focus() })
  return (
    <div class="chosen">
      {item && (
        <ul class="line" aria-label="Labels of this text">
          {labels.map(one => (
            <li key={one.label} class="chip on" title={one.label}>
              {nameOf(one)}
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
