import { describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { Random } from '../../random.ts'
import { Collection } from '../collection.ts'

/** Vectors around a few centers. */
function vectors(count: number, dims: number, seed: number): Float32Array[] {
  const random = new Random(seed)
  const centers = Array.from({ length: 20 }, () => Float32Array.from({ length: dims }, () => 3 * random.normal()))
  return Array.from({ length: count }, () => {
    const center = centers[random.below(20)] as Float32Array
    return center.map(x => x + random.normal())
  })
}

const dims = 16
const options = { metric: 'euclidean', forestFrom: 1000, forest: { trees: 10, targetRecall: 0.9 } } as const

async function recallOf(notes: Collection, exact: Collection, queries: readonly Float32Array[]): Promise<number> {
  let found = 0
  for (const vector of queries) {
    const [own, truth] = await Promise.all([notes, exact].map(one => one.search({ vector, k: 10 })))
    const ids = new Set(truth?.map(({ id }) => id))
    found += own?.filter(({ id }) => ids.has(id)).length ?? 0
  }
  return found / (10 * queries.length)
}

describe('the vectors of a collection', () => {
  it('are searched by a forest once there are many, grown in the background', async () => {
    const notes = Collection.create(options)
    const all = vectors(1500, dims, 1)
    for (const [id, vector] of all.slice(0, 1000).entries()) await notes.upsert({ id, vector })
    expect(notes.stats()).toMatchObject({ index: 'exact', isBuilding: true, builds: 0 })
    // Changes that the forest has to catch up with.
    for (const [id, vector] of all.slice(1000).entries()) await notes.upsert({ id: 1000 + id, vector })
    for (let id = 0; id < 200; id++) notes.remove(id)
    await notes.upsert({ id: 300, vector: all[0] as Float32Array })
    await notes.settled()
    // 500 added, 200 removed, and one replaced: those count as changes of the new forest.
    expect(notes.stats()).toMatchObject({ index: 'forest', isBuilding: false, builds: 1, vectors: 1300 })
    expect(notes.stats().changesSinceBuild).toBe(702)
    expect(notes.stats().building).toBeUndefined()
    const [nearest] = await notes.search({ vector: all[0] as Float32Array, k: 1 })
    expect(nearest).toMatchObject({ id: 300, distance: 0 })
    const exact = Collection.create({ ...options, forestFrom: false })
    await exact.upsertMany(notes.list().map(({ id }) => notes.get(id) as never))
    // Measured: 1, perhaps because so few rows are all compared.
    expect(await recallOf(notes, exact, vectors(100, dims, 2))).toBeGreaterThan(0.88)
    const same = await Collection.fromBytes(notes.toBytes())
    expect(same.stats()).toMatchObject({ index: 'forest', vectors: 1300 })
    const vector = all[700] as Float32Array
    expect(await same.search({ vector, k: 5 })).toEqual(await notes.search({ vector, k: 5 }))
  })

  it('are found with a filter, all that pass if there are no more', async () => {
    const notes = Collection.create<{ place: number }>(options)
    await notes.upsertMany(vectors(1200, dims, 3).map((vector, id) => ({ id, vector, metadata: { place: id % 400 } })))
    await notes.settled()
    const [vector = []] = vectors(1, dims, 4)
    expect((await notes.search({ vector, filter: { place: 7 } })).map(({ id }) => id).sort()).toEqual([407, 7, 807])
    await notes.upsert({ id: 'new', vector, metadata: { place: 7 } })
    expect((await notes.search({ vector, filter: { place: 7 } })).map(({ id }) => id)[0]).toBe('new')
    expect(await notes.search({ vector, k: 500, filter: { place: { lt: 100 } } })).toHaveLength(301)
  })

  it('get another forest if they changed much while one was grown, and nothing changes after it', async () => {
    const notes = Collection.create(options)
    const all = vectors(1000, dims, 1)
    for (const [id, vector] of all.entries()) await notes.upsert({ id, vector })
    expect(notes.stats()).toMatchObject({ isBuilding: true, builds: 0 })
    for (let turn = 0; turn < 5; turn++) {
      for (const [id, vector] of vectors(1000, dims, 2 + turn).entries()) await notes.upsert({ id, vector })
    }
    await notes.settled()
    expect(notes.stats()).toMatchObject({ isBuilding: false, builds: 2, changesSinceBuild: 0 })
  })

  it('say how far the forest is that is being grown', async () => {
    const notes = Collection.create(options)
    await notes.upsertMany(vectors(1000, dims, 7).map((vector, id) => ({ id, vector })))
    const seen = new Set<string | undefined>()
    while (notes.stats().isBuilding) {
      const { building } = notes.stats()
      if (building?.total !== undefined) expect(building.done).toBeLessThanOrEqual(building.total)
      seen.add(building?.what)
      await new Promise(resume => setImmediate(resume))
    }
    expect(seen.size).toBeGreaterThan(1)
  })

  it('give back the memory of removed vectors in the background, whether they are compared one by one or in a forest', async () => {
    const engine = new Engine()
    const notes = Collection.create({ ...options, engine })
    // So many numbers that closing holes at once would make callers wait.
    const all = vectors(3000, 600, 9)
    for (const [id, vector] of all.slice(0, 900).entries()) await notes.upsert({ id, vector })
    const before = engine.arena.usedBytes
    // Always the same few: holes are closed, and the next ones are made.
    let isBuilding = false
    for (let turn = 0; turn < 6000; turn++) {
      await notes.upsert({ id: turn % 900, vector: all[turn % 3000] as Float32Array })
      isBuilding ||= notes.stats().isBuilding
      if (turn % 20 === 0) await new Promise(resume => setImmediate(resume))
    }
    await notes.settled()
    expect(isBuilding).toBe(true)
    expect(notes.stats()).toMatchObject({ vectors: 900, index: 'exact', builds: 0 })
    expect(engine.arena.usedBytes).toBeLessThan(6 * before)
    expect(notes.get(899)?.vector).toEqual(all[5399 % 3000])
    for (const [id, vector] of all.entries()) await notes.upsert({ id, vector })
    await notes.settled()
    expect(notes.stats()).toMatchObject({ vectors: 3000, index: 'forest' })
    for (let id = 0; id < 2500; id++) notes.remove(id)
    await notes.settled()
    expect(notes.stats()).toMatchObject({ vectors: 500, index: 'exact', isBuilding: false })
    expect((await notes.search({ vector: all[2700] as Float32Array, k: 1 }))[0]).toMatchObject({
      id: 2700,
      distance: 0,
    })
  })

  it('stay the same to the last bit when the index is rebuilt', async () => {
    const notes = Collection.create({ metric: 'cosine', forestFrom: 1000 })
    const all = vectors(3000, dims, 10)
    for (const [id, vector] of all.slice(0, 999).entries()) await notes.upsert({ id, vector })
    const before = notes.list().map(({ id }) => notes.get(id)?.vector)
    for (const [id, vector] of all.entries()) await notes.upsert({ id: `new ${id}`, vector })
    await notes.settled()
    expect(notes.stats().index).toBe('forest')
    expect(before).toEqual(Array.from({ length: 999 }, (_, id) => notes.get(id)?.vector))
  })

  it('may have another length once all are removed, even while a forest grows', async () => {
    const notes = Collection.create(options)
    await notes.upsertMany(vectors(1000, dims, 8).map((vector, id) => ({ id, vector })))
    expect(notes.stats().isBuilding).toBe(true)
    for (let id = 0; id < 1000; id++) notes.remove(id)
    await notes.settled()
    await notes.upsert({ id: 1, vector: [1, 2] })
    expect(notes.stats()).toMatchObject({ vectors: 1, dims: 2, index: 'exact' })
  })

  it('are found as well after they were replaced ten times over as in a new collection', async () => {
    const [count, size] = [2000, 48]
    const settings = { metric: 'euclidean', forestFrom: 1000, forest: { targetRecall: 0.9 } } as const
    const worn = Collection.create(settings)
    const spread = (from: number, many: number) => {
      const random = new Random(from)
      return Array.from({ length: many }, () => Float32Array.from({ length: size }, () => random.normal()))
    }
    for (let round = 0; round <= 10; round++) {
      await worn.upsertMany(spread(round + 1, count).map((vector, id) => ({ id, vector })))
      for (let id = round; id < count; id += 10) worn.remove(id)
      await new Promise(resume => setTimeout(resume, 0))
    }
    await worn.settled()
    const documents = worn.list().map(({ id }) => ({ id, vector: worn.get(id)?.vector }))
    const [fresh, exact] = [Collection.create(settings), Collection.create({ ...settings, forestFrom: false })]
    await fresh.upsertMany(documents)
    await fresh.settled()
    await exact.upsertMany(documents)
    const queries = spread(100, 100)
    // Measured: 1 and 1 (so few are all compared); the bench has 20,000 vectors.
    expect(await recallOf(worn, exact, queries)).toBeGreaterThan((await recallOf(fresh, exact, queries)) - 0.02)
  }, 60_000)

  it('give their memory back when the collection is freed while a forest grows', async () => {
    const engine = new Engine()
    const notes = Collection.create({ ...options, engine })
    await notes.upsertMany(vectors(1500, dims, 5).map((vector, id) => ({ id, vector })))
    const settled = notes.settled()
    notes.free()
    await settled
    await new Promise(resume => setTimeout(resume, 50))
    expect(engine.arena.usedBytes).toBe(0)
  })

  it('say why no forest could be grown, and are compared one by one', async () => {
    const engine = new Engine({ maxBytes: 2 ** 20 })
    const notes = Collection.create({ ...options, engine })
    await notes.upsertMany(vectors(1100, dims, 6).map((vector, id) => ({ id, vector })))
    await notes.settled()
    expect(notes.stats()).toMatchObject({ index: 'exact', isBuilding: false })
    expect(notes.stats().buildError).toMatch(/needs .* MiB/)
    expect(await notes.search({ vector: new Float32Array(dims).fill(1), k: 3 })).toHaveLength(3)
  })
})
