// Memory: ask it, say what helped, see what is stored, add and forget.

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ServedName } from '../backend/backend.ts'
import { count } from '../parts/numbers.ts'
import { ProblemNote } from '../parts/state.tsx'
import { changes } from '../state/session.ts'
import { useSignal } from '../state/signal.ts'
import { useAnswer } from '../state/use-answer.ts'
import { AddMemory } from './add-memory.tsx'
import { Ask } from './ask.tsx'
import { type NamespaceCount, Namespaces } from './namespaces.tsx'
import { StoredMemories } from './stored-memories.tsx'

interface MemoryFacts {
  readonly size: number
  readonly stats: { readonly rewards?: number }
}

export function MemoryRoom({ served: { name }, picker }: { served: ServedName; picker: ComponentChildren }) {
  const [namespace, setNamespace] = useState<string>()
  const turn = useSignal(changes)
  const facts = useAnswer<MemoryFacts>('memory', name, 'describe')
  const spaces = useAnswer<{ namespaces: NamespaceCount[] }>('memory', name, 'namespaces')
  useEffect(() => {
    if (turn === 0) return
    facts.again()
    spaces.again()
  }, [turn])
  const all = [undefined, ...(spaces.data?.namespaces ?? []).map(one => one.namespace ?? undefined)].filter(isFirst)
  return (
    <>
      <div class="room-head">
        {picker}
        {facts.data && (
          <p class="facts">
            <b>{count(facts.data.size, 'memory', 'memories')}</b>
            {facts.data.stats.rewards !== undefined && <span>{count(facts.data.stats.rewards, 'reward')} learned</span>}
          </p>
        )}
      </div>
      {facts.problem && <ProblemNote problem={facts.problem} onRetry={facts.again} />}
      <div class="stack">
        <Namespaces spaces={spaces.data?.namespaces ?? []} current={namespace} onNamespace={setNamespace} />
        <div class="columns">
          <Ask name={name} namespaces={namespace === undefined ? all : [namespace]} />
          <div class="stack">
            <AddMemory {...{ name, namespace }} />
            <StoredMemories {...{ name, namespace }} />
          </div>
        </div>
      </div>
    </>
  )
}

function isFirst<Value>(value: Value, place: number, all: readonly Value[]): boolean {
  return all.indexOf(value) === place
}
