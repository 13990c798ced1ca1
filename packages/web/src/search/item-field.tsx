// Chooses a stored item by its id.

import { useEffect, useId, useState } from 'preact/hooks'
import type { Id } from '../backend/answers.ts'
import { useAnswer } from '../state/use-answer.ts'
import { useSettled } from '../state/use-settled.ts'

interface ItemFieldProps {
  readonly index: string
  readonly current: Id | undefined
  onItem(id: Id): void
}

export function ItemField({ index, current, onItem }: ItemFieldProps) {
  const [typed, setTyped] = useState('')
  const list = useId()
  useEffect(() => setTyped(current === undefined ? '' : String(current)), [current])
  const search = useSettled(typed.trim())
  const { data } = useAnswer<{ items: { id: Id }[] }>('index', index, 'items', { search, limit: 20 })
  const known = (data?.items ?? []).find(({ id }) => String(id) === typed.trim())
  useEffect(() => {
    if (known && known.id !== current) onItem(known.id)
  }, [known?.id])
  return (
    <>
      <input
        class="field"
        aria-label="Id of a stored item"
        placeholder="Id of a stored item"
        list={list}
        value={typed}
        onInput={event => setTyped(event.currentTarget.value)}
      />
      <datalist id={list}>
        {data?.items.map(({ id }) => (
          <option key={id} value={String(id)} />
        ))}
      </datalist>
    </>
  )
}
