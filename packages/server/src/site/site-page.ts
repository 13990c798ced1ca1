// The files of the page for a site: index.html says which files to load, and what a browser may do.

import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { EngineError } from '@vicinal/core'
import { pagePolicy } from '../http/page.ts'
import type { SiteFile } from './site-file.ts'

interface Site {
  readonly version: string
  readonly files: readonly SiteFile[]
}

/** By their paths, index.html last. */
export async function pageOf(folder: string, site: Site): Promise<Map<string, Uint8Array>> {
  const page = new Map<string, Uint8Array>()
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(cause => {
    throw noPage(folder, cause)
  })
  for (const entry of entries) {
    if (!entry.isFile() || entry.name.endsWith('.map')) continue
    const path = join(entry.parentPath, entry.name)
    page.set(
      path
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
      await readFile(path),
    )
  }
  const index = page.get('index.html')
  if (!index) throw noPage(folder)
  page.delete('index.html')
  return page.set('index.html', Buffer.from(indexOf(new TextDecoder().decode(index), site)))
}

function indexOf(html: string, site: Site): string {
  // "<" could end the script's element.
  const json = JSON.stringify(site).replaceAll('<', '\\u003c')
  const tags =
    `<meta http-equiv="Content-Security-Policy" content="${metaPolicy}">\n` +
    `<script type="application/json" id="vicinal-site">${json}</script>\n`
  // Right after the charset, because a policy only applies to what follows it.
  const at = html.indexOf('</head>')
  const charset = /<meta charset[^>]*>\s*/i.exec(html)
  const begin = charset ? charset.index + charset[0].length : at
  return html.slice(0, begin) + tags + html.slice(begin)
}

/** The host does not send our policy, so the page contains it. A policy in a page cannot say who may frame it. */
const metaPolicy = pagePolicy
  .split('; ')
  .filter(rule => !rule.startsWith('frame-ancestors'))
  .join('; ')

function noPage(folder: string, cause?: unknown): EngineError {
  return new EngineError('FILE_NOT_FOUND', 'there is no page in this folder', {
    ...{ where: { file: folder }, hint: 'Build it with `npm run build`, or reinstall vicinal.', cause },
  })
}
