// Small stores to be damaged: their files as bytes, and what a store may hold afterwards.

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EngineError } from '@vicinal/core'
import { MemoryStore } from '@vicinal/server'

export interface StoreSample {
  readonly name: string
  readonly files: ReadonlyMap<string, Buffer>
  /** What the store holds after each of its changes, the last one last. */
  readonly history: readonly string[]
  /** Bytes of a file that were ever written: beyond are zeros. */
  used(file: string): number
}

/** Everything that a store holds, in an order that means nothing. */
export function contentsOf(store: MemoryStore): string {
  const memories = Array.from(store.memories(), memory => JSON.stringify(memory))
  return memories.sort().join('\n')
}

/** One that was closed, one whose process was killed, and one whose machine lost power with the mark of the last change. */
export async function makeSamples(): Promise<StoreSample[]> {
  const folder = await mkdtemp(join(tmpdir(), 'vicinal-'))
  const path = join(folder, 'store')
  const history: string[] = []
  const store = await MemoryStore.create(path, { trees: 2 })
  const told = async (change: Promise<unknown>) => {
    await change
    history.push(contentsOf(store))
  }
  await told(store.insert('ships of the baltic sea', { kind: 'note', tags: ['a', 'b'] }))
  await told(store.insert('cooking with mushrooms', 'recipe', { id: 'm' }))
  await store.snapshot()
  await told(store.insert('birds of the forests', [1, 2, 3]))
  const [hit] = store.query('a baltic ship', { k: 1 })
  if (hit) await told(store.update(hit, 1))
  await told(store.insert('ships in bottles', null, { id: 'last' }))
  const killed = await filesOf(path)
  await store.close()
  const closed = await filesOf(path)
  await rm(folder, { recursive: true })
  return [
    sample('closed', closed, history),
    sample('killed', killed, history),
    sample('without power', withoutMark(killed), history),
  ]
}

function sample(name: string, files: Map<string, Buffer>, history: readonly string[]): StoreSample {
  const used = (file: string) => (files.get(file)?.findLastIndex(byte => byte !== 0) ?? -1) + 1
  return { name, files, history, used }
}

async function filesOf(path: string): Promise<Map<string, Buffer>> {
  const names = (await readdir(path)).filter(name => !name.endsWith('.sock'))
  return new Map(await Promise.all(names.map(async name => [name, await readFile(join(path, name))] as const)))
}

function withoutMark(files: Map<string, Buffer>): Map<string, Buffer> {
  const log = 'log-3.bin'
  const bytes = Buffer.from(files.get(log) as Buffer)
  // Marks are written in turn: that of the third change since the snapshot is in the first place.
  bytes.fill(0, 512, 544)
  return new Map([...files, [log, bytes]])
}

/** Makes the folder hold these files and nothing else. */
export async function layOut(path: string, files: ReadonlyMap<string, Buffer>): Promise<void> {
  await rm(path, { recursive: true, force: true })
  await mkdir(path, { recursive: true })
  await Promise.all([...files].map(([name, bytes]) => writeFile(join(path, name), bytes)))
}

/** What opening gives: what the store holds, 'refused', or what went wrong. A writer also writes, and checks. */
export async function tryStore(path: string, readOnly: boolean): Promise<string> {
  let store: MemoryStore | undefined
  try {
    store = await MemoryStore.open(path, { readOnly })
    const contents = contentsOf(store)
    if (!readOnly) {
      await store.insert('after all that', 1, { id: 'after' })
      await store.snapshot()
      const faults = await store.check()
      if (faults.length > 0) return `faults: ${faults.join(', ')}`
    }
    return contents
  } catch (error) {
    return error instanceof EngineError ? 'refused' : `threw ${error}`
  } finally {
    await store?.close().catch(() => {})
  }
}
