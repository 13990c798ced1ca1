// Reads the texts on the page, and the files that it offers.

import { readFile } from 'node:fs/promises'
import type { Download, Locator } from 'playwright-core'

/** ', score 0.12' → '0.12'. */
export function figure(text: string): string {
  return /[\d.]+(e-\d+)?$/.exec(text)?.[0] ?? ''
}

export async function linesOf(download: Download): Promise<string[]> {
  const text = await readFile(await download.path(), 'utf8')
  return text.trim().split(/\r?\n/)
}

export async function textOf(locator: Locator): Promise<string> {
  return (await locator.first().allInnerTexts())[0] ?? ''
}
