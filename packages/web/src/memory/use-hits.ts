// What the memory answers. A query sees one namespace, so to see all, every namespace is asked, and the best of all answers are kept.

import type { MemoryHit } from '../backend/answers.ts'
import { call } from '../state/session.ts'
import { type Answered, useAsked } from '../state/use-asked.ts'

/** `namespaces`: those to ask; undefined stands for memories without one. */
export function useHits(
  name: string,
  key: string,
  namespaces: readonly (string | undefined)[],
  k: number,
): Answered<{ hits: MemoryHit[] }> {
  const question = key === '' ? null : JSON.stringify([key, namespaces])
  return useAsked(`memory/${name}`, question, async signal => {
    const asked = namespaces.map(namespace =>
      call<{ hits: MemoryHit[] }>('memory', name, 'query', { key, k, namespace }, signal),
    )
    const hits = (await Promise.all(asked)).flatMap(answer => answer.hits)
    return { hits: hits.sort((a, b) => b.score - a.score).slice(0, k) }
  })
}
