// The built core in a real page: kernels, threads and a reader, with shared memory and without; every method without.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser, executablePath } from './browser.cases.ts'

/** Runs inside the page, as text: what the engine answers there. */
const tryCore = `(async () => {
  const core = await import('/core/index.mjs')
  const data = await import('/core/data.mjs')
  const engine = new core.Engine()
  const { arena, kernels } = engine
  const query = arena.place(Float32Array.of(0, 0, 0, 0, 0))
  const rows = arena.place(Float32Array.of(3, 4, 0, 0, 0, 0, 0, 0, 0, 2))
  const out = arena.allocate(Float32Array, 2)
  kernels.l2Scan(query.pointer, rows.pointer, 2, 5, out.pointer)
  const scanned = [...out.array]
  out.array.fill(0)
  const pool = engine.pool(2)
  await pool.run('l2Scan', [0, 1].map(i => [query.pointer, rows.pointer + 20 * i, 1, 5, out.pointer + 4 * i]))
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

/** Runs inside the page: data for every method, and \`fits\`, which make it and ask it. */
const everyMethod = `
  const [core, margin, memory] = await Promise.all(['index', 'margin', 'memory'].map(name => import('/core/' + name + '.mjs')))
  const random = new core.Random(7)
  const pick = n => Math.floor(random.float() * n)
  const dense = core.DenseMatrix.from(Array.from({ length: 1500 }, (_, i) => Array.from({ length: 24 }, () => random.normal() + i % 5)))
  const sparse = core.SparseMatrix.from(Array.from({ length: 2000 }, () => {
    const row = new Map()
    for (let e = 0; e < 12; e++) row.set(Math.floor(random.float() ** 2 * 500), 0.1 + random.float())
    return [...row].sort((a, b) => a[0] - b[0])
  }), 500)
  const labeled = rows => {
    const own = Uint32Array.from({ length: rows }, () => pick(5))
    const word = label => 'word' + (random.float() < 0.5 ? 10 * label + pick(10) : pick(100))
    const texts = Array.from(own, label => Array.from({ length: 8 }, () => word(label)).join(' '))
    const labels = new core.LabelMatrix(rows, 5, Float64Array.from({ length: rows + 1 }, (_, i) => i), own)
    return { name: 'made', rows, texts, labels, labelNames: ['a', 'b', 'c', 'd', 'e'] }
  }
  const [many, few, near] = [labeled(1000), labeled(200), dense.slice(0, 800)]
  const search = index => index.search(index.kind === 'forest' || index.kind === 'exact' || index.kind === 'net' ? dense.row(3) : sparse.row(3), { k: 5 })
  const predict = model => model.predict('word3 word14 word35')
  const fits = {
    ExactIndex: [core.ExactIndex, engine => core.ExactIndex.fit(dense, { engine }), search],
    ForestIndex: [core.ForestIndex, engine => core.ForestIndex.fit(dense, { engine, trees: 6 }), search],
    'ForestIndex, tuned': [core.ForestIndex, engine => core.ForestIndex.fit(near, { engine, targetRecall: 0.9 }), search],
    InvertedIndex: [core.InvertedIndex, engine => core.InvertedIndex.fit(sparse, { engine }), index => index.search(sparse.row(3), { k: 5 })],
    SparseForestIndex: [core.SparseForestIndex, engine => core.SparseForestIndex.fit(sparse, { engine, trees: 8 }), index => index.search(sparse.row(3), { k: 5 })],
    NetIndex: [margin.NetIndex, engine => margin.NetIndex.fit(near), search],
    LcifClassifier: [core.LcifClassifier, engine => core.LcifClassifier.fit(many, { engine }), predict],
    ForestClassifier: [core.ForestClassifier, engine => core.ForestClassifier.fit(many, { engine, trees: 3 }), predict],
    MarginClassifier: [margin.MarginClassifier, engine => margin.MarginClassifier.fit(few, { engine }), predict],
    MemoryClassifier: [memory.MemoryClassifier, engine => memory.MemoryClassifier.fit(many, { engine }), predict],
    MemoryTree: [memory.MemoryTree, async engine => {
      const tree = memory.MemoryTree.create({ engine })
      many.texts.forEach((text, i) => tree.insert(text, i))
      return tree
    }, tree => tree.query('word3 word14', { k: 3 }).map(({ id, score }) => [id, score])],
  }`

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

/**
 * Runs inside a page: the longest time that a timer had to wait while each method was fitted, in relation to the same for a loop that
 * gives way every 40 ms. Other programs on the machine can only make it longer, so the best of some tries counts.
 */
const waits = `(async () => {
  ${everyMethod}
  const longestWait = async work => {
    let [last, longest] = [performance.now(), 0]
    const look = () => {
      const now = performance.now()
      longest = Math.max(longest, now - last)
      last = now
    }
    const timer = setInterval(look, 1)
    await work()
    look()
    clearInterval(timer)
    return longest
  }
  const polite = async () => {
    for (let turn = 0; turn < 10; turn++) {
      for (const end = performance.now() + 40; performance.now() < end;);
      await new Promise(resume => setTimeout(resume, 0))
    }
  }
  const ratios = {}
  for (const [name, [type, fit]] of Object.entries(fits)) {
    if (type === memory.MemoryTree) continue // nothing to wait for: inserts are calls of their own
    ratios[name] = Infinity
    for (let i = 0; i < 5 && ratios[name] > 2; i++) {
      const wait = await longestWait(() => fit(new core.Engine()))
      ratios[name] = Math.min(ratios[name], wait / (await longestWait(polite)))
    }
  }
  return Object.entries(ratios)
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

  it('lets the page react while any method is fitted on its thread', async () => {
    const ratios = (await browser.run({}, waits)) as [string, number][] // as the text above returns them
    expect(ratios).toHaveLength(10)
    expect(ratios.filter(([, ratio]) => ratio > 2)).toEqual([])
  }, 240_000)
})
