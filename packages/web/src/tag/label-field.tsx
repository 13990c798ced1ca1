// Names a label: completes over the model's vocabulary, by name or id, and takes new labels too.

import type { RefObject } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { type KnownLabel, type NamedLabel, nameOf } from '../backend/answers.ts'
import { grouped } from '../parts/numbers.ts'
import { call } from '../state/session.ts'
import { useAsked } from '../state/use-asked.ts'
import { useSettled } from '../state/use-settled.ts'

interface LabelFieldProps {
  readonly model: string
  readonly field: RefObject<HTMLInputElement | null>
  readonly isDisabled: boolean
  onLabel(label: NamedLabel): void
}

interface Choice extends NamedLabel {
  readonly rows?: number
}

export function LabelField({ model, field, isDisabled, onLabel }: LabelFieldProps) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  /** Enter was pressed before the choices for what was typed had come: the first of them is taken when they do. */
  const [isEntered, setEntered] = useState(false)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const { choices, isCurrent } = useChoices(model, typed.trim())
  const write = (text: string) => {
    setTyped(text)
    setAt(0)
    setEntered(false)
  }
  const take = (choice: Choice | undefined) => {
    if (!choice) return
    onLabel(choice)
    write('')
  }
  useEffect(() => {
    if (isEntered && isCurrent) take(choices[0])
  }, [isEntered, isCurrent])
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [at])
  const press = (event: KeyboardEvent) => {
    if (event.isComposing) return // these keys choose a word of an input method, not a label
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && choices.length > 0) setAt((at + step + choices.length) % choices.length)
    else if (event.key === 'Enter') isCurrent || at > 0 ? take(choices[at]) : setEntered(true)
    else if (event.key === 'Escape') typed === '' ? field.current?.blur() : write('')
    else return
    event.preventDefault()
  }
  const isOpen = choices.length > 0
  return (
    <div class="label-field">
      <input
        ref={field}
        class="field"
        role="combobox"
        aria-label="Add a label"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={isOpen ? `${id}-${at}` : undefined}
        autocomplete="off"
        dir="auto"
        placeholder="Add a label …"
        disabled={isDisabled}
        value={typed}
        onInput={event => write(event.currentTarget.value)}
        onKeyDown={press}
        onBlur={() => write('')}
      />
      <kbd class="wide-only">n</kbd>
      <div ref={list} class="choices" id={id} role="listbox" aria-label="Labels" hidden={!isOpen}>
        {choices.map((choice, i) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus, and names the active option
          <div
            key={choice.label}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === at}
            class="choice"
            onMouseDown={event => {
              event.preventDefault() // the field keeps the focus
              take(choice)
            }}
          >
            <bdi>{nameOf(choice)}</bdi>
            <span class="small soft mono uri">
              {choice.rows === undefined ? 'new label' : choice.name && choice.label}
            </span>
            {choice.rows !== undefined && <span class="small soft number">{grouped(choice.rows)}</span>}
          </div>
        ))}
      </div>
    </div>
  )
}

/** Known labels that match, and what was typed as a new one if no label is called so. */
function useChoices(model: string, typed: string): { choices: Choice[]; isCurrent: boolean } {
  const search = useSettled(typed, 120)
  const { data } = useAsked(`model/${model}`, search === '' ? null : search, async signal => {
    const input = { search, limit: 7 }
    return { search, ...(await call<{ labels: KnownLabel[] }>('model', model, 'labels', input, signal)) }
  })
  const isCurrent = data?.search === typed // while somebody types, the last answer stays in sight
  if (typed === '' || !data) return { choices: [], isCurrent }
  const isKnown = data.labels.some(one =>
    [one.label, nameOf(one)].some(word => word.toLowerCase() === typed.toLowerCase()),
  )
  return { choices: isKnown ? data.labels : [...data.labels, { label: typed }], isCurrent }
}
