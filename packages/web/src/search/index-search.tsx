// The nearest neighbors of a stored item, a vector or a text, and what they cost.

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { FoundNeighbors, Id, IndexFacts, StoredItem } from '../backend/answers.ts'
import { mostAtOnce } from '../backend/backend.ts'
import { Card } from '../parts/card.tsx'
import { count, micros } from '../parts/numbers.ts'
import { ProblemNote, Waiting } from '../parts/state.tsx'
import { announced } from '../state/session.ts'
import { useAnswer } from '../state/use-answer.ts'
import { Effort } from './effort.tsx'
import { Neighbors } from './neighbors.tsx'
import { type IndexQuery, QueryForm } from './query-form.tsx'

export function IndexSearch({ name, picker }: { name: string; picker: ComponentChildren }) {
  const { data: facts, problem, again } = useAnswer<IndexFacts>('index', name, 'describe')
  return (
    <>
      <div class="room-head">
        {picker}
        {facts && (
          <p class="facts">
            <b>{count(facts.rows, 'item')}</b>
            {facts.dims !== undefined && <span>{count(facts.dims, 'dimension')}</span>}
            <span>{facts.indexKind}</span>
            <span>{facts.metric}</span>
          </p>
        )}
      </div>
      {problem && <ProblemNote problem={problem} onRetry={again} />}
      {facts ? <IndexPanels facts={facts} /> : !problem && <Waiting rows={6} />}
    </>
  )
}

function IndexPanels({ facts }: { facts: IndexFacts }) {
  const { name, layout } = facts
  const [query, setQuery] = useState<IndexQuery>()
  const [options, setOptions] = useState<object>({})
  const [k, setK] = useState(12)
  const like = query && 'like' in query ? query.like : undefined
  const first = useAnswer<{ items: { id: Id }[] }>('index', name, 'items', { limit: 1 })
  const start = first.data?.items[0]?.id
  useEffect(() => {
    if (!query && start !== undefined && layout !== 'text') setQuery({ like: start })
  }, [start, query, layout])
  const item = useAnswer<{ item: StoredItem }>('index', name, 'get', like === undefined ? null : { id: like })
  const found = useAnswer<FoundNeighbors>(
    'index',
    name,
    'search',
    query ? { ...query, k, options, vectors: true } : null,
  )
  useEffect(() => {
    const [first, ...others] = found.data?.neighbors ?? []
    if (first) announced.value = `${count(others.length + 1, 'neighbor')} found, first ${first.text ?? first.id}`
  }, [found.data])
  const shown = like === undefined ? vectorOf(query) : item.data?.item.vector
  return (
    <div class="columns wide-end index-panels">
      <div class="stack">
        <QueryForm {...{ facts, query, vector: shown, text: item.data?.item.text }} onQuery={setQuery} />
        <Effort {...{ facts, options, k: 10 }} onOptions={setOptions} />
      </div>
      <Card
        title="Neighbors"
        aside={
          found.data?.micros !== undefined && <span class="small soft number">in {micros(found.data.micros)}</span>
        }
      >
        {found.problem && <ProblemNote problem={found.problem} onRetry={found.again} />}
        {!found.data && found.isLoading && <Waiting />}
        {found.data && <Neighbors {...{ neighbors: found.data.neighbors, onLike: id => setQuery({ like: id }) }} />}
        {found.data && found.data.neighbors.length >= k && k < mostAtOnce && (
          <button type="button" class="button" onClick={() => setK(Math.min(mostAtOnce, k + 12))}>
            Show 12 more
          </button>
        )}
      </Card>
    </div>
  )
}

function vectorOf(query: IndexQuery | undefined): readonly number[] | undefined {
  return query && 'vector' in query ? query.vector : undefined
}
