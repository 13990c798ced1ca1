// A real service with the page, and a browser that opens it on a screen.

import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type ServeOptions, type Serving, serve } from '@vicinal/server/http'
import { pageFolder } from '@vicinal/web'
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { executablePath, quiet } from './browser.cases.ts'
import type { PageData } from './page-data.ts'

export interface Screen {
  readonly name: string
  readonly viewport: { readonly width: number; readonly height: number }
  readonly colorScheme: 'light' | 'dark'
}

const desk = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }

export const screens = {
  deskLight: { name: 'a desk, light', viewport: desk, colorScheme: 'light' },
  deskDark: { name: 'a desk, dark', viewport: desk, colorScheme: 'dark' },
  phoneLight: { name: 'a phone, light', viewport: phone, colorScheme: 'light' },
  phoneDark: { name: 'a phone, dark', viewport: phone, colorScheme: 'dark' },
} as const

/** Expects something of what `read` returns, sooner or later: machines are slow at times. */
export function eventually(read: () => unknown): ReturnType<typeof expect.poll> {
  return expect.poll(read, { timeout: 15_000 })
}

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: executablePath ?? '', args: quiet })
}

/** A service of copies of the data, so that what one test changes no other sees. */
export class PageService {
  readonly #folder: string
  readonly #serving: Serving

  private constructor(folder: string, serving: Serving) {
    this.#folder = folder
    this.#serving = serving
  }

  static async start({ paths }: Pick<PageData, 'paths'>, options: ServeOptions = {}): Promise<PageService> {
    const folder = await mkdtemp(join(tmpdir(), 'vicinal-page-'))
    const copies = paths.map(path => join(folder, basename(path)))
    await Promise.all(paths.map((path, i) => cp(path, copies[i] ?? '', { recursive: true })))
    return new PageService(folder, await serve(copies, { port: 0, page: pageFolder, ...options }))
  }

  get url(): string {
    return this.#serving.url
  }

  async close(): Promise<void> {
    await this.#serving.close()
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/** A tab with the page, and what went wrong in it. */
export class PageTab {
  readonly page: Page
  readonly errors: string[] = []

  private constructor(page: Page) {
    this.page = page
    page.on('pageerror', error => this.errors.push(String(error)))
    page.on('console', message => {
      // Chromium reports every failed request; the page shows them, and tests look at that.
      const isRequest = message.text().startsWith('Failed to load resource')
      if (['error', 'warning'].includes(message.type()) && !isRequest) this.errors.push(message.text())
    })
  }

  static async open(browser: Browser, { viewport, colorScheme }: Screen, address: string): Promise<PageTab> {
    const context = await browser.newContext({ viewport, colorScheme, acceptDownloads: true })
    context.setDefaultTimeout(15_000)
    const tab = new PageTab(await context.newPage())
    await tab.page.goto(address)
    return tab
  }

  /** What axe-core calls serious or critical, and whether the page is wider than the screen. */
  async faults(): Promise<string[]> {
    await this.page.evaluate(axe.source)
    const violations = await this.page.evaluate(async () => {
      const { axe } = window as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } }
      interface Violation {
        readonly id: string
        readonly impact: string
        readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
      }
      // Ends all transitions: colors in the middle of one would be measured.
      await Promise.all(document.getAnimations().map(animation => animation.finished.catch(() => {})))
      const { violations } = await axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] })
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html.slice(0, 160)).join(' | ')}`)
    })
    const overflow = await this.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    return [...this.errors, ...violations, ...(overflow > 0 ? [`the page is ${overflow} px too wide`] : [])]
  }

  async close(): Promise<void> {
    await this.page.context().close()
  }
}
