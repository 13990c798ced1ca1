import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Engine } from '../kernels/engine.ts'
import type { DenseIndex } from './dense-index.ts'
import { ExactIndex } from './exact/exact-index.ts'
import { ForestIndex } from './forest/forest-index.ts'
import { clustered } from './index-oracle.cases.ts'
import { loadIndex } from './registry.ts'

const rows = clustered(2, 20_000)
const engine = new Engine()
let folder: string
const saved: { name: string; path: string; index: DenseIndex }[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-'))
  const made: [string, DenseIndex][] = [
    ['exact', await ExactIndex.fit(rows, { engine })],
    ['forest', await ForestIndex.fit(rows, { engine, trees: 4, walk: 20, rerank: 10 })],
    ['codes', await ForestIndex.fit(rows, { engine, keep: 'codes', trees: 4, walk: 20, rerank: 10 })],
  ]
  for (const [name, index] of made) {
    const path = join(folder, name)
    await index.save(path)
    saved.push({ name, path, index })
  }
})
afterAll(async () => {
  for (const { index } of saved) index.free()
  await engine.close()
  await rm(folder, { recursive: true })
})

const load = (name: string, path: string, into: Engine): Promise<DenseIndex> =>
  (name === 'exact' ? ExactIndex : ForestIndex).load(path, { engine: into })

describe.each(['exact', 'forest', 'codes'])('loading a file of %s', name => {
  const one = () => saved.find(each => each.name === name) as (typeof saved)[number]

  it.each([true, false])('answers as before, can be changed and saved (shared memory: %s)', async shared => {
    const { path, index } = one()
    const into = new Engine({ shared })
    const same = await load(name, path, into)
    for (let i = 0; i < 20; i++) expect(same.search(rows.row(i))).toEqual(index.search(rows.row(i)))
    expect(Buffer.from(same.toBytes()).equals(await readFile(path))).toBe(true)
    same.remove(3)
    same.add(rows.row(3), 'new')
    expect(same.search(rows.row(3), { k: 1 })).toMatchObject([{ id: 'new' }])
    same.free()
    expect(into.arena.usedBytes).toBe(0)
  })

  it('takes no more of the engine memory than the index itself', async () => {
    const into = new Engine()
    const same = await load(name, one().path, into)
    expect(into.arena.bytes - into.arena.usedBytes).toBeLessThan(2 ** 20) // nothing large was freed on the way
    same.free()
  })

  it('by its kind gives the same, and a damaged file leaves nothing behind', async () => {
    const { path, index } = one()
    const into = new Engine()
    const { index: same } = await loadIndex(path, { engine: into })
    expect(same.contents()).toEqual(index.contents())
    same.free()
    const bytes = await readFile(path)
    bytes[bytes.length - 5] ^= 1
    await writeFile(join(folder, 'damaged'), bytes)
    const damaged = join(folder, 'damaged')
    await expect(loadIndex(damaged, { engine: into })).rejects.toMatchObject({ code: 'MODEL_DAMAGED' })
    await expect(load(name, damaged, into)).rejects.toMatchObject({ code: 'MODEL_DAMAGED' })
    expect(into.arena.usedBytes).toBe(0)
  })

  it('says so where the memory is too small, and leaves nothing behind', async () => {
    const into = new Engine({ maxBytes: 2 ** 20, shared: true })
    await expect(load(name, one().path, into)).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' })
    expect(into.arena.usedBytes).toBe(0)
  })
})
