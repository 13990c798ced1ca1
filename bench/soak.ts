// A store used for a long time: node tools/run.mjs bench/soak.ts [--operations 1000000] [--folder where the store goes]
// A memory of limited capacity gets inserts, rewards, changes, removals and queries, with snapshots as usual. Memory, disk and the speed
// are noted along the way: what does not leak stays flat.

import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Random } from '@vicinal/core'
import { MemoryStore } from '@vicinal/server'
import { keepResult, short } from './measure.ts'

const { values } = parseArgs({
  options: { folder: { type: 'string', default: tmpdir() }, operations: { type: 'string', default: '1000000' } },
})
const operations = Number(values.operations)
const capacity = 20_000
const group = 500
const points = 20
const folder = mkdtempSync(join(values.folder, 'vicinal-soak-'))
const random = new Random(5)
const word = () => `word${Math.floor(30_000 * random.float() ** 3)}`
const text = () => Array.from({ length: 8 }, word).join(' ')

let queries = 0

/** One operation, as its promise. */
function operate(store: MemoryStore, i: number): Promise<unknown> {
  const kind = random.float()
  if (kind < 0.6) return store.insert(text(), { row: i, note: text() }, { metadata: { at: i } })
  queries++
  const [hit] = store.query(text(), { k: 3, explore: 0.1 })
  if (!hit) return store.insert(text(), null)
  if (kind < 0.8) return store.update(hit, random.float())
  if (kind < 0.9) return store.update(hit.id, { value: { changed: i } })
  if (kind < 0.95) return store.upsert(text(), { replaced: i }, { id: hit.id })
  return store.remove(hit.id)
}

async function diskBytes(path: string): Promise<number> {
  const names = await readdir(path)
  const sizes = await Promise.all(
    names.map(async name => (await stat(join(path, name)).catch(() => undefined))?.size ?? 0),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

const megabytes = (bytes: number) => short(bytes / 2 ** 20)

const store = await MemoryStore.create(join(folder, 'store'), { capacity })
const curve: Record<string, number>[] = []
let begun = performance.now()
try {
  for (let done = 0; done < operations; ) {
    await Promise.all(Array.from({ length: group }, () => operate(store, done++)))
    if (done % (operations / points) !== 0) continue
    await store.snapshot() // so that no point falls into one, whose buffers would count
    globalThis.gc?.()
    const { rss, heapUsed, arrayBuffers } = process.memoryUsage()
    const { routerBytes, indexBytes, memories, snapshotFailure } = await store.stats()
    if (snapshotFailure) throw new Error(snapshotFailure)
    const seconds = (performance.now() - begun) / 1000
    const point = {
      ...{ operations: done, memories, rssMegabytes: megabytes(rss), heapMegabytes: megabytes(heapUsed) },
      ...{ buffersMegabytes: megabytes(arrayBuffers), diskMegabytes: megabytes(await diskBytes(store.path)) },
      ...{ routerMegabytes: megabytes(routerBytes), indexMegabytes: megabytes(indexBytes) },
      perSecond: Math.round(operations / points / seconds),
    }
    curve.push(point)
    process.stderr.write(`${JSON.stringify(point)}\n`)
    begun = performance.now()
  }
  const faults = await store.check()
  keepResult('soak', { operations, queries, capacity, faults: faults.length, curve })
  if (faults.length > 0) throw new Error(faults.join(', '))
} finally {
  await store.close()
  rmSync(folder, { recursive: true })
}
