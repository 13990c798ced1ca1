// Asks the memory. What helped is rewarded with one click, and the ranking changes.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { MemoryHit } from '../backend/answers.ts'
import { Card } from '../parts/card.tsx'
import { count } from '../parts/numbers.ts'
import { Empty, ProblemNote, Waiting } from '../parts/state.tsx'
import { announced, call, changes, report, toast } from '../state/session.ts'
import { useSignal } from '../state/signal.ts'
import { useKeys } from '../state/use-keys.ts'
import { useMoves } from '../state/use-moves.ts'
import { useSettled } from '../state/use-settled.ts'
import { HitRow } from './hit-row.tsx'
import { shown } from './shown.ts'
import { useHits } from './use-hits.ts'

interface AskProps {
  readonly name: string
  /** Those to ask; undefined stands for memories without one. */
  readonly namespaces: readonly (string | undefined)[]
}

export function Ask({ name, namespaces }: AskProps) {
  const [typed, setTyped] = useState('')
  const box = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const key = useSettled(typed.trim())
  const turn = useSignal(changes)
  const { data, problem, isLoading, again } = useHits(name, key, namespaces, 6)
  useEffect(() => {
    if (turn > 0) again()
  }, [turn])
  useMoves(list)
  const hits = key === '' ? [] : (data?.hits ?? [])
  useEffect(() => {
    if (data) announced.value = foundText(data.hits)
  }, [data])
  const reward = async (hit: MemoryHit | undefined, amount: number) => {
    if (!hit) return
    try {
      await call('memory', name, 'reward', { hit, reward: amount })
      toast.value = { text: `Noted: “${shown(hit.value) || hit.text}” ${amount === 1 ? 'helped' : 'did not help'}.` }
      changes.value++
    } catch (error) {
      report(error)
    }
  }
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('.hit') ?? [])]
  const here = () =>
    Math.max(
      0,
      rows().findIndex(row => row.contains(document.activeElement)),
    )
  const move = (step: number) => {
    const isInside = rows().some(row => row.contains(document.activeElement))
    rows()[isInside ? Math.max(0, Math.min(rows().length - 1, here() + step)) : 0]?.focus()
  }
  useKeys({
    ...{ j: () => move(1), k: () => move(-1) },
    a: () => void reward(hits[here()], 1),
    r: () => void reward(hits[here()], 0),
    ...{ '/': () => box.current?.focus(), e: () => box.current?.focus() },
  })
  return (
    <Card title="Ask" aside={<AskKeys />}>
      <div class="stack tight">
        <input
          ref={box}
          class="field search-field"
          type="search"
          dir="auto"
          aria-label="Ask the memory"
          placeholder="What do you need to know now?"
          value={typed}
          onInput={event => setTyped(event.currentTarget.value)}
        />
        {problem && key !== '' && <ProblemNote problem={problem} onRetry={again} />}
        {key !== '' && !data && isLoading && <Waiting />}
        {key === '' && (
          <Empty icon="memory" title="The memories that help most come first">
            <p>Say which ones helped. The memory learns from it, for similar questions too.</p>
          </Empty>
        )}
        {key !== '' && data && hits.length === 0 && (
          <Empty icon="memory" title="Nothing comes to mind">
            <p>No memory has anything in common with the question.</p>
          </Empty>
        )}
        <ol ref={list} class="hits" aria-label="Memories, best first" aria-busy={isLoading}>
          {hits.map(hit => (
            <HitRow key={hit.id} hit={hit} onReward={amount => void reward(hit, amount)} />
          ))}
        </ol>
      </div>
    </Card>
  )
}

function foundText([first, ...others]: readonly MemoryHit[]): string {
  if (!first) return 'No memory found'
  return `${count(others.length + 1, 'memory', 'memories')} found, first ${shown(first.value) || first.text || first.id}`
}

function AskKeys() {
  return (
    <span class="small soft wide-only key-hint">
      <kbd>j</kbd> <kbd>k</kbd> move <kbd>a</kbd> helped <kbd>r</kbd> did not
    </span>
  )
}
