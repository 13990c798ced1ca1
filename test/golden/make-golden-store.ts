// Writes the golden store: a snapshot, operations after it, and the exact answers to some queries. As left by a process that closed it.

import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemoryStore } from '@vicinal/server'

const golden = join(import.meta.dirname, '..', '..', 'packages', 'server', 'src', 'store', 'golden')
const keys = ['ships of the baltic sea', 'cooking with mushrooms', 'birds of the northern forests', 'ships in bottles']

/** `folder` is named after the format of stores. */
export async function makeGoldenStore(): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'vicinal-'))
  const path = join(scratch, 'store')
  const store = await MemoryStore.create(path, { trees: 2 })
  for (const [i, key] of keys.entries())
    await store.insert(key, { note: i, tags: ['a', 'b'] }, i % 2 ? { id: `m${i}` } : {})
  await store.snapshot()
  for (const key of keys) {
    const [hit] = store.query(key, { k: 1 })
    if (hit) await store.update(hit, key.includes('ships') ? 1 : 0.25)
  }
  await store.insert('a red door', null, { id: 'door' })
  await store.remove('m1')
  const answers = answersOf(store)
  await store.close()
  const { format } = JSON.parse((await readFile(join(path, 'store.json'), 'utf8')).split('\n')[0] ?? '')
  const folder = join(golden, `v${format}`)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await cp(path, join(folder, 'store'), { recursive: true })
  await writeFile(join(folder, 'answers.json'), `${JSON.stringify(answers, null, 1)}\n`)
  await rm(scratch, { recursive: true })
  process.stderr.write(`wrote a store to ${folder}\n`)
}

function answersOf(store: MemoryStore): object {
  const texts = Array.from(store.memories(), memory => JSON.stringify(memory)).sort()
  const queries = [...keys, 'the red sea'].map(key => ({ key, hits: store.query(key, { k: 3 }) }))
  return { size: store.size, memories: texts.map(text => JSON.parse(text)), queries }
}
