// Names of labels that were given by their ids alone, as corrections have them. Asked for once each.

import { useEffect } from 'preact/hooks'
import type { KnownLabel, NamedLabel } from '../backend/answers.ts'
import { call } from '../state/session.ts'
import { Signal, useSignal } from '../state/signal.ts'

const names = new Signal<ReadonlyMap<string, string>>(new Map())
const asked = new Set<string>()

export function useLabelNames(model: string, labels: readonly string[]): NamedLabel[] {
  const known = useSignal(names)
  useEffect(() => {
    for (const label of labels.slice(0, 200)) void ask(model, label)
  }, [model, labels])
  return labels.map(label => {
    const name = known.get(`${model}\n${label}`)
    return name === undefined ? { label } : { label, name }
  })
}

async function ask(model: string, label: string): Promise<void> {
  const key = `${model}\n${label}`
  if (asked.has(key)) return
  asked.add(key)
  try {
    const { labels } = await call<{ labels: KnownLabel[] }>('model', model, 'labels', { search: label, limit: 5 })
    const name = labels.find(one => one.label === label)?.name
    if (name !== undefined) names.value = new Map(names.value).set(key, name)
  } catch {
    asked.delete(key) // the id does meanwhile
  }
}
