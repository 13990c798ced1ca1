// Pictures of the page for the documentation, taken of a real service with the bundled data: npm run docs:screenshots.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { PageService, PageTab, type Screen, screens, startBrowser } from '../test/page-browser.ts'
import { makePageData } from '../test/page-data.ts'

const images = join(import.meta.dirname, '../docs/images')

interface Shot {
  readonly file: string
  readonly screen: Screen
  readonly hash: string
  prepare(page: Page): Promise<void>
}

const folder = await mkdtemp(join(tmpdir(), 'vicinal-screenshots-'))
const data = await makePageData(folder, 20_000)

async function tag(page: Page): Promise<void> {
  await page.getByLabel('The text to tag').fill('Sailing ships and steamers of the Baltic: a history of navigation')
  await page.locator('.suggestion').nth(7).waitFor()
  await page.locator('.suggestion-name').first().click()
  await page.locator('.reasons').waitFor()
}

const shots: readonly Shot[] = [
  { file: 'page-tag.png', screen: screens.deskLight, hash: '#/tag/titles', prepare: tag },
  { file: 'page-phone.png', screen: screens.phoneDark, hash: '#/tag/titles', prepare: tag },
  {
    ...{ file: 'page-search.png', screen: screens.deskLight, hash: '#/search/collection:books' },
    async prepare(page) {
      await page.getByLabel('Words to search for').fill('histry of ar')
      await page.locator('.document mark').first().waitFor()
    },
  },
  {
    ...{ file: 'page-memory.png', screen: screens.deskDark, hash: '#/memory/notes' },
    async prepare(page) {
      await page.getByLabel('Ask the memory').fill('why did the deploy fail?')
      await page.getByRole('button', { name: 'It helped: run the tests first' }).click()
      await page.getByText('1 reward learned').waitFor()
      await page.getByRole('button', { name: 'Close' }).click()
    },
  },
  {
    ...{ file: 'page-models.png', screen: screens.deskLight, hash: '#/models/titles' },
    async prepare(page) {
      await page.locator('.map').waitFor()
      await page.locator('input[type=file]').setInputFiles(data.test)
      await page.locator('.table').waitFor()
    },
  },
]

const browser = await startBrowser()
const service = await PageService.start(data)
for (const { file, screen, hash, prepare } of shots) {
  const tab = await PageTab.open(browser, screen, `${service.url}/${hash}`)
  await prepare(tab.page)
  await tab.page.mouse.move(0, 0)
  await tab.page.evaluate(() => Promise.all(document.getAnimations().map(animation => animation.finished)))
  await tab.page.screenshot({ path: join(images, file) })
  await tab.close()
  console.log(file)
}
await service.close()
await browser.close()
await rm(folder, { recursive: true, force: true })
