// What a person accepted, then what the model suggests, best first. Rows move when it learns.

import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { type Item, type KnownLabel, nameOf } from '../backend/answers.ts'
import { Card } from '../parts/card.tsx'
import { count } from '../parts/numbers.ts'
import { Empty, ProblemNote, Waiting } from '../parts/state.tsx'
import { announced } from '../state/session.ts'
import { useAnswer } from '../state/use-answer.ts'
import { useKeys } from '../state/use-keys.ts'
import { useMoves } from '../state/use-moves.ts'
import { acceptedFirst, type ShownLabel } from './accepted-first.ts'
import type { Verdict } from './said.ts'
import { SuggestionRow } from './suggestion-row.tsx'
import { useLabelNames } from './use-label-names.ts'
import type { Suggested } from './use-suggestions.ts'
import type { Tagging } from './use-tagging.ts'
import type { Why } from './use-why.ts'

interface SuggestionsProps {
  readonly model: string
  readonly item: Item | undefined
  readonly isTyped: boolean
  readonly tagging: Tagging
  readonly list: RefObject<HTMLUListElement | null>
  readonly suggested: Suggested
  readonly why: Why
}

/** Bars are as long as scores compare, but the best one is not full if it is less than this: weak suggestions look weak. */
const leastFull = 0.5

export function Suggestions({ model, item, isTyped, tagging, list, suggested, why }: SuggestionsProps) {
  const { data, problem, isLoading, again, isUnknown, hasMore, more } = suggested
  const labels = acceptedFirst(
    suggested.labels,
    useLabelNames(model, tagging.accepted),
    useLabelNames(model, [...tagging.rejected]),
  )
  const full = Math.max(leastFull, ...suggested.labels.map(({ score }) => score))
  useMoves(list)
  useListKeys(list, labels, tagging)
  useEffect(() => {
    if (labels.length > 0)
      announced.value = `${count(labels.length, 'suggestion')}, first ${nameOf(labels[0] as ShownLabel)}`
    else if (isUnknown) announced.value = 'No suggestion'
  }, [data, isUnknown])
  return (
    <Card title="Suggestions" aside={<ListKeys />}>
      {problem && item && <ProblemNote problem={problem} onRetry={again} />}
      {!item && (isTyped ? <NotANumber /> : <Known model={model} />)}
      {item && !data && isLoading && <Waiting />}
      {isUnknown && labels.length === 0 && <Unknown isText={item !== undefined && 'text' in item} />}
      {labels.length > 0 && (
        <p class="suggestion-head small soft" aria-hidden="true">
          score
        </p>
      )}
      <ul ref={list} class="suggestions" aria-label="Suggestions" aria-busy={isLoading}>
        {labels.map(one => (
          <SuggestionRow key={one.label} suggestion={one} {...{ full, why, tagging }} />
        ))}
      </ul>
      {hasMore && (
        <button type="button" class="button bare" onClick={more}>
          More suggestions
        </button>
      )}
    </Card>
  )
}

/** j and k move between rows; the other keys act on the row in focus, or on the first. */
function useListKeys(list: RefObject<HTMLElement | null>, labels: readonly ShownLabel[], tagging: Tagging): void {
  const buttons = () => [...(list.current?.querySelectorAll<HTMLElement>('.suggestion-name') ?? [])]
  const here = () => buttons().findIndex(button => button.closest('li')?.contains(document.activeElement))
  const move = (step: number) => {
    const all = buttons()
    all[Math.max(0, Math.min(all.length - 1, here() + step))]?.focus()
  }
  const judge = (verdict: Verdict) => {
    const one = labels[Math.max(0, here())]
    if (one) void tagging.judge(one, verdict)
  }
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    a: () => judge('accepted'),
    r: () => judge('rejected'),
    w: () => buttons()[Math.max(0, here())]?.click(),
  })
}

function Known({ model }: { model: string }) {
  const { data } = useAnswer<{ labels: KnownLabel[] }>('model', model, 'labels', { limit: 6 })
  return (
    <Empty icon="tag" title="Suggestions appear as you type">
      {data && <p>The model knows labels such as {data.labels.map(nameOf).join(', ')}.</p>}
    </Empty>
  )
}

function Unknown({ isText }: { isText: boolean }) {
  return (
    <Empty icon="tag" title="No suggestion">
      <p>
        The model knows nothing in this {isText ? 'text' : 'vector'}, so it cannot learn from it either. Train a model
        with {isText ? 'texts' : 'vectors'} like this one.
      </p>
    </Empty>
  )
}

function NotANumber() {
  return (
    <Empty icon="alert" title="This is not a vector">
      <p>This model labels vectors. Paste numbers, separated by commas or spaces.</p>
    </Empty>
  )
}

function ListKeys() {
  return (
    <span class="small soft wide-only key-hint">
      <kbd>j</kbd> <kbd>k</kbd> move <kbd>a</kbd> accept <kbd>r</kbd> reject <kbd>w</kbd> why
    </span>
  )
}
