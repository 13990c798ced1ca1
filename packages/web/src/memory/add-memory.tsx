// Adds a memory.

import { useState } from 'preact/hooks'
import type { Id } from '../backend/answers.ts'
import { Card } from '../parts/card.tsx'
import { call, changes, report, toast } from '../state/session.ts'

export function AddMemory({ name, namespace }: { name: string; namespace: string | undefined }) {
  const [key, setKey] = useState('')
  const [value, setValue] = useState('')
  const [space, setSpace] = useState('')
  const add = async (event: Event) => {
    event.preventDefault()
    const owner = space.trim() || namespace
    try {
      const { id } = await call<{ id: Id }>('memory', name, 'insert', { key, value: value || null, namespace: owner })
      toast.value = { text: 'Remembered.', action: { name: 'Forget it', run: () => void forget(name, id) } }
      setKey('')
      setValue('')
      changes.value++
    } catch (error) {
      report(error)
    }
  }
  return (
    <Card title="Remember">
      <form class="stack tight" onSubmit={event => void add(event)}>
        <label class="labeled">
          What happened
          <textarea
            class="field"
            rows={2}
            dir="auto"
            required
            placeholder="The deploy failed because the disk was full"
            value={key}
            onInput={event => setKey(event.currentTarget.value)}
          />
        </label>
        <div class="pair">
          <label class="labeled">
            What to know next time
            <input
              class="field"
              dir="auto"
              placeholder="Clear the cache"
              value={value}
              onInput={event => setValue(event.currentTarget.value)}
            />
          </label>
          <label class="labeled">
            Namespace
            <input
              class="field"
              placeholder={namespace ?? 'none'}
              value={space}
              onInput={event => setSpace(event.currentTarget.value)}
            />
          </label>
        </div>
        <button type="submit" class="button main">
          Remember
        </button>
      </form>
    </Card>
  )
}

/** False if it failed, which is reported. */
export async function forget(name: string, id: Id): Promise<boolean> {
  try {
    await call('memory', name, 'remove', { id })
    changes.value++
    return true
  } catch (error) {
    report(error)
    return false
  }
}
