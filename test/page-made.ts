// The set-up of page tests: data to serve and a browser, made once; a service and a tab, for every test.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { PageService, PageTab, type Screen, startBrowser } from './page-browser.ts'
import { makePageData, type PageData } from './page-data.ts'

export interface Made {
  readonly data: PageData
  readonly browser: Browser
}

/** Call it in a `describe`; what it returns can be called in its tests. */
export function makeOnce(titles?: number): () => Made {
  let [folder, made]: [string, Made | undefined] = ['', undefined]
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vicinal-page-data-'))
    made = { data: await makePageData(folder, titles), browser: await startBrowser() }
  }, 120_000)
  afterAll(async () => {
    await made?.browser.close()
    await rm(folder, { recursive: true, force: true })
  })
  return () => made!
}

export interface Opened {
  readonly service: PageService
  readonly tab: PageTab
  readonly page: Page
}

/** The same: a service of its own and a tab that shows it, for each test. */
export function openEach(made: () => Made, screen: Screen): () => Opened {
  let [service, tab]: [PageService | undefined, PageTab | undefined] = [undefined, undefined]
  beforeEach(async () => {
    service = await PageService.start(made().data)
    tab = await PageTab.open(made().browser, screen, service.url)
  })
  afterEach(async () => {
    await tab?.close()
    await service?.close()
  })
  return () => ({ service: service!, tab: tab!, page: tab!.page })
}
