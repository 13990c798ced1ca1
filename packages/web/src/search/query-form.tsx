// The query: a stored item, or your own vector or text.

import { useState } from 'preact/hooks'
import type { Id, IndexFacts } from '../backend/answers.ts'
import { Card } from '../parts/card.tsx'
import { Icon } from '../parts/icon.tsx'
import { call, report, toast } from '../state/session.ts'
import { numbersOf } from '../tag/item.ts'
import { ItemField } from './item-field.tsx'
import { Picture, sideOf } from './picture.tsx'

export type IndexQuery = { readonly like: Id } | { readonly vector: readonly number[] } | { readonly text: string }

interface QueryFormProps {
  readonly facts: IndexFacts
  readonly query: IndexQuery | undefined
  /** The vector of the query, if it is known. */
  readonly vector: readonly number[] | undefined
  /** The text of the stored item, for indexes of texts. */
  readonly text: string | undefined
  onQuery(query: IndexQuery): void
}

export function QueryForm({ facts, query, vector, text, onQuery }: QueryFormProps) {
  const isStored = query !== undefined && 'like' in query
  const anyItem = async () => {
    try {
      const offset = Math.floor(Math.random() * facts.rows)
      const { items } = await call<{ items: { id: Id }[] }>('index', facts.name, 'items', { offset, limit: 1 })
      if (items[0]) onQuery({ like: items[0].id })
    } catch (error) {
      report(error)
    }
  }
  return (
    <Card title="Near what?">
      <div class="stack tight">
        {vector && sideOf(vector) && (
          <figure class="query-picture">
            <Picture vector={vector} name={isStored ? `Item ${query.like}` : 'Your vector'} />
            <figcaption class="small soft mono">{isStored ? query.like : 'your vector'}</figcaption>
          </figure>
        )}
        {text !== undefined && (
          <p class="document-title" dir="auto">
            {text}
          </p>
        )}
        <div class="line with-field">
          <ItemField
            index={facts.name}
            current={isStored ? query.like : undefined}
            onItem={id => onQuery({ like: id })}
          />
          <button type="button" class="button" onClick={() => void anyItem()}>
            <Icon name="dice" /> Any
          </button>
        </div>
        <details class="disclose small" open={facts.layout === 'text'}>
          <summary>
            <Icon name="chevron" size={14} />
            {facts.layout === 'text' ? 'A text of your own' : 'A vector of your own'}
          </summary>
          <OwnQuery facts={facts} onQuery={onQuery} />
        </details>
      </div>
    </Card>
  )
}

function OwnQuery({ facts: { layout, dims }, onQuery }: { facts: IndexFacts; onQuery: (query: IndexQuery) => void }) {
  const [typed, setTyped] = useState('')
  const send = (event: Event) => {
    event.preventDefault()
    if (layout === 'text') return onQuery({ text: typed })
    const vector = numbersOf(typed)
    if (vector) onQuery({ vector })
    else toast.value = { text: 'This is not a vector: give numbers, separated by commas or spaces.' }
  }
  return (
    <form class="stack tight" onSubmit={send}>
      <textarea
        class="field"
        rows={3}
        required
        dir="auto"
        aria-label={layout === 'text' ? 'Text' : 'Vector'}
        placeholder={layout === 'text' ? 'A text …' : `${dims ?? 'Some'} numbers …`}
        value={typed}
        onInput={event => setTyped(event.currentTarget.value)}
      />
      <button type="submit" class="button">
        Find its neighbors
      </button>
    </form>
  )
}
