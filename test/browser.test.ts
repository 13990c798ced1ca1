// The built core in a real page: kernels, threads and a reader, with shared memory and without.

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = places.find(path => path && existsSync(path))
if (!executablePath) {
  if (process.env.REQUIRE_BROWSER) throw new Error('no Chromium found: set CHROMIUM to its path')
  console.warn('No Chromium found, so the browser tests do not run. Set CHROMIUM to its path to run them.')
}

const built = resolve(import.meta.dirname, '../packages/core/dist')
const xmc = '2 4 3\n0,2 0:0.5 3:1\n1 1:2\n'
// --no-sandbox: test machines run as root; the rest keeps Chromium from calling home.
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Serves one empty page, the built modules and one data file; `/isolated` is isolated from other origins, so may share memory. */
async function serve(): Promise<Server> {
  const files: Record<string, () => Promise<[string, string | Uint8Array]>> = {
    '/rows.txt.gz': async () => ['application/octet-stream', gzipSync(xmc)],
    '/isolated': async () => ['text/html', '<!doctype html><title>isolated</title>'],
    '/plain': async () => ['text/html', '<!doctype html><title>plain</title>'],
  }
  const server = createServer(async (request, response) => {
    const [, module] = request.url?.match(/^\/core\/([\w.-]+\.mjs)$/) ?? []
    const file = module
      ? async (): Promise<[string, Uint8Array]> => ['text/javascript', await readFile(join(built, module))]
      : files[request.url ?? '']
    if (!file) return response.writeHead(404).end()
    const [type, body] = await file()
    response.setHeader('content-type', type)
    if (request.url !== '/plain') {
      response.setHeader('cross-origin-opener-policy', 'same-origin')
      response.setHeader('cross-origin-embedder-policy', 'require-corp')
    }
    return response.end(body)
  })
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  return server
}

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

describe.skipIf(!executablePath)('the built core in a browser', () => {
  let server: Server
  let profile: string
  let context: BrowserContext
  let page: Page

  beforeAll(async () => {
    server = await serve()
    profile = mkdtempSync(join(tmpdir(), 'vicinal-browser-'))
    context = await chromium.launchPersistentContext(profile, { executablePath: executablePath as string, args: quiet })
    page = await context.newPage()
  })
  afterAll(async () => {
    await context?.close()
    server?.close()
    rmSync(profile, { recursive: true, force: true })
  })

  it.each([
    ['/isolated', true, 2],
    ['/plain', false, 1],
  ])('computes and reads at %s: shared memory %s, %i threads', async (path, shared, threads) => {
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)
    expect(await page.evaluate(tryCore)).toEqual({
      shared,
      threads,
      scanned: [25, 4],
      pooled: [25, 4],
      rows: 2,
      labels: [0, 2, 1],
      features: 4,
    })
  })
})
