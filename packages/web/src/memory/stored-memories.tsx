// What is stored, page by page.

import { useEffect, useState } from 'preact/hooks'
import type { StoredMemory } from '../backend/answers.ts'
import { mostAtOnce } from '../backend/backend.ts'
import { Card } from '../parts/card.tsx'
import { Icon } from '../parts/icon.tsx'
import { ago, count, decimal, grouped } from '../parts/numbers.ts'
import { Empty, ProblemNote, Waiting } from '../parts/state.tsx'
import { call, changes, report, toast } from '../state/session.ts'
import { useSignal } from '../state/signal.ts'
import { useAnswer } from '../state/use-answer.ts'
import { forget } from './add-memory.tsx'
import { shown } from './shown.ts'

const orders = { newest: 'Newest first', oldest: 'Oldest first', reward: 'Most helpful first' }

export function StoredMemories({ name, namespace }: { name: string; namespace: string | undefined }) {
  const [order, setOrder] = useState('newest')
  const [limit, setLimit] = useState(10)
  const turn = useSignal(changes)
  const input = { namespace, order, limit }
  const answered = useAnswer<{ memories: StoredMemory[]; count: number }>('memory', name, 'list', input)
  const { data, problem, isLoading, again } = answered
  useEffect(() => {
    if (turn > 0) again()
  }, [turn])
  return (
    <Card
      title="Stored"
      aside={
        <select class="field" aria-label="Order" value={order} onChange={event => setOrder(event.currentTarget.value)}>
          {Object.entries(orders).map(([one, shown]) => (
            <option key={one} value={one}>
              {shown}
            </option>
          ))}
        </select>
      }
    >
      {problem && <ProblemNote problem={problem} onRetry={again} />}
      {!data && isLoading && <Waiting />}
      {data?.memories.length === 0 && (
        <Empty icon="memory" title="Nothing is stored yet">
          <p>Add the first memory above, or from a program.</p>
        </Empty>
      )}
      <ul class="corrections" aria-label="Stored memories">
        {data?.memories.map(memory => (
          <MemoryRow key={memory.id} name={name} memory={memory} />
        ))}
      </ul>
      {data && data.memories.length < data.count && limit < mostAtOnce && (
        <button type="button" class="button" onClick={() => setLimit(Math.min(mostAtOnce, limit + 20))}>
          Show more of {grouped(data.count)}
        </button>
      )}
    </Card>
  )
}

function MemoryRow({ name, memory }: { name: string; memory: StoredMemory }) {
  const { id, key, value, namespace, createdAt, reward, rewards } = memory
  const text = shown(key)
  const facts = [ago(createdAt), ...(reward === null ? [] : [`${decimal(reward)} on ${count(rewards, 'reward')}`])]
  const remove = async () => {
    if (!(await forget(name, id))) return
    toast.value = { text: 'Forgotten.', action: { name: 'Undo', run: () => void restore(name, memory) } }
  }
  return (
    <li>
      <div>
        <p class="correction-text" dir="auto">
          {text}
        </p>
        {value !== null && (
          <p class="small clamp" dir="auto">
            {shown(value)}
          </p>
        )}
        <p class="small soft number">
          {namespace !== undefined && (
            <>
              <bdi>{namespace}</bdi> ·{' '}
            </>
          )}
          {facts.join(' · ')}
        </p>
      </div>
      <button
        type="button"
        class="button bare square"
        aria-label={`Forget ${text}`}
        title="Forget"
        onClick={() => void remove()}
      >
        <Icon name="trash" />
      </button>
    </li>
  )
}

/** Under its id again. Its rewards are gone: the memory learned from them, and nobody can give them a second time. */
async function restore(name: string, { rewards, ...memory }: StoredMemory): Promise<void> {
  const { id, key, value, namespace, metadata, expiresAt } = memory
  try {
    await call('memory', name, 'insert', { id, key, value, namespace, metadata, expiresAt })
    changes.value++
    if (rewards > 0) toast.value = { text: `Restored, without its ${count(rewards, 'reward')}.` }
  } catch (error) {
    report(error)
  }
}
