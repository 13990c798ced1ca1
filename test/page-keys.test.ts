// The page for those who use no mouse: where the focus is after each key, and what screen readers are told.

import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { executablePath } from './browser.cases.ts'
import { eventually, screens } from './page-browser.ts'
import { makeOnce, openEach } from './page-made.ts'

const title = 'A history of art and architecture'

describe.skipIf(!executablePath)('the page without a mouse', () => {
  const opened = openEach(makeOnce(1000), screens.deskLight)
  let page: Page
  beforeEach(() => {
    page = opened().page
  })
  const go = (hash: string) => page.goto(`${opened().service.url}/${hash}`)
  const press = (...keys: string[]) => keys.reduce((last, key) => last.then(() => page.keyboard.press(key)), soon)
  const soon = Promise.resolve()
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  /** What has the focus: its label, its text, or the heading of the panel. */
  const focused = () =>
    page.evaluate(() => {
      const one = document.activeElement as HTMLElement
      const heading = document.getElementById(one.getAttribute('aria-labelledby') ?? '')
      return one.ariaLabel ?? heading?.textContent ?? (one.matches('body, main') ? 'the page' : one.textContent)
    })
  const told = () => page.locator('[role=status].unseen').first().textContent()
  const tagged = async () => {
    await go('#/tag/titles')
    await page.getByLabel('The text to tag').fill(title)
    await page.locator('.suggestion').nth(5).waitFor()
  }

  it('keeps the focus on a suggestion that moves when it is accepted', async () => {
    await tagged()
    const accept = button(/^Accept/).nth(4)
    const name = await accept.getAttribute('aria-label')
    await accept.focus()
    await press('Enter')
    await eventually(() =>
      button(/^Accept/)
        .first()
        .getAttribute('aria-label'),
    ).toBe(name)
    expect(await focused()).toBe(name)
  })

  it('keeps the focus in a list whose rows are removed one by one, and in its panel when none is left', async () => {
    await tagged()
    for (const at of [0, 1])
      await button(/^Accept/)
        .nth(at)
        .click()
    const chips = page.getByLabel('Labels of this text').getByRole('button')
    await eventually(() => chips.count()).toBe(2)
    const second = await chips.nth(1).getAttribute('aria-label')
    await chips.first().focus()
    await press('Enter')
    await eventually(focused).toBe(second)
    await press('Enter')
    await eventually(() => chips.count()).toBe(0)
    expect(await focused()).toBe('Text')
    await go('#/memory/notes')
    await button(/^Forget/)
      .nth(1)
      .focus()
    const third = await button(/^Forget/)
      .nth(2)
      .getAttribute('aria-label')
    await press('Enter')
    await eventually(focused).toBe(third)
  })

  it('keeps the focus where filters, likenesses and neighbors replace what had it', async () => {
    await go('#/search/collection:books')
    await page.locator('.document .chip').first().focus()
    await press('Enter')
    await button(/^Remove the filter/).focus()
    await press('Enter')
    await eventually(focused).toBe('Find documents')
    await button(/^More like/)
      .first()
      .focus()
    await press('Enter')
    await page.locator('.document-score').first().waitFor()
    expect(await focused()).toBe('Found')
    await button('Search by words again').focus()
    await press('Enter')
    await eventually(focused).toBe('Words to search for')
    await go('#/search/index:points')
    await page.locator('.neighbor-rows button').nth(3).focus()
    await press('Enter')
    await eventually(() => page.getByLabel('Id of a stored item').inputValue()).not.toBe('0')
    await page.locator('.neighbor-rows').waitFor()
    expect(await focused()).toMatch(/distance/)
  })

  it('keeps the focus on the picker when another model is chosen', async () => {
    await tagged()
    await page.getByLabel('What is open in Tag').focus()
    await press('ArrowDown')
    await page.getByLabel('The vector to label').waitFor()
    expect(await focused()).toBe('What is open in Tag')
  })

  it('returns the focus from a message, a file and the last page of a list', async () => {
    await tagged()
    await button(/^Accept/)
      .nth(2)
      .focus()
    const name = await focused()
    await press('Enter')
    await page.locator('.toast button').focus()
    await press('Enter')
    await eventually(focused).toBe(name)
    const file = join(import.meta.dirname, '../data/tiny/titles.csv')
    const chooser = page.waitForEvent('filechooser')
    await button('Choose a file').focus()
    await press('Enter')
    await (await chooser).setFiles(file)
    await page.getByText('Text 1 of 10').waitFor()
    await eventually(focused).toBe('titles.csv')
    await page.getByRole('status').getByText('Labels suggested for 10 texts').waitFor({ state: 'attached' })
    await button('Close').first().focus()
    await press('Enter')
    await eventually(focused).toBe('Many texts')
  })

  it('does not take the focus back from somebody who clicked elsewhere', async () => {
    await tagged()
    await button(/^Accept/)
      .first()
      .click()
    const chip = page.getByLabel('Labels of this text').getByRole('button')
    await chip.focus()
    await page.locator('h1').click()
    await eventually(focused).toBe('the page')
    await press('u')
    await chip.waitFor({ state: 'detached' })
    await page.locator('.toast').getByText('Undone').waitFor()
    expect(await focused()).toBe('the page')
  })

  it('ends no word of an input method with a label or a jump', async () => {
    await tagged()
    const field = page.getByLabel('Add a label')
    await field.fill('philosoph')
    await page.getByRole('listbox').getByRole('option').first().waitFor()
    const composing = (key: string) =>
      page.evaluate(name => {
        const event = new KeyboardEvent('keydown', { key: name, isComposing: true, bubbles: true, cancelable: true })
        document.activeElement?.dispatchEvent(event)
      }, key)
    for (const key of ['Enter', 'ArrowDown', 'Escape']) await composing(key)
    expect(await field.inputValue()).toBe('philosoph')
    expect(await field.getAttribute('aria-activedescendant')).toMatch(/-0$/)
    await page.getByLabel('The text to tag').focus()
    await composing('Escape')
    expect(await focused()).toBe('The text to tag')
  })

  it('shows the chosen label in a list of choices that is longer than its box', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    const label = 'https://example.org/a/vocabulary/of/subjects/that/are/named/at/length/'
    const labels = Array.from({ length: 7 }, (_, i) => ({ label: `${label}${i}`, rows: 12_345 }))
    await tagged()
    await page.route('**/labels?*', route => route.fulfill({ json: { labels } }))
    await page.getByLabel('Add a label').fill('exam')
    await page.getByRole('listbox').getByRole('option').nth(7).waitFor()
    for (let place = 0; place < 8; place++) {
      const isInside = () =>
        page.getByRole('listbox').evaluate(list => {
          const [box, chosen] = [list, list.querySelector('[aria-selected=true]')].map(one =>
            one?.getBoundingClientRect(),
          )
          const isBeside = [...list.querySelectorAll('.choice')].every(one => one.scrollWidth <= one.clientWidth)
          return isBeside && box && chosen && chosen.top >= box.top && chosen.bottom <= box.bottom
        })
      await expect.poll(isInside, { message: `choice ${place}` }).toBe(true)
      await press('ArrowDown')
    }
  })

  it('reads out answers even if as many as before are found', async () => {
    await go('#/search/collection:books')
    const ask = (words: string) => page.getByLabel('Words to search for').fill(words)
    await ask('history')
    await eventually(told).toMatch(/^10 documents found, first /)
    const first = await told()
    await ask('art')
    await eventually(told).not.toBe(first)
    await ask('zzzzzz')
    await eventually(told).toBe('Nothing found')
    await go('#/tag/titles')
    await page.getByLabel('The text to tag').fill('qqqq wwww')
    await eventually(told).toBe('No suggestion')
  })

  it('reads out a message that is the same as the one before', async () => {
    await go('#/memory/notes')
    const said = () =>
      page.evaluate(() => {
        const places = [...document.querySelectorAll('[role=status].unseen')]
        const heard = window as unknown as { heard: string[] }
        heard.heard = []
        const listen = new MutationObserver(() => heard.heard.push(places.map(one => one.textContent).join('')))
        for (const one of places) listen.observe(one, { childList: true, subtree: true, characterData: true })
      })
    await page.getByLabel('Ask the memory').fill('why did the deploy fail?')
    await page.locator('.hit').nth(1).waitFor()
    await button(/^It helped/)
      .first()
      .click()
    await page.getByText('1 reward learned').waitFor()
    await said()
    await button(/^It helped/)
      .first()
      .click()
    await page.getByText('2 rewards learned').waitFor()
    const heard = await page.evaluate(() => (window as unknown as { heard: string[] }).heard.join())
    expect(heard).toContain('helped')
  })

  it('shows what has the focus beside the bars of a phone, and beside a message', async () => {
    await page.setViewportSize({ width: 390, height: 500 })
    await tagged()
    await button(/^Accept/)
      .first()
      .focus()
    const asked = page.waitForResponse(response => response.url().includes('/predict'))
    await press('Enter')
    await page.locator('.toast').waitFor()
    await asked // the list is made anew with what was learned: it must not move under the focus
    await page.locator('.suggestions[aria-busy="false"]').waitFor()
    const covered: string[] = []
    for (let i = 0; i < 24; i++) {
      await press('Tab')
      covered.push(
        await page.evaluate(async () => {
          const one = document.activeElement as HTMLElement
          if (!one.closest('main')) return ''
          // Rows that move to their new places cover others on the way.
          const moves = document
            .getAnimations()
            .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
          await Promise.allSettled(moves.map(move => move.finished))
          const { top, bottom, left } = one.getBoundingClientRect()
          const isSeen = [top + 2, bottom - 2].every(y => one.contains(document.elementFromPoint(left + 4, y)))
          return isSeen || one.matches('textarea, input, select') ? '' : one.outerHTML.slice(0, 90)
        }),
      )
    }
    expect(covered.filter(one => one !== '')).toEqual([])
  })

  it('lets people turn off the keys of one letter, and remembers it', async () => {
    await tagged()
    await button('Keys').click()
    await page.getByLabel('Use single-key shortcuts').uncheck()
    await press('Escape')
    await page.reload()
    await page.getByLabel('The text to tag').fill(title)
    await page.locator('.suggestion').first().waitFor()
    await press('Escape', 'a', 'n', '?')
    expect(await focused()).not.toBe('Add a label')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.getByLabel('Labels of this text').getByRole('listitem').count()).toBe(0)
    await button('Keys').click()
    await page.getByLabel('Use single-key shortcuts').check()
    await press('Escape', 'n')
    expect(await focused()).toBe('Add a label')
  })

  it('has a heading of the first level while nothing is served or answers', async () => {
    await page.route('**/v1/**', route => route.abort())
    await go('#/tag')
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'The service does not answer' }).waitFor()
  })
})
