// Every flow of the page, as a person goes through it. Run on each screen.

import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { executablePath } from './browser.cases.ts'
import { eventually, type Screen } from './page-browser.ts'
import { type Made, makeOnce, openEach } from './page-made.ts'
import { figure, linesOf, textOf } from './page-text.ts'

const title = 'A history of art and architecture'

export function describePage(screens: readonly Screen[]): void {
  describe.skipIf(!executablePath)('the page', () => {
    const made = makeOnce()
    describe.each(screens)('on the screen of $name', screen => describeRooms(screen, made))
  })
}

function describeRooms(screen: Screen, made: () => Made): void {
  const opened = openEach(made, screen)
  let page: Page
  beforeEach(() => {
    page = opened().page
  })
  const go = (hash: string) => page.goto(`${opened().service.url}/${hash}`)
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const faults = () => opened().tab.faults()
  const suggestion = (n: number) => page.locator('.suggestion').nth(n)
  const type = async (text: string) => {
    await page.getByLabel('The text to tag').fill(text)
    await page.locator('.suggestion').first().waitFor()
  }

  describe('Tag', () => {
    it('suggests as you type, says why, learns what you accept, and takes it back', async () => {
      await go('#/tag/titles')
      await page.getByText('Suggestions appear as you type').waitFor()
      expect(await faults()).toEqual([])
      await type(title)
      await suggestion(0).locator('.suggestion-name').click()
      await page.getByText('Words that point to it').waitFor()
      expect(await page.locator('.text-behind mark').allInnerTexts()).not.toEqual([])
      expect(await page.locator('.neighbors li').count()).toBeGreaterThan(0)
      expect(await faults()).toEqual([])
      const last = suggestion(5)
      const name = await textOf(last.locator('.suggestion-text'))
      const score = async () => Number(await textOf(rowOf(page, name).locator('.suggestion-score')).then(figure))
      const before = await score()
      await button(`Accept ${name}`).click()
      await eventually(score).toBeGreaterThan(before)
      await eventually(() => textOf(suggestion(0).locator('.suggestion-text'))).toBe(name)
      await page.getByRole('heading', { name: 'Corrections' }).waitFor()
      expect(await faults()).toEqual([])
      await button(/^Undo the correction/).click()
      await eventually(score).toBe(before)
      await page.getByRole('heading', { name: 'Corrections' }).waitFor({ state: 'detached' })
    })

    it('puts what you accept first, leaves out what you reject, and keeps the figures true', async () => {
      await go('#/tag/titles')
      await type(title)
      const names = () => page.locator('.suggestion-text').allInnerTexts()
      const examples = async () => Number((await textOf(page.locator('.facts b').last())).replace(/\D/g, ''))
      const before = await examples()
      const [first = '', , , other = ''] = await names()
      await rowOf(page, other).locator('.suggestion-name').click()
      const reasons = () => page.locator('.neighbors').allInnerTexts()
      await eventually(async () => (await reasons()).length).toBe(1)
      expect(await reasons()).not.toEqual([expect.stringContaining(title)])
      await button(`Accept ${other}`).click()
      await eventually(names).toEqual([other, ...(await names()).filter(name => name !== other)])
      await eventually(examples).toBe(before + 1)
      await eventually(reasons).toEqual([expect.stringContaining(title)])
      await rowOf(page, other).getByText('accepted', { exact: true }).waitFor()
      await button(`Reject ${first}`).click()
      const told = `Left out: ${first} is not suggested for this text any more.`
      await eventually(() => textOf(page.locator('.toast span'))).toBe(told)
      await eventually(async () => (await names()).at(-1)).toBe(first)
      expect(await button(`Accept ${other}`).getAttribute('aria-pressed')).toBe('true')
      await type('the philosophy of religion')
      await type(title)
      await eventually(() => button(`Reject ${first}`).getAttribute('aria-pressed')).toBe('true')
      await button(`Reject ${other}`).click()
      await eventually(examples).toBe(before) // nothing is taught by rejections alone
      await page.getByText(`not ${first}, ${other}`).waitFor()
      await page.locator('.toast').getByText('Undo').click()
      await eventually(() => button(`Accept ${other}`).getAttribute('aria-pressed')).toBe('true')
      expect(await faults()).toEqual([])
    })

    it('learns that no label fits, and says what a rejection alone does', async () => {
      await go('#/tag/titles')
      await type(title)
      const name = await textOf(suggestion(0).locator('.suggestion-text'))
      const score = async () => Number(await textOf(rowOf(page, name).locator('.suggestion-score')).then(figure))
      const before = await score()
      await button('No label fits').click()
      await page.locator('.corrections').getByText('no label fits').waitFor()
      await eventually(score).toBeLessThan(before)
      expect(await faults()).toEqual([])
      await button('No label fits').click()
      await eventually(score).toBe(before)
      await page.getByRole('heading', { name: 'Corrections' }).waitFor({ state: 'detached' })
      await button(`Reject ${name}`).click()
      await page.getByText(/Accept a label, or say that none fits, to teach the model/).waitFor()
      await page.reload()
      await type(title)
      await eventually(() => button(`Reject ${name}`).getAttribute('aria-pressed')).toBe('true')
      await button('Export').click()
      await page.locator('.toast').getByText('Left out: 1 correction that only rejected labels').waitFor()
      await button(`Reject ${name}`).click()
      await page.getByRole('heading', { name: 'Corrections' }).waitFor({ state: 'detached' })
    })

    it('takes the first label back, and keeps no way back for other rooms', async () => {
      await go('#/tag/titles')
      await type(title)
      const accept = () => button(/^Accept/).first()
      await accept().click()
      await page.getByRole('heading', { name: 'Corrections' }).waitFor()
      await page.locator('.toast').getByText('Undo').click()
      await page.getByRole('heading', { name: 'Corrections' }).waitFor({ state: 'detached' })
      await accept().click()
      await page.locator('.toast').getByText('Undo').waitFor()
      await page.getByRole('link', { name: 'Search' }).click()
      await page.locator('.document').first().waitFor()
      expect(await page.locator('.toast').count()).toBe(0)
    })

    it('does not offer to learn a text of unknown words', async () => {
      await go('#/tag/titles')
      await page.getByLabel('The text to tag').fill('qqqq wwww')
      await page.getByText(/knows nothing in this text, so it cannot learn from it/).waitFor()
      expect(await page.getByLabel('Add a label').isDisabled()).toBe(true)
      expect(await faults()).toEqual([])
      await type(title)
      await eventually(() => page.getByLabel('Add a label').isDisabled()).toBe(false)
    })

    it('shows weak suggestions as weak', async () => {
      await page.route('**/predict', route => route.fulfill({ json: { labels: [{ label: 'weak', score: 0.1 }] } }))
      await go('#/tag/titles')
      await type(title)
      const share = () => page.locator('.suggestion .bar').evaluate(bar => bar.style.getPropertyValue('--share'))
      expect(Number(await share())).toBeCloseTo(0.2)
      const endOf = async (part: string) => {
        const box = await page.locator(part).evaluate(one => {
          const range = document.createRange()
          range.selectNodeContents(one.lastChild ?? one)
          return range.getBoundingClientRect()
        })
        return box.right
      }
      expect(Math.abs((await endOf('.suggestion-head')) - (await endOf('.suggestion-score')))).toBeLessThan(3)
      expect(await page.locator('.suggestion-score').getAttribute('title')).toContain('From 0')
    })

    it('rejects, and adds labels by their name, by their URI, and new ones', async () => {
      await go('#/tag/titles')
      await type(title)
      const name = await textOf(suggestion(0).locator('.suggestion-text'))
      await button(`Reject ${name}`).click()
      await eventually(() => button(`Reject ${name}`).getAttribute('aria-pressed')).toBe('true')
      const field = page.getByLabel('Add a label')
      const choices = page.getByRole('listbox').getByRole('option')
      await field.fill('philosoph')
      await choices.first().waitFor()
      expect(await textOf(choices)).toContain('philosoph')
      await field.press('Enter')
      await page.getByLabel('Labels of this text').getByText('philosoph').waitFor()
      await field.fill('a label of my own')
      await page.getByRole('option', { name: /a label of my own/ }).click()
      await page.getByLabel('Labels of this text').getByText('a label of my own').waitFor()
      await eventually(() => page.locator('.suggestion-text').allInnerTexts()).toContain('a label of my own')
      const downloads = page.waitForEvent('download')
      await button('Export').click()
      const [line = '{}'] = await linesOf(await downloads)
      expect(JSON.parse(line)).toEqual({ text: title, labels: [expect.stringContaining('http'), 'a label of my own'] })
    })

    it('goes through a file of texts and gives it back with labels', async () => {
      await go('#/tag/titles')
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles(join(import.meta.dirname, '../data/tiny/titles.csv'))
      await page.getByText('Text 1 of 10').waitFor()
      await eventually(() => textOf(page.locator('.queue-labels').last())).not.toBe('…')
      await page.locator('.suggestion').first().waitFor()
      await button(/^Accept/)
        .first()
        .click()
      await page.getByText('1 of 10 decided').waitFor()
      await page.locator('.queue button').nth(1).click()
      await page.getByText('Text 2 of 10').waitFor()
      const answered = page.waitForResponse(one => one.request().postData()?.includes('communism, edited') === true)
      await page.getByLabel('The text to tag').fill('Comparative communism, edited')
      await answered
      await page.locator('.suggestions[aria-busy=false]').waitFor() // its rows fade in from here on
      expect(await faults()).toEqual([])
      const csv = page.waitForEvent('download')
      await button('CSV').click()
      const rows = await linesOf(await csv)
      expect(rows).toHaveLength(11)
      expect(rows[0]).toBe('text,subject_uris,labels,label_source')
      expect(rows[1]).toMatch(/http\S+,decided$/)
      expect(rows[2]).toMatch(/^"Comparative communism, edited",/)
      const json = page.waitForEvent('download')
      await button('JSONL').click()
      expect((await linesOf(await json)).map(line => JSON.parse(line).label_source)).toContain('suggested')
    })

    it('drops answers that come late', async () => {
      await go('#/tag/titles')
      await page.route('**/predict', async route => {
        if (route.request().postData()?.includes('"first words"')) await new Promise(later => setTimeout(later, 700))
        await route.continue().catch(() => {}) // the page may have given it up
      })
      await page.getByLabel('The text to tag').fill('first words')
      await page.waitForRequest(/predict$/)
      await type('the philosophy of religion')
      const names = await page.locator('.suggestion-text').allInnerTexts()
      await page.waitForTimeout(900)
      expect(await page.locator('.suggestion-text').allInnerTexts()).toEqual(names)
    })

    it('labels vectors with a model of vectors', async () => {
      await go('#/tag/medical')
      await page.getByLabel('The vector to label').fill('one, two')
      await page.getByText('This is not a vector').waitFor()
      await page
        .getByLabel('The vector to label')
        .fill(Array.from({ length: 1449 }, (_, i) => Number(i % 90 === 0)).join(' '))
      await page.locator('.suggestion').first().waitFor()
    })
  })

  describe('Search', () => {
    it('finds documents by words, with typos and filters, and others like one', async () => {
      await go('#/search/collection:books')
      await page.locator('.document').first().waitFor()
      expect(await faults()).toEqual([])
      await page.getByLabel('Words to search for').fill('histry')
      await page
        .locator('.document mark', { hasText: /history/i })
        .first()
        .waitFor()
      await page.getByText('Add a filter').click()
      await page.getByLabel('Field').selectOption('words')
      await page.getByLabel('Comparison').selectOption('to')
      await page.getByLabel('Value').fill('6')
      await button('Add').click()
      const sizes = () => page.locator('.document .chip', { hasText: 'words' }).allInnerTexts()
      await eventually(async () => (await sizes()).every(text => Number(text.replace(/\D/g, '')) <= 6)).toBe(true)
      expect(await faults()).toEqual([])
      await button('Remove the filter words ≤ 6').click()
      const liked = await textOf(page.locator('.document-title'))
      await button(/^More like/)
        .first()
        .click()
      expect(await textOf(page.locator('.liked-title'))).toBe(liked)
      await page.locator('.document-score').first().waitFor()
      await button('Search by words again').click()
      await page.getByLabel('Words to search for').fill('zzzzzz')
      await page.getByText('Nothing found', { exact: true }).last().waitFor()
    })

    it('shows pictures near a picture', async () => {
      await go('#/search/index:clothes')
      await eventually(() => page.locator('.pictures canvas').count()).toBe(7)
      const isDrawn = await page.locator('.query-picture canvas').evaluate((canvas: HTMLCanvasElement) => {
        return canvas
          .getContext('2d')
          ?.getImageData(0, 0, 28, 28)
          .data.some((value, i) => i % 4 < 3 && value > 0)
      })
      expect(isDrawn).toBe(true)
      const second = await textOf(page.locator('.pictures .mono').first())
      await page.locator('.pictures button').first().click()
      await eventually(() => textOf(page.locator('figcaption'))).toBe(second)
      expect(await faults()).toEqual([])
    })

    it('trades recall for time, and takes a vector', async () => {
      await go('#/search/index:points')
      await page.locator('.neighbor-rows li').first().waitFor()
      await page.getByRole('slider', { name: 'Effort' }).focus()
      await page.keyboard.press('Home')
      await page.keyboard.press('End')
      await page.getByText(/^step (\d+) of \1$/).waitFor()
      await button('Measure').click()
      await page.locator('.chart .dot').first().click({ timeout: 30_000 })
      await page.getByText(/Finds .* of the 10 nearest/).waitFor()
      expect(await page.locator('.dot.is-current').count()).toBe(1)
      await page.getByText('A vector of your own').click()
      await page.getByLabel('Vector', { exact: true }).fill('1 2')
      await button('Find its neighbors').click()
      await page.getByRole('alert').getByText(/24/).waitFor()
      await page.getByLabel('Vector', { exact: true }).fill(Array(24).fill('0.1').join(', '))
      await button('Find its neighbors').click()
      await page.getByRole('alert').waitFor({ state: 'detached' })
      expect(await faults()).toEqual([])
    })
  })

  describe('Memory', () => {
    it('answers, learns from rewards, remembers and forgets', async () => {
      await go('#/memory/notes')
      await page.getByText('4 memories').waitFor()
      await button(/^ops/).click()
      await page.getByLabel('Ask the memory').fill('why did the deploy fail?')
      await page.locator('.hit').first().waitFor()
      const first = () => textOf(page.locator('.hit .document-title').first())
      const [best, second] = await page.locator('.hit .document-title').allInnerTexts()
      for (let i = 0; i < 8 && (await first()) === best; i++) {
        await button(`It helped: ${second}`).click()
        await button(`It did not help: ${best}`).click()
        await page.getByText(`${2 * i + 2} rewards learned`).waitFor()
      }
      await eventually(first).toBe(second)
      expect(await faults()).toEqual([])
      await page.getByLabel('What happened').fill('the backup was empty')
      await page.getByLabel('What to know next time').fill('check the mount')
      await button('Remember').click()
      await page.getByText('5 memories').waitFor()
      await button('Forget the backup was empty').click()
      await page.getByText('4 memories').waitFor()
      await button('Undo').click()
      await page.getByText('5 memories').waitFor()
      await button(/^all/).click()
      await page.getByLabel('Stored memories').getByText('Anna asked for shorter answers').waitFor()
      await page.getByLabel('Ask the memory').fill('shorter answers')
      await eventually(first).toBe('answer in two sentences')
    })
  })

  describe('Models', () => {
    it('measures a model and shows its labels, worst first, its scores and its map', async () => {
      await go('#/models/titles')
      await page.getByText('Not measured yet').waitFor()
      await page.locator('input[type=file]').setInputFiles(made().data.test)
      await page.locator('.table tbody tr').first().waitFor({ timeout: 30_000 })
      const f1 = async () => (await page.locator('.table td.with-bar').allInnerTexts()).map(Number)
      expect(await f1()).toEqual([...(await f1())].sort((a, b) => a - b))
      await button('F1').click()
      expect((await f1())[0]).toBeGreaterThan(0)
      await page.getByLabel('Find a label', { exact: true }).fill('history')
      for (const name of await page.locator('.table tbody th').allInnerTexts()) expect(name).toContain('history')
      await page.getByRole('img', { name: /^Reliability/ }).waitFor()
      await page.getByLabel('Find a label on the map').fill('history')
      await page.locator('.place.is-found').first().waitFor()
      expect(await faults()).toEqual([])
    })

    it('draws the trees of a forest', async () => {
      await go('#/models/medical')
      const tree = page.getByRole('img', { name: /^Tree 0/ })
      await tree.waitFor()
      await eventually(() => tree.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100)
      await page.getByRole('combobox', { name: 'Tree', exact: true }).selectOption('1')
      await page.getByRole('img', { name: /^Tree 1/ }).waitFor()
      expect(await faults()).toEqual([])
    })
  })
}

function rowOf(page: Page, name: string) {
  return page.locator('.suggestion').filter({ has: page.getByText(name, { exact: true }) })
}
