// A process is killed while it writes a snapshot of a store large enough that this takes many turns, with changes between them: inserts and
// removals, so that logs are dropped and holes are closed too. Whatever was acknowledged must be there, for memories and for collections.

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Random } from '@vicinal/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CollectionStore } from '../collection/collection-store.ts'
import { startChild, writeScript } from './child-store.cases.ts'
import { MemoryStore } from './memory-store.ts'

const rounds = 40
const items = 8000

/** Snapshots one after the other; inserts, and forgets what it inserted before, meanwhile. Says what was acknowledged. */
const writer = `
  import { writeSync } from 'node:fs'
  const [, , kind, path, round] = process.argv
  const kinds = { memory: MemoryStore, collection: CollectionStore }
  const store = await kinds[kind].open(path, { snapshotOperations: 1e9 })
  const tell = line => writeSync(1, JSON.stringify(line) + '\\n')
  const text = i => 'word' + (i % 97) + ' word' + (i % 89) + ' of ' + round + ' number ' + i
  const put = (id, i) =>
    kind === 'memory' ? store.insert(text(i), { i }, { id }) : store.upsert({ id, text: text(i), vector: [i % 7, 1] })
  async function work(client) {
    for (let i = 0; ; i++) {
      const id = round + '-' + client + '-' + i
      await put(id, i)
      tell({ put: id })
      if (i % 3 !== 2) continue
      tell({ removing: id })
      await store.remove(id)
      tell({ removed: id })
    }
  }
  for (let client = 0; client < 8; client++) work(client)
  for (;;) {
    tell({ snapshot: 'begins' })
    await store.snapshot()
    tell({ snapshot: 'done' })
  }`

interface Opened {
  ids(): unknown[]
  check(): Promise<string[]>
  close(): Promise<void>
}

interface Kind {
  create(path: string): Promise<void>
  open(path: string): Promise<Opened>
}

const kinds: Record<string, Kind> = {
  memory: {
    async create(path) {
      const store = await MemoryStore.create(path, { snapshotOperations: 1e9 })
      await store.insertMany(
        Array.from({ length: items }, (_, i) => ({ key: `note ${i} word${i % 97}`, value: i, id: i })),
      )
      await store.close()
    },
    async open(path) {
      const store = await MemoryStore.open(path)
      return {
        ids: () => Array.from(store.memories(), ({ id }) => id),
        check: () => store.check(),
        close: () => store.close(),
      }
    },
  },
  collection: {
    async create(path) {
      const store = await CollectionStore.create(path, { snapshotOperations: 1e9 })
      await store.upsertMany(
        Array.from({ length: items }, (_, i) => ({ id: i, text: `note ${i} word${i % 97}`, vector: [i, 1] })),
      )
      await store.close()
    },
    async open(path) {
      const store = await CollectionStore.open(path)
      return {
        ids: () => store.list().map(({ id }) => id),
        check: () => store.check(),
        close: () => store.close(),
      }
    },
  },
}

interface Told {
  readonly put?: string
  readonly removing?: string
  readonly removed?: string
  readonly snapshot?: string
}

function linesOf(output: string): Told[] {
  const whole = output.slice(0, output.lastIndexOf('\n') + 1)
  return whole
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
}

let folder: string
let script: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-'))
  script = await writeScript(folder, writer)
})
afterAll(() => rm(folder, { recursive: true }))

describe.each(Object.entries(kinds))('the store of a %s', (name, kind) => {
  it(`loses nothing acknowledged if it is killed during a snapshot, ${rounds} times`, {
    timeout: 600_000,
  }, async () => {
    const path = join(folder, name)
    await kind.create(path)
    const random = new Random(13)
    const [kept, gone, unsure] = [new Set<unknown>(), new Set<unknown>(), new Set<unknown>()]
    for (let i = 0; i < items; i++) kept.add(i)
    let during = 0
    for (let round = 0; round < rounds; round++) {
      const child = startChild(process.execPath, [script, name, path, `${round}`])
      await child.ready
      await pause(300 * random.float())
      child.process.kill('SIGKILL')
      const lines = linesOf(await child.output)
      expect(child.errors()).toBe('')
      if (lines.findLast(({ snapshot }) => snapshot)?.snapshot === 'begins') during++
      for (const { put, removing, removed } of lines) {
        if (put !== undefined) kept.add(put)
        if (removing !== undefined) unsure.add(removing)
        if (removed !== undefined) gone.add(removed)
      }
      const store = await kind.open(path)
      const found = new Set(store.ids())
      for (const id of kept) if (!found.has(id) && !unsure.has(id)) expect.fail(`${id} is lost`)
      for (const id of gone) if (found.has(id)) expect.fail(`${id} is back`)
      if (round % 8 === 0) expect(await store.check()).toEqual([])
      await store.close()
      const files = (await readdir(path)).filter(file => file.startsWith('snapshot-') || file.endsWith('.tmp'))
      expect(files).toHaveLength(1)
    }
    expect(during).toBeGreaterThan(rounds / 4)
  })
})
