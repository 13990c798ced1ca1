// The built core in a real page: kernels, threads and a reader, with shared memory and without; every method without.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser, everyMethod, executablePath } from './browser.cases.ts'

/** Runs inside the page, as text: what the engine answers there. */
const tryCore = `(async () => {
  const core = await import('/core/index.mjs')
  const data = await import('/core/data.mjs')
  const engine = new core.Engine()
  const { vectorKernels } = await import('/core/internals.mjs')
  const { arena } = engine
  const kernels = engine.exactKernels(vectorKernels)
  const query = arena.place(Float32Array.of(0, 0, 0, 0, 0))
  const rows = arena.place(Float32Array.of(3, 4, 0, 0, 0, 0, 0, 0, 0, 2))
  const out = arena.allocate(Float32Array, 2)
  kernels.l2Scan(query.pointer, rows.pointer, 2, 5, out.pointer)
  const scanned = [...out.array]
  out.array.fill(0)
  const pool = engine.pool(2)
  await pool.run(vectorKernels, 'l2Scan', [0, 1].map(i => [query.pointer, rows.pointer + 20 * i, 1, 5, out.pointer + 4 * i]))
  await engine.close()
  const bytes = new Uint8Array(await (await fetch('/rows.txt.gz')).arrayBuffer())
  const read = await data.readDataset(bytes, { format: 'xmc' })
  return {
    shared: engine.shared,
    threads: pool.threads,
    scanned,
    pooled: [...out.array],
    rows: read.rows,
    labels: [...read.labels.indices],
    features: read.features.columns,
  }
})()`

/** Runs inside a page: which methods answer otherwise after they were kept in IndexedDB or in a file of the page, and loaded. */
const saveAndLoad = `(async () => {
  ${everyMethod}
  const asked = request => new Promise((done, failed) => {
    request.onsuccess = () => done(request.result)
    request.onerror = () => failed(request.error)
  })
  const opening = indexedDB.open('models', 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore('models')
  const models = (await asked(opening)).transaction.bind(opening.result, 'models')
  const folder = await navigator.storage.getDirectory()
  const wrong = []
  for (const { name, fit, fromBytes, answer } of samples) {
    try {
      const made = await fit(new core.Engine())
      await asked(models('readwrite').objectStore('models').put(made.toBytes(), name))
      const kept = await fromBytes(await asked(models('readonly').objectStore('models').get(name)), new core.Engine())
      const file = await folder.getFileHandle(name, { create: true })
      const writing = await file.createWritable()
      await writing.write(made.toBytes())
      await writing.close()
      const filed = await fromBytes(await (await file.getFile()).arrayBuffer(), new core.Engine())
      const [own, ...others] = [made, kept, filed].map(one => JSON.stringify(answer(one)))
      if (own === '[]' || others.some(other => other !== own)) wrong.push([name, own, ...others])
    } catch (error) {
      wrong.push([name, String(error.stack)])
    }
  }
  return { shared: new core.Engine().shared, methods: samples.length, wrong }
})()`

/** Runs inside a page: a collection that is kept in the page's own file system, and opened again from it. */
const keepCollection = `(async () => {
  const { Collection } = await import('/core/collection.mjs')
  const notes = Collection.create({ boosts: { title: 2 } })
  await notes.upsertMany([
    { id: 'a', text: 'the ferry to Tallinn', vector: [1, 0], metadata: { year: 2024 } },
    { id: 'b', fields: { title: 'Baltic ferry' }, vector: [0, 1], metadata: { year: 1990 } },
    { id: 'c', text: 'ice' },
  ])
  await notes.upsert({ id: 'c', text: 'an icebreaker', vector: [1, 1], metadata: { year: 2001 } })
  const folder = await navigator.storage.getDirectory()
  const file = await folder.getFileHandle('notes.collection', { create: true })
  const writer = await file.createWritable()
  await writer.write(notes.toBytes())
  await writer.close()
  const bytes = new Uint8Array(await (await file.getFile()).arrayBuffer())
  const same = await Collection.fromBytes(bytes)
  const answers = []
  for (const one of [notes, same]) {
    const found = [
      await one.search({ text: 'ferry' }),
      await one.search({ text: 'icebraker', typos: true }),
      await one.search({ vector: [1, 0], filter: { year: { gte: 2000 } } }),
      await one.search({ text: 'tallinn', vector: [0, 1], fusion: 'ranks', k: 1 }),
    ]
    answers.push(found.map(hits => hits.map(hit => hit.id).join()))
  }
  same.remove('a')
  return { answers, left: [notes.count(), same.count()] }
})()`

describe.skipIf(!executablePath)('the built core in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await Browser.start()
  })
  afterAll(() => browser?.close())

  it.each([
    [true, 2],
    [false, 1],
  ])('computes and reads, isolated from other origins: %s, so that it has %i threads', async (isolated, threads) => {
    expect(await browser.run({ isolated }, tryCore)).toEqual({
      shared: isolated,
      threads,
      scanned: [25, 4],
      pooled: [25, 4],
      rows: 2,
      labels: [0, 2, 1],
      features: 4,
    })
  })

  it.each([true, false])('keeps a collection in the file system of the page, isolated: %s', async isolated => {
    const found = ['a,b', 'c', 'a,c', 'a']
    expect(await browser.run({ isolated }, keepCollection)).toEqual({ answers: [found, found], left: [3, 2] })
  })

  it('keeps every method in IndexedDB and in files of the page, one that is not isolated', async () => {
    expect(await browser.run({}, saveAndLoad)).toEqual({ shared: false, methods: 11, wrong: [] })
  }, 120_000)
})
