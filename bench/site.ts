// A site without a server in Chromium, with the bundled titles: node tools/run.mjs bench/site.ts
// From opening the page to a field to type in, with the model loaded; from typing a title to its first suggestion. The command is used as built.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { LcifClassifier, readDataset } from 'vicinal'
import { keepResult, percentile, short } from './measure.ts'

const rounds = 5
const data = join(import.meta.dirname, '..', 'data')
const command = join(import.meta.dirname, '..', 'packages', 'vicinal', 'bin', 'vicinal.mjs')
const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

const folder = await mkdtemp(join(tmpdir(), 'vicinal-site-bench-'))
try {
  await measure()
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function measure(): Promise<void> {
  const path = join(folder, 'titles.model')
  const model = await LcifClassifier.fit(await readDataset(join(data, 'titles-train.tsv.gz')), { weighting: 'none' })
  await model.save(path)
  const { rows, labelNames } = model
  model.free()
  spawnSync(process.execPath, [command, 'site', path, '--out', join(folder, 'site')], { stdio: 'inherit' })
  const executablePath = [process.env.CHROMIUM ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync)
  if (!executablePath) throw new Error('there is no Chromium: set CHROMIUM to its path')
  const server = createServer(async ({ url = '/' }, response) => {
    const file = join(folder, 'site', url === '/' ? 'index.html' : new URL(url, 'http://here').pathname)
    response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream')
    response.end(await readFile(file).catch(() => ''))
  })
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const all: { ready: number; suggested: number }[] = []
  for (let i = 0; i < rounds; i++) all.push(await visit(browser, address))
  await browser.close()
  server.close()
  const megabytes = Math.round((await readFile(path)).length / 1e6)
  const median = (name: 'ready' | 'suggested') => short(percentile(all.map(one => one[name]), 0.5)) // biome-ignore format: one line
  keepResult('site', {
    ...{ rows, labels: labelNames.length, megabytes, rounds: all },
    ...{ readySeconds: median('ready'), suggestedSeconds: median('suggested') },
  })
}

/** A visitor with an empty cache. */
async function visit(browser: Browser, address: string): Promise<{ ready: number; suggested: number }> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const begin = performance.now()
  await page.goto(address)
  const field = page.locator('textarea').first()
  await field.waitFor()
  const typed = performance.now()
  await field.fill('Sailing ships and steamers')
  await page.locator('.suggestion').first().waitFor()
  const end = performance.now()
  await context.close()
  return { ready: short((typed - begin) / 1000), suggested: short((end - typed) / 1000) }
}
