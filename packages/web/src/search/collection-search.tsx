// Documents by their words, or like one that was found.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { CollectionFacts, DocumentHit, StoredDocument } from '../backend/answers.ts'
import { mostAtOnce } from '../backend/backend.ts'
import { Card } from '../parts/card.tsx'
import { Icon } from '../parts/icon.tsx'
import { count } from '../parts/numbers.ts'
import { ProblemNote } from '../parts/state.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { useKeys } from '../state/use-keys.ts'
import { useSettled } from '../state/use-settled.ts'
import { type Condition, fieldsOf, filterOf } from './conditions.ts'
import { DocumentList } from './document-list.tsx'
import type { Liked } from './document-row.tsx'
import { Filters } from './filters.tsx'

export function CollectionSearch({ name, picker }: { name: string; picker: ComponentChildren }) {
  const [typed, setTyped] = useState('')
  const [like, setLike] = useState<Liked>()
  const [conditions, setConditions] = useState<readonly Condition[]>([])
  const [withTypos, setTypos] = useState(true)
  const [k, setK] = useState(10)
  const box = useRef<HTMLInputElement>(null)
  const text = useSettled(typed.trim())
  const filter = filterOf(conditions)
  const facts = useAnswer<CollectionFacts>('collection', name, 'describe')
  const sample = useAnswer<{ documents: StoredDocument[] }>('collection', name, 'list', { limit: 200 })
  const isSearch = like !== undefined || text !== ''
  const query =
    like !== undefined ? { like: like.id, filter, k } : { text, filter, k, prefix: 'last', typos: withTypos }
  const found = useAnswer<{ hits: DocumentHit[] }>('collection', name, 'search', isSearch ? query : null)
  const listed = useAnswer<{ documents: StoredDocument[]; count: number }>(
    ...(['collection', name, 'list'] as const),
    isSearch ? null : { filter, limit: k },
  )
  useKeys({ '/': () => box.current?.focus(), e: () => box.current?.focus() })
  const wasLike = useRef(false)
  useEffect(() => {
    if (wasLike.current && like === undefined) box.current?.focus()
    wasLike.current = like !== undefined
  }, [like])
  useEffect(() => setK(10), [text, like, conditions])
  const { problem, isLoading, again } = isSearch ? found : listed
  const hits = isSearch ? (found.data?.hits ?? []) : (listed.data?.documents ?? []).map(asHit)
  const documents = facts.data?.stats.documents
  return (
    <>
      <div class="room-head">
        {picker}
        {typeof documents === 'number' && (
          <p class="facts">
            <b>{count(documents, 'document')}</b>
          </p>
        )}
      </div>
      <div class="stack">
        <Card title="Find documents">
          <div class="stack tight">
            {like === undefined ? (
              <input
                ref={box}
                class="field search-field"
                type="search"
                dir="auto"
                aria-label="Words to search for"
                placeholder="Words …"
                value={typed}
                onInput={event => setTyped(event.currentTarget.value)}
              />
            ) : (
              <p class="line">
                <span class="chip on">
                  <Icon name="like" size={14} /> <span class="liked">like</span>
                  <span class="liked-title" dir="auto">
                    {like.title}
                  </span>
                  <button type="button" aria-label="Search by words again" onClick={() => setLike(undefined)}>
                    <Icon name="cross" size={12} />
                  </button>
                </span>
              </p>
            )}
            <div class="line">
              <label class="check">
                <input type="checkbox" checked={withTypos} onChange={() => setTypos(!withTypos)} /> Forgive typos
              </label>
            </div>
            <Filters fields={fieldsOf(sample.data?.documents ?? [])} {...{ conditions, onConditions: setConditions }} />
          </div>
        </Card>
        {problem && <ProblemNote problem={problem} onRetry={again} />}
        <DocumentList
          {...{ hits, isSearch, k }}
          isOpen={isLoading || problem !== undefined}
          total={isSearch ? undefined : listed.data?.count}
          onLike={setLike}
          onMore={() => setK(Math.min(mostAtOnce, k + 20))}
          onCondition={condition => setConditions([...conditions, condition])}
        />
      </div>
    </>
  )
}

function asHit(document: StoredDocument): DocumentHit {
  return { id: document.id, score: 0, document }
}
