// Worker threads in a real page: under content security policies, and when they are ended in the middle of their work.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser, executablePath } from './browser.cases.ts'

/** Runs inside the page: batches on two threads must equal those on one, and a fit must follow. `options` are the engine's. */
function compare(options: string): string {
  return `(async () => {
    const started = []
    const Own = Worker
    window.Worker = class extends Own { constructor(url) { super(url); started.push(String(url).slice(0, 5)) } }
    const { Engine, ExactIndex, ForestIndex, DenseMatrix, Random } = await import('/core/index.mjs')
    const random = new Random(2)
    const drawn = rows => DenseMatrix.from(Array.from({ length: rows }, () => Array.from({ length: 16 }, () => random.normal())))
    const [rows, queries] = [drawn(600), drawn(300)]
    const warnings = []
    const engine = new Engine({ onWarning: message => warnings.push(message), ...${options} })
    const index = await ExactIndex.fit(rows, { engine })
    const one = await index.searchBatch(queries, { k: 3, threads: 1 })
    const two = await index.searchBatch(queries, { k: 3, threads: 2 })
    const wrong = one.rows.filter((row, i) => row !== two.rows[i] || one.distances[i] !== two.distances[i]).length
    const [nearest] = (await ForestIndex.fit(rows, { engine, threads: 2, trees: 4 })).search(rows.row(5), { k: 1 })
    return { shared: engine.shared, of: one.rows.length, wrong, nearest: nearest.id, started: [...new Set(started)], warnings }
  })()`
}

/** Runs inside the page: somebody else ends a worker while it works. */
const lost = `(async () => {
  const started = []
  const Own = Worker
  window.Worker = class extends Own { constructor(url) { super(url); started.push(this) } }
  const { Engine } = await import('/core/index.mjs')
  const { vectorKernels } = await import('/core/internals.mjs')
  const engine = new Engine()
  const [rows, dims] = [4096, 64]
  const place = engine.arena.allocate(Float32Array, rows * dims).pointer
  const out = engine.arena.allocate(Float32Array, rows).pointer
  const jobs = count => Array.from({ length: count }, () => [place, place, rows, dims, out])
  const run = engine.pool(2).run(vectorKernels, 'dotScan', jobs(200000))
  setTimeout(() => started[1].terminate(), 300)
  const error = await run.catch(error => error)
  const next = await engine.pool(2).run(vectorKernels, 'dotScan', jobs(10))
  const closed = engine.pool(2).run(vectorKernels, 'dotScan', jobs(200000)).catch(error => error)
  setTimeout(() => engine.close(), 300)
  return { code: error.code, next: next.length, closed: (await closed).code, after: (await engine.pool(2).run(vectorKernels, 'dotScan', jobs(10))).length }
})()`

const wasm = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"

describe.skipIf(!executablePath)('worker threads in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await Browser.start()
  })
  afterAll(() => browser?.close())

  const right = { shared: true, of: 900, wrong: 0, nearest: 5, warnings: [] }

  it.each([
    ['no policy', undefined, '{}', 'blob:'],
    ['worker-src blob:', `${wasm}; worker-src 'self' blob:`, '{}', 'blob:'],
    ["worker-src 'self', and a file", `${wasm}; worker-src 'self'`, "{ workerUrl: '/core/worker.mjs' }", '/core'],
    ["default-src 'self', and a file", wasm, "{ workerUrl: new URL('/core/worker.mjs', location.href) }", 'http:'],
  ])('are started under %s', async (_, csp, options, started) => {
    const headers = { isolated: true, ...(csp && { csp }) }
    expect(await browser.run(headers, compare(options))).toEqual({ ...right, started: [started] })
  })

  it('leave the work to the page where the policy forbids them: no wrong answers, no hanging, one warning', async () => {
    expect(await browser.run({ isolated: true, csp: wasm }, compare('{}'))).toEqual({
      ...right,
      started: ['blob:'],
      warnings: [expect.stringContaining('No worker thread could be started, so everything runs on this thread')],
    })
  })

  it('are not to blame where the policy forbids WebAssembly: the error says so', async () => {
    const tried = `import('/core/index.mjs').then(({ ExactIndex }) => ExactIndex.fit([[1]])).then(index => index.search([1], { k: 1 })).catch(error => [error.code, error.message, error.hint])`
    expect(await browser.run({ csp: "default-src 'self'; script-src 'self'" }, tried)).toEqual([
      ...['UNSUPPORTED', "this page's content security policy forbids WebAssembly"],
      expect.stringContaining("'wasm-unsafe-eval'"),
    ])
  })

  it('that are ended in the middle of their work fail the call, and the next one works', async () => {
    expect(await browser.run({ isolated: true }, lost)).toEqual({
      ...{ code: 'WORKER_LOST', next: 10, closed: 'ABORTED', after: 10 },
    })
  })
})
