// A process upserts and removes, with snapshots all the time, and is killed at any moment: see crash-rounds.cases.ts.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Random } from '@vicinal/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeScript } from '../store/child-store.cases.ts'
import { callers, crashOften, rounds } from '../store/crash-rounds.cases.ts'
import { CollectionStore } from './collection-store.ts'

const writer = `
  import { writeSync } from 'node:fs'
  const [, , path, round] = process.argv
  const store = await CollectionStore.open(path, { snapshotOperations: 25 })
  const ids = store.list().map(({ id }) => id)
  let calls = 0
  function call() {
    const at = Math.floor(Math.random() * ids.length)
    if (ids.length > 5 && Math.random() < 0.3) {
      const [id] = ids.splice(at, 1)
      return [{ do: 'remove', id }, () => store.remove(id)]
    }
    const id = ids.length < 150 && Math.random() < 0.6 ? round + '-' + calls : ids[at] ?? 'first'
    if (!ids.includes(id)) ids.push(id)
    const document = { id, text: words(), vector: [Math.random(), 1, calls], metadata: { call: calls } }
    return [{ do: 'upsert', document }, () => store.upsert(document)]
  }
${callers}`

interface Told {
  readonly id: string
  readonly text: string
  readonly vector: readonly number[]
}
type Line = { readonly do: 'upsert'; readonly document: Told } | { readonly do: 'remove'; readonly id: string }

let folder: string
let path: string
let script: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-'))
  path = join(folder, 'notes')
  script = await writeScript(folder, writer)
  await (await CollectionStore.create(path, { metric: 'euclidean' })).close()
})
afterAll(() => rm(folder, { recursive: true }))

it(`loses no acknowledged document and shows none half-written after ${rounds} kills`, {
  timeout: 600_000,
}, async () => {
  const expected = new Map<string, Told>()
  await crashOften<CollectionStore, Line>({
    script,
    path,
    random: new Random(11),
    open: () => CollectionStore.open(path),
    make(line) {
      if (line.do === 'remove') expected.delete(line.id)
      else expected.set(line.document.id, line.document)
    },
    compare(store) {
      const found = store.list().map(({ id }) => {
        const document = store.get(id)
        return [id, { ...document, vector: Array.from(document?.vector ?? []) }] as const
      })
      const wanted = Array.from(
        expected,
        ([id, document]) => [id, { ...document, vector: document.vector.map(Math.fround) }] as const,
      )
      expect(new Map<unknown, unknown>(found)).toEqual(new Map<unknown, unknown>(wanted))
    },
  })
})
