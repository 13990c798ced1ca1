// The page at '/': built files, read once when the service starts. A request is answered only if its path is the name of one of them, so no
// path can lead anywhere else.

import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { EngineError } from '@vicinal/core'
import type { Hono } from 'hono'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
}

/** Everything comes from the service itself; nothing inline is run; no other page can frame it. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The names of hashed files change with their contents, so browsers may keep them. Vite writes them to this folder. */
const hashed = /^\/assets\/[^/]+-[\w-]{8,}\.\w+$/

interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly headers: Readonly<Record<string, string>>
}

export function addPage(app: Hono, folder: string): void {
  for (const [path, { bytes, headers }] of readPage(folder)) app.get(path, context => context.body(bytes, 200, headers))
}

/** By the path of a request. */
function readPage(folder: string): Map<string, PageFile> {
  const files = new Map<string, PageFile>()
  for (const name of fileNames(folder)) {
    const path = `/${name.split(sep).join('/')}`
    const type = types[extname(name)]
    if (type === undefined) continue // such as source maps
    const bytes = new Uint8Array(readFileSync(join(folder, name)))
    const headers = { 'content-type': type, 'cache-control': cachingOf(path), 'content-security-policy': pagePolicy }
    files.set(path, { bytes, headers })
  }
  const index = files.get('/index.html')
  if (!index) throw noPage(folder)
  return files.set('/', index)
}

function cachingOf(path: string): string {
  return hashed.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache'
}

function fileNames(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
  } catch (cause) {
    throw noPage(folder, cause)
  }
}

function noPage(folder: string, cause?: unknown): EngineError {
  return new EngineError('FILE_NOT_FOUND', 'there is no page in this folder', {
    ...{ where: { file: folder }, hint: 'Build it with `npm run build`, or reinstall vicinal.', cause },
  })
}
