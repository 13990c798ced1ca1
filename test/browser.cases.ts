// What the browser tests share: Chromium, and a server whose pages have the headers that a test asks for.

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type BrowserContext, chromium, type Page } from 'playwright-core'

const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
export const executablePath = places.find(path => path && existsSync(path))
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

/** The headers of a page. */
export interface PageHeaders {
  /** Isolated from other origins, so that it may share memory. */
  readonly isolated?: boolean
  /** The content security policy. */
  readonly csp?: string
}

export class Browser {
  readonly #server: Server
  readonly #profile: string
  readonly #context: BrowserContext
  readonly #page: Page

  private constructor(server: Server, profile: string, context: BrowserContext, page: Page) {
    this.#server = server
    this.#profile = profile
    this.#context = context
    this.#page = page
  }

  static async start(): Promise<Browser> {
    const server = createServer((request, response) => void serve(new URL(request.url ?? '', 'http://here'), response))
    await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
    const profile = mkdtempSync(join(tmpdir(), 'vicinal-browser-'))
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: executablePath ?? '',
      args: quiet,
    })
    return new Browser(server, profile, context, await context.newPage())
  }

  /** Opens an empty page with these headers and runs a function's text in it. */
  async run(headers: PageHeaders, source: string): Promise<unknown> {
    const { port } = this.#server.address() as AddressInfo // it listens to a port
    const query = new URLSearchParams({ ...(headers.isolated && { isolated: 'yes' }), csp: headers.csp ?? '' })
    await this.#page.goto(`http://127.0.0.1:${port}/page?${query}`)
    return this.#page.evaluate(source)
  }

  async close(): Promise<void> {
    await this.#context.close()
    this.#server.close()
    rmSync(this.#profile, { recursive: true, force: true })
  }
}

async function serve({ pathname, searchParams }: URL, response: ServerResponse): Promise<unknown> {
  const [, module] = pathname.match(/^\/core\/([\w./-]+\.mjs)$/) ?? []
  const isPage = pathname === '/page'
  // Scripts need these too: an isolated page starts no worker whose script comes without.
  if (!isPage || searchParams.has('isolated')) {
    response.setHeader('cross-origin-opener-policy', 'same-origin')
    response.setHeader('cross-origin-embedder-policy', 'require-corp')
  }
  if (module) return response.setHeader('content-type', 'text/javascript').end(await readFile(join(built, module)))
  if (pathname === '/rows.txt.gz')
    return response.setHeader('content-type', 'application/octet-stream').end(gzipSync(xmc))
  if (!isPage) return response.writeHead(404).end()
  const csp = searchParams.get('csp')
  if (csp) response.setHeader('content-security-policy', csp)
  return response.setHeader('content-type', 'text/html').end('<!doctype html><title>empty</title>')
}

/** Runs inside the page: data for every method, and `fits`, which make it and ask it. */
export const everyMethod = `
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
      const tree = memory.MemoryTree.create({ engine, clock: () => 0 })
      many.texts.forEach((text, i) => tree.insert(text, i))
      return tree
    }, tree => tree.query('word3 word14', { k: 3 }).map(({ id, score }) => [id, score])],
  }`
