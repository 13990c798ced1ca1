// The documents that were found, or simply those that are there.

import { useEffect, useRef } from 'preact/hooks'
import type { DocumentHit } from '../backend/answers.ts'
import { mostAtOnce } from '../backend/backend.ts'
import { Card } from '../parts/card.tsx'
import { count, grouped } from '../parts/numbers.ts'
import { Empty, Waiting } from '../parts/state.tsx'
import { announced } from '../state/session.ts'
import { useMoves } from '../state/use-moves.ts'
import type { Condition } from './conditions.ts'
import { DocumentRow, type Liked, textsOf } from './document-row.tsx'

interface DocumentListProps {
  readonly hits: readonly DocumentHit[]
  readonly isSearch: boolean
  /** No answer has come yet, or it could not come: nothing is known of what there is. */
  readonly isOpen: boolean
  readonly k: number
  readonly total: number | undefined
  onLike(liked: Liked): void
  onMore(): void
  onCondition(condition: Condition): void
}

export function DocumentList({ hits, isSearch, isOpen, k, total, onLike, onMore, onCondition }: DocumentListProps) {
  const list = useRef<HTMLOListElement>(null)
  useMoves(list)
  useEffect(() => {
    if (isSearch && !isOpen) announced.value = foundText(hits)
  }, [hits, isSearch, isOpen])
  const best = hits[0]?.score ?? 0
  return (
    <Card
      title={isSearch ? 'Found' : 'Stored'}
      aside={total === undefined ? null : <span class="small soft number">{count(total, 'document')}</span>}
    >
      {hits.length === 0 && isOpen && <Waiting />}
      {hits.length === 0 && !isOpen && (
        <Empty icon="search" title={isSearch ? 'Nothing found' : 'No documents'}>
          <p>
            {isSearch ? 'Try other words, or fewer filters.' : 'Nothing is stored here, or nothing passes the filters.'}
          </p>
        </Empty>
      )}
      <ol ref={list} class="documents" aria-busy={isOpen}>
        {hits.map(hit => (
          <DocumentRow key={hit.id} {...{ hit, best, isSearch, onLike, onCondition }} />
        ))}
      </ol>
      {hits.length >= k && k < mostAtOnce && (
        <button type="button" class="button" onClick={onMore}>
          Show {grouped(20)} more
        </button>
      )}
    </Card>
  )
}

function foundText([first, ...others]: readonly DocumentHit[]): string {
  if (!first) return 'Nothing found'
  return `${count(others.length + 1, 'document')} found, first ${textsOf(first.document)[0] ?? first.id}`
}
