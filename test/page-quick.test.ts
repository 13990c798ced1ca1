// Quick clicks and keys on the page, and a service that is slow or gone: nothing is lost or mixed up.

import { join } from 'node:path'
import type { Page, Request, Route } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { executablePath } from './browser.cases.ts'
import { eventually, screens } from './page-browser.ts'
import { makeOnce, openEach } from './page-made.ts'

describe.skipIf(!executablePath)('the page in quick hands', () => {
  const opened = openEach(makeOnce(1000), screens.deskLight)
  let page: Page
  beforeEach(() => {
    page = opened().page
  })
  const go = (hash: string) => page.goto(`${opened().service.url}/${hash}`)
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const typeTitle = async (text = 'A history of art') => {
    await page.getByLabel('The text to tag').fill(text)
    await page.locator('.suggestion').first().waitFor()
  }
  /** Requests to such an address wait until the returned function is called. */
  const hold = async (pattern: string) => {
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route(pattern, async (route: Route) => {
      await released
      await route.continue().catch(() => {}) // the page may have given it up
    })
    return release
  }
  const asked = (part: string) => page.waitForRequest((request: Request) => request.url().includes(part))

  it('keeps both of two labels that are accepted before the first one is learned', async () => {
    await go('#/tag/titles')
    await typeTitle()
    const release = await hold('**/learn')
    const first = asked('/learn')
    await button(/^Accept/).nth(1).click() // biome-ignore format: one line
    await first
    await button(/^Accept/).nth(2).click() // biome-ignore format: one line
    release()
    await eventually(() => page.getByLabel('Labels of this text').getByRole('listitem').count()).toBe(2)
  })

  it('does not take back what a double click accepts', async () => {
    await go('#/tag/titles')
    await typeTitle()
    await button(/^Accept/).nth(1).dblclick() // biome-ignore format: one line
    await eventually(() => button(/^Accept/).first().getAttribute('aria-pressed')).toBe('true') // biome-ignore format: one line
    expect(await page.getByLabel('Labels of this text').getByRole('listitem').count()).toBe(1)
  })

  it('adds the label that was typed, not one of an earlier list, if Enter comes before the list', async () => {
    await go('#/tag/titles')
    await typeTitle()
    const field = page.getByLabel('Add a label')
    const choices = page.getByRole('listbox').getByRole('option')
    await field.fill('hist')
    await choices.first().waitFor()
    const release = await hold('**/labels?search=philosophy*')
    await field.fill('philosophy')
    await field.press('Enter')
    release()
    await eventually(() => page.getByLabel('Labels of this text').textContent()).toBe('philosophy')
  })

  it('does nothing behind a dialog', async () => {
    let learned = 0
    page.on('request', request => {
      if (request.url().endsWith('/learn')) learned++
    })
    await go('#/tag/titles')
    await typeTitle()
    await page.getByLabel('The text to tag').press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('r')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.keyboard.press('a')
    await page.getByLabel('Labels of this text').getByRole('listitem').waitFor()
    expect(learned).toBe(1)
  })

  it('goes on with a file when the service is back', async () => {
    await go('#/tag/titles')
    await page.getByText('Suggestions appear as you type').waitFor()
    await page.route('**/predict-batch', route => route.abort())
    const refused = page.waitForEvent('requestfailed', request => request.url().endsWith('/predict-batch'))
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles(join(import.meta.dirname, '../data/tiny/titles.csv'))
    await refused
    await page.unroute('**/predict-batch')
    await eventually(() => page.locator('.queue-labels').last().textContent()).not.toBe('…')
  })

  it('does not say that nothing was found if the service did not answer', async () => {
    await go('#/search/collection:books')
    await page.locator('.document').first().waitFor()
    await page.context().setOffline(true)
    await page.getByLabel('Words to search for').fill('history')
    await page.getByText('The service does not answer.', { exact: true }).waitFor()
    expect(await page.getByText('Nothing found').count()).toBe(0)
    await page.context().setOffline(false)
    await page.locator('.document mark').first().waitFor()
  })

  it('does not say that a memory is forgotten if it is not, and restores all of one that was', async () => {
    const stored = { key: 'the mast broke', value: 'use oak', metadata: { boat: 'Anna' }, id: 'mast' }
    const memories = `${opened().service.url}/v1/memories/notes`
    const headers = { 'content-type': 'application/json' }
    await fetch(`${memories}/insert`, { method: 'POST', headers, body: JSON.stringify(stored) })
    await go('#/memory/notes')
    await page.route('**/memories/mast', route => route.fulfill({ status: 500, json: { detail: 'the disk is full' } }))
    await button('Forget the mast broke').click()
    await page.locator('.toast').getByText('The disk is full.').waitFor()
    await page.unroute('**/memories/mast')
    await button('Forget the mast broke').click()
    await page.getByText('4 memories').waitFor()
    await page.locator('.toast').getByText('Undo').click()
    await page.getByText('5 memories').waitFor()
    const again = await (await fetch(`${memories}/memories/mast`)).json()
    expect(again).toMatchObject({ memory: stored })
  })

  it('keeps the message with its Undo while the mouse is on it', async () => {
    await page.clock.install()
    await go('#/tag/titles')
    await page.getByLabel('The text to tag').fill('A history of art')
    await page.clock.runFor(1000)
    await button(/^Accept/).first().click() // biome-ignore format: one line
    await page.locator('.toast').hover()
    await page.clock.runFor(60_000)
    expect(await page.locator('.toast').count()).toBe(1)
    await page.mouse.move(5, 5)
    // The page may hear of the mouse later than of the clock.
    for (let i = 0; i < 50 && (await page.locator('.toast').count()) > 0; i++) await page.clock.runFor(10_000)
    expect(await page.locator('.toast').count()).toBe(0)
  })

  it('marks the right words in a text that is scrolled', async () => {
    await go('#/tag/titles')
    await typeTitle(`${'nothing of note here\n'.repeat(60)}a history of art`)
    await page.locator('.suggestion-name').first().click()
    await page.locator('.text-behind mark').first().waitFor()
    const tops = await page.locator('.text-box').evaluate(async box => {
      const text = box.querySelector('textarea') as HTMLTextAreaElement
      const behind = box.querySelector('.text-behind') as HTMLElement
      const scrolled = new Promise(resolve => text.addEventListener('scroll', resolve, { once: true }))
      text.scrollTop = 0
      text.scrollTop = 300
      await scrolled
      return [text.scrollTop, behind.scrollTop]
    })
    expect(tops).toEqual([300, 300])
  })

  it('shows a thousand suggestions, and asks for no more than the service gives', async () => {
    const tops: number[] = []
    await page.route('**/predict', route => {
      const { top } = route.request().postDataJSON() as { top: number }
      tops.push(top)
      const labels = Array.from({ length: top }, (_, i) => ({ label: `label ${i}`, score: 1 - i / 2000 }))
      return route.fulfill({ json: { labels } })
    })
    await go('#/tag/titles')
    await typeTitle()
    const more = button('More suggestions')
    for (let count = 16; count < 2000; count *= 2) {
      await more.click()
      await eventually(() => page.locator('.suggestion').count()).toBe(Math.min(1000, count))
    }
    expect(await more.count()).toBe(0)
    expect(Math.max(...tops)).toBe(1000)
  }, 60_000)
})
