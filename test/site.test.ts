// A site without a server, in a real browser: below a path of a plain static host, without cross-origin isolation.

import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { writeSite } from '@vicinal/server'
import { pageFolder } from '@vicinal/web'
import { type Browser, chromium, type Page } from 'playwright-core'
import { Collection, ExactIndex, LcifClassifier } from 'vicinal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { executablePath } from './browser.cases.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}
const books = [
  { text: 'Sailing ships of the Baltic', labels: ['ships', 'history'] },
  { text: 'The birds of the coast', labels: ['birds'] },
  { text: 'Steam ships and their engines', labels: ['ships', 'technology'] },
]

let folder: string
let server: Server
let browser: Browser
let page: Page
let base: string

/** A plain static host. */
async function startHost(site: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://here')
    const name = pathname.startsWith('/some/where/') ? pathname.slice('/some/where/'.length) || 'index.html' : undefined
    const file = join(site, decodeURIComponent(name ?? 'none'))
    if (name === 'empty.html') return response.setHeader('content-type', 'text/html').end('<!doctype html>')
    if (name === undefined || !existsSync(file)) return response.writeHead(404).end()
    return response
      .setHeader('content-type', types[extname(file)] ?? 'application/octet-stream')
      .end(await readFile(file))
  })
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  return server
}

beforeAll(async () => {
  if (!executablePath) return
  folder = await mkdtemp(join(tmpdir(), 'vicinal-site-'))
  const save = async (name: string, made: { save(path: string): Promise<void>; free(): void }) => {
    await made.save(join(folder, name))
    made.free()
    return join(folder, name)
  }
  const notes = Collection.create()
  await notes.upsertMany([{ id: 'n1', text: 'The ferry to Tallinn leaves at noon' }])
  const paths = [
    await save('tagger.model', await LcifClassifier.fit(books, { weighting: 'none' })),
    await save('stems.model', await LcifClassifier.fit(books, { weighting: 'none', text: { stemmer: 'english' } })),
    await save('shapes.index', await ExactIndex.fit([{ id: 'a', vector: [1, 2] }, { id: 'b', vector: [1, 3] }])), // biome-ignore format: rows
    await save('notes.collection', notes),
  ]
  const test = join(folder, 'test.jsonl')
  await writeFile(test, books.map(book => `${JSON.stringify(book)}\n`).join(''))
  await writeSite(join(folder, 'site'), paths, { page: pageFolder, tests: [`tagger=${test}`] })
  server = await startHost(join(folder, 'site'))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/where/`
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  page = await (await browser.newContext()).newPage()
})
afterAll(async () => {
  await browser?.close()
  server?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** Opens the site's engine in an empty page of the site, and runs `source`, which sees its `backend`. */
async function inEngine(source: string, tab: Page = page): Promise<unknown> {
  await tab.goto(`${base}empty.html`)
  const chunk = (await readdir(join(folder, 'site/assets'))).find(name => /^worker-backend-.*\.js$/.test(name))
  const site = /id="vicinal-site">(.*)<\/script>/.exec(await readFile(join(folder, 'site/index.html'), 'utf8'))?.[1]
  return tab.evaluate(`(async () => {
    const { openWorkerBackend } = await import('./assets/${chunk}')
    const progress = []
    const backend = await openWorkerBackend(${site})
    backend.onProgress = one => progress.push(one)
    const served = await backend.served()
    const call = (...asked) => backend.call(...asked).catch(({ status, code, message }) => ({ status, code, message }))
    ${source}
  })()`)
}

describe.skipIf(!executablePath)('a site without a server', () => {
  it('suggests labels as somebody types', async () => {
    const problems: string[] = []
    page.on('pageerror', error => problems.push(String(error)))
    page.on('console', message => {
      if (message.type() === 'error') problems.push(message.text())
    })
    await page.goto(base)
    expect(await page.evaluate('crossOriginIsolated')).toBe(false)
    await page.locator('textarea').first().fill('Old steam engines')
    await page.getByText('technology').first().waitFor()
    expect(problems).toEqual([])
  })

  it('shows what was measured when the site was written', async () => {
    await page.goto(`${base}#/models/tagger`)
    await page.getByText(/of test\.jsonl/).waitFor()
    await page.getByRole('table').getByText('ships').first().waitFor()
  })

  it('answers the operations of the service, with its errors', async () => {
    const answers = await inEngine(`return [
      served.map(({ kind, name }) => kind + ' ' + name),
      (await call('model', 'tagger', 'predict', { text: 'Old steam engines', top: 1 })).labels[0].label,
      (await call('model', 'stems', 'predict', { text: 'a bird', top: 1 })).labels[0].label,
      (await call('index', 'shapes', 'search', { like: 'a', k: 5 })).neighbors,
      (await call('collection', 'notes', 'search', { text: 'ferry' })).hits[0].id,
      (await call('model', 'tagger', 'map', {})).points.length,
      await call('model', 'tagger', 'predict', { text: 1 }),
      await call('model', 'none', 'predict', { text: 'x' }),
      progress.at(-1),
    ]`)
    const bytes = expect.any(Number)
    expect(answers).toEqual([
      ['model tagger', 'model stems', 'index shapes', 'collection notes'],
      'technology',
      'birds',
      [{ id: 'b', distance: 1 }],
      'n1',
      4,
      { status: 400, code: 'INVALID_OPTION', message: expect.any(String) },
      { status: 404, code: 'UNKNOWN_NAME', message: 'there is no model "none"' },
      { loaded: bytes, total: bytes, what: 'opening' },
    ])
  })

  it('keeps corrections and documents in the browser, and takes them back', async () => {
    const learned = await inEngine(`
      await call('collection', 'notes', 'upsert', { documents: [{ id: 'n2', text: 'night train', vector: [0, 1] }] })
      return (await call('model', 'tagger', 'learn', { items: [{ text: 'Coast birds', labels: ['seabirds'] }] })).corrections`)
    expect(learned).toMatchObject([{ labels: ['seabirds'] }])
    const after = (await inEngine(`return [
      (await call('model', 'tagger', 'corrections', {})).corrections,
      (await call('model', 'tagger', 'predict', { text: 'Coast birds', top: 1 })).labels[0].label,
      (await call('collection', 'notes', 'get', { id: 'n2' })).document,
    ]`)) as unknown[]
    expect(after).toEqual([learned, 'seabirds', { id: 'n2', text: 'night train', vector: [0, 1] }])
    await inEngine(`return call('model', 'tagger', 'undoCorrection', { id: 'correction-1' })`)
    expect(await inEngine(`return (await call('model', 'tagger', 'corrections', {})).corrections`)).toEqual([])
  })

  it('loads the files again if somebody tries again, and says until then which one is missing', async () => {
    const tab = await page.context().newPage()
    await tab.route('**/files/shapes-*', route => route.fulfill({ status: 404 }))
    await tab.goto(base)
    await tab.getByText(/^The file shapes-\S+ could not be loaded: the site answered with status 404/).waitFor()
    await tab.unroute('**/files/shapes-*')
    await tab.getByRole('button', { name: 'Try again' }).click()
    await tab.getByLabel('The text to tag').waitFor()
    expect(await tab.getByRole('link', { name: 'Memory' }).count()).toBe(0) // a site has none
    await tab.close()
  })

  it('says why nothing appears if its scripts cannot be loaded, as from a file', async () => {
    const tab = await page.context().newPage()
    await tab.goto(pathToFileURL(join(folder, 'site/index.html')).href)
    expect(await tab.getByText('A site needs a web server').isVisible()).toBe(true)
    await tab.goto(base)
    await tab.getByLabel('The text to tag').waitFor()
    expect(await tab.getByText('A site needs a web server').count()).toBe(0)
    await tab.close()
  })

  it('says that a private window keeps no corrections', async () => {
    const refused = "Object.defineProperty(globalThis, 'indexedDB', { get() { throw new Error('denied') } });"
    const tab = await page.context().newPage()
    await tab.route('**/engine-worker*', async route => {
      const response = await route.fetch()
      await route.fulfill({ response, body: refused + (await response.text()) })
    })
    await tab.goto(base)
    await tab.getByLabel('The text to tag').fill('Old steam engines')
    await tab
      .getByRole('button', { name: /^Accept/ })
      .first()
      .click()
    await tab.locator('.toast').getByText('leave the private window').waitFor()
    await tab.close()
  })

  it('tells a second tab that the first one keeps the corrections', async () => {
    const ask = `return call('model', 'tagger', 'learn', { items: [{ text: 'Coast birds', labels: ['x'] }] })`
    expect(await inEngine(ask)).toMatchObject({ corrections: [{ labels: ['x'] }] })
    const second = await page.context().newPage()
    expect(await inEngine(ask, second)).toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('another tab'),
    })
    await second.close()
  })
})
