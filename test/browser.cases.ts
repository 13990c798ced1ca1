// The set-up of browser tests: Chromium, and a server whose pages have the headers that a test asks for.

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { transform } from 'esbuild'
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
export const quiet = [
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

  /** `files`: what the server gives beside pages and the built package, by the path in its addresses. */
  static async start(files: Readonly<Record<string, string>> = {}): Promise<Browser> {
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://here')
      void serve(url, response, files[url.pathname])
    })
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

  /** Runs a text in the page that is open. */
  evaluate(source: string): Promise<unknown> {
    return this.#page.evaluate(source)
  }

  async close(): Promise<void> {
    await this.#context.close()
    this.#server.close()
    rmSync(this.#profile, { recursive: true, force: true })
  }
}

async function serve(
  { pathname, searchParams }: URL,
  response: ServerResponse,
  file: string | undefined,
): Promise<unknown> {
  const [, module] = pathname.match(/^\/core\/([\w./-]+\.mjs)$/) ?? []
  const isPage = pathname === '/page'
  // Scripts need these too: an isolated page starts no worker whose script comes without.
  if (!isPage || searchParams.has('isolated')) {
    response.setHeader('cross-origin-opener-policy', 'same-origin')
    response.setHeader('cross-origin-embedder-policy', 'require-corp')
  }
  if (module) return response.setHeader('content-type', 'text/javascript').end(await readFile(join(built, module)))
  if (file) {
    response.setHeader('content-type', file.endsWith('.mjs') ? 'text/javascript' : 'application/octet-stream')
    return response.end(await readFile(file))
  }
  if (pathname === '/every-method.mjs')
    return response.setHeader('content-type', 'text/javascript').end(await everyMethodScript())
  if (pathname === '/rows.txt.gz')
    return response.setHeader('content-type', 'application/octet-stream').end(gzipSync(xmc))
  if (!isPage) return response.writeHead(404).end()
  const csp = searchParams.get('csp')
  if (csp) response.setHeader('content-security-policy', csp)
  return response.setHeader('content-type', 'text/html').end('<!doctype html><title>empty</title>')
}

async function everyMethodScript(): Promise<string> {
  const source = await readFile(join(import.meta.dirname, 'every-method.ts'), 'utf8')
  return (await transform(source, { loader: 'ts' })).code
}

/** Runs inside the page: loads the entry points, and the samples of every-method.ts. */
export const everyMethod = `
  const [core, margin, memory] = await Promise.all(['index', 'margin', 'memory'].map(name => import('/core/' + name + '.mjs')))
  const { everyMethod } = await import('/every-method.mjs')
  const samples = everyMethod({ core, margin, memory })`
