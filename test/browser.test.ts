// The built core in a real page: kernels, threads and a reader, with shared memory and without; every method without.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser, everyMethod, executablePath } from './browser.cases.ts'

/** Runs inside the page, as text: what the engine answers there. */
const tryCore = `(async () => {
  const core = await import('/core/index.mjs')
  const data = await import('/core/data.mjs')
  const engine = new core.Engine()
  const { vectorKernels } = await import('/core/kernels.mjs')
  const { arena } = engine
  const kernels = engine.kernels(vectorKernels)
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

/** Runs inside a page: which methods answer otherwise after they were saved and loaded, in an engine of their own. */
const saveAndLoad = `(async () => {
  ${everyMethod}
  const wrong = []
  for (const [name, [type, fit, answer]] of Object.entries(fits)) {
    try {
      const made = await fit(new core.Engine())
      const bytes = new Uint8Array(await new Blob(core.encodeModel(made.contents())).arrayBuffer())
      const loaded = type.fromContents(core.decodeModel(bytes), type === margin.NetIndex || type === margin.MarginClassifier ? {} : { engine: new core.Engine() })
      const [own, its] = [made, loaded].map(one => JSON.stringify(answer(one)))
      if (own !== its || own === '[]') wrong.push([name, own, its])
    } catch (error) {
      wrong.push([name, String(error.stack)])
    }
  }
  return { shared: new core.Engine().shared, methods: Object.keys(fits).length, wrong }
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

  it('saves and loads every method on a page that is not isolated', async () => {
    expect(await browser.run({}, saveAndLoad)).toEqual({ shared: false, methods: 11, wrong: [] })
  }, 120_000)
})
