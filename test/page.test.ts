// The page in a real browser, on the screens of a desk and a phone.

import { describe, expect, it } from 'vitest'
import { executablePath } from './browser.cases.ts'
import { describePage } from './page.cases.ts'
import { eventually, PageService, PageTab, screens } from './page-browser.ts'
import { makeOnce } from './page-made.ts'

describePage([screens.deskLight, screens.phoneDark])

describe.skipIf(!executablePath)('the page, whatever happens', () => {
  const made = makeOnce(1000)

  it('works by keys alone', async () => {
    const service = await PageService.start(made().data)
    const tab = await PageTab.open(made().browser, screens.deskLight, `${service.url}/#/tag/titles`)
    const { keyboard } = tab.page
    await tab.page.getByText('Suggestions appear as you type').waitFor()
    await keyboard.press('e')
    await keyboard.type('A history of art')
    await tab.page.locator('.suggestion').first().waitFor()
    await keyboard.press('Escape')
    await keyboard.press('j')
    await keyboard.press('w')
    await tab.page.getByText('Neighbors that have it').waitFor()
    await keyboard.press('a')
    await tab.page.getByLabel('Labels of this text').getByRole('listitem').waitFor()
    await keyboard.press('n')
    await keyboard.type('a new one')
    await tab.page.getByRole('option', { name: /a new one/ }).waitFor()
    await keyboard.press('ArrowUp')
    await keyboard.press('Enter')
    await eventually(() => tab.page.getByLabel('Labels of this text').getByRole('listitem').count()).toBe(2)
    await keyboard.press('Escape')
    await keyboard.press('u')
    await eventually(() => tab.page.getByLabel('Labels of this text').getByRole('listitem').count()).toBe(0)
    await keyboard.press('?')
    await tab.page.getByRole('dialog').waitFor()
    expect(await tab.faults()).toEqual([])
    await tab.close()
    await service.close()
  })

  it('says that the service is gone, keeps what it shows, and goes on when it is back', async () => {
    const service = await PageService.start(made().data)
    const tab = await PageTab.open(made().browser, screens.phoneLight, `${service.url}/#/tag/titles`)
    await tab.page.getByText('Suggestions appear as you type').waitFor()
    await tab.page.context().setOffline(true)
    await tab.page.getByLabel('The text to tag').fill('A history of art')
    await tab.page.getByText('The service does not answer.', { exact: true }).waitFor()
    expect(await tab.faults()).toEqual([])
    expect(await tab.page.getByText('The service does not answer').count()).toBe(1)
    await tab.page.setViewportSize(screens.deskLight.viewport)
    const middles = await tab.page.locator('.offline > *').evaluateAll(parts =>
      parts.map(part => {
        const { top, height } = part.getBoundingClientRect()
        return top + height / 2
      }),
    )
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(2)
    await tab.page.context().setOffline(false)
    await tab.page.locator('.suggestion').first().waitFor()
    expect(await tab.page.getByLabel('The text to tag').inputValue()).toBe('A history of art')
    await tab.close()
    await service.close()
  })

  it('asks for a token, and says that one is wrong', async () => {
    const service = await PageService.start(made().data, { tokens: [{ secret: 'open sesame 1234', access: 'write' }] })
    const tab = await PageTab.open(made().browser, screens.phoneDark, service.url)
    await tab.page.getByLabel('Token').fill('guessed wrongly')
    await tab.page.getByRole('button', { name: 'Go on' }).click()
    await tab.page.getByText('The service does not know this token.').waitFor()
    expect(await tab.faults()).toEqual([])
    await tab.page.getByLabel('Token').fill('open sesame 1234')
    await tab.page.getByRole('button', { name: 'Go on' }).click()
    await tab.page.getByText('Suggestions appear as you type').waitFor()
    await tab.close()
    await service.close()
  })

  it('says what to do in a room that has nothing to show', async () => {
    const service = await PageService.start({ paths: made().data.paths.filter(path => path.endsWith('notes')) })
    const tab = await PageTab.open(made().browser, screens.deskDark, service.url)
    for (const [room, says] of Object.entries({
      tag: 'No model',
      search: 'No collection or index',
      models: 'No model',
    })) {
      await tab.page.goto(`${service.url}/#/${room}`)
      await tab.page.getByText(`${says} is served`).waitFor()
      expect(await tab.faults()).toEqual([])
    }
    await tab.close()
    await service.close()
  })

  it('fits a screen of 360 pixels', async () => {
    const service = await PageService.start(made().data)
    const small = { ...screens.phoneLight, viewport: { width: 360, height: 640 } }
    const tab = await PageTab.open(made().browser, small, service.url)
    for (const place of [
      'tag/titles',
      'search/collection:books',
      'search/index:clothes',
      'memory/notes',
      'models/titles',
      'models/medical',
    ]) {
      await tab.page.goto(`${service.url}/#/${place}`)
      await tab.page.locator('.card').first().waitFor()
      expect(await tab.faults(), place).toEqual([])
    }
    await tab.close()
    await service.close()
  }, 60_000)

  it('fits a phone with labels that are longer than a line', async () => {
    const service = await PageService.start(made().data)
    const tab = await PageTab.open(made().browser, screens.phoneDark, `${service.url}/#/tag/titles`)
    await tab.page.getByLabel('The text to tag').fill('A history of art')
    await tab.page.locator('.suggestion').first().waitFor()
    const label = 'x'.repeat(90)
    await tab.page.getByLabel('Add a label').fill(label)
    await tab.page.getByRole('option', { name: label }).click()
    await tab.page.locator('.corrections').getByText(label).waitFor()
    await tab.page.locator('.toast').waitFor()
    expect(await tab.page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    expect(await tab.faults()).toEqual([])
    await tab.close()
    await service.close()
  }, 60_000)

  it('lines up documents on a phone, short or long, and what they are to be like', async () => {
    const service = await PageService.start(made().data)
    const tab = await PageTab.open(made().browser, screens.phoneLight, service.url)
    const documents = ['short', 'one word after the other, '.repeat(20)].map((text, id) => ({ id, text }))
    const hits = documents.map(document => ({ id: document.id, score: 1, document }))
    await tab.page.route('**/list', route => route.fulfill({ json: { documents, count: 2 } }))
    await tab.page.route('**/search', route => route.fulfill({ json: { hits } }))
    await tab.page.goto(`${service.url}/#/search/collection:books`)
    await tab.page
      .getByRole('button', { name: /^More like/ })
      .last()
      .click()
    await tab.page.locator('.document-score').last().waitFor()
    const rights = (part: string) =>
      tab.page.locator(part).evaluateAll(all => all.map(one => Math.round(one.getBoundingClientRect().right)))
    const [card = 0] = await rights('.card')
    const ends = await rights('.document-end')
    expect(new Set(ends).size).toBe(1)
    expect((await rights('.chip.on')).every(right => right < card)).toBe(true)
    expect(await tab.page.locator('.liked').evaluate(one => one.getClientRects().length)).toBe(1)
    await tab.close()
    await service.close()
  })

  it('fits a phone if the labels and documents that it lists are long', async () => {
    const service = await PageService.start(made().data)
    const tab = await PageTab.open(made().browser, screens.phoneLight, `${service.url}/#/memory/notes`)
    const label = `https://example.org/${'x'.repeat(90)}`
    await tab.page.route('**/labels?*', route => route.fulfill({ json: { labels: [{ label, rows: 1 }] } }))
    const documents = [{ id: 'long', text: 'one word after the other, '.repeat(100) }]
    await tab.page.route('**/list', route => route.fulfill({ json: { documents, count: 1 } }))
    await tab.page.goto(`${service.url}/#/tag/titles`)
    await tab.page.getByText(label).waitFor()
    expect(await tab.faults()).toEqual([])
    await tab.page.goto(`${service.url}/#/search/collection:books`)
    const title = await tab.page.locator('.document-title').boundingBox()
    expect(title?.height).toBeLessThan(100)
    expect(await tab.faults()).toEqual([])
    await tab.close()
    await service.close()
  }, 60_000)
})
