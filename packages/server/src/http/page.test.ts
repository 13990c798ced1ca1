import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from './app.ts'

let folder: string
let app: Hono
const nothing = { served: [], call: async () => '{}', close: async () => {} }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-page-'))
  const page = join(folder, 'dist')
  await mkdir(join(page, 'assets'), { recursive: true })
  await writeFile(join(folder, 'secret.txt'), 'secret')
  await writeFile(join(page, 'index.html'), '<!doctype html><title>Page</title>')
  await writeFile(join(page, 'assets/index-B1a2_C3d.js'), 'export {}')
  await writeFile(join(page, 'assets/index-B1a2_C3d.js.map'), '{}')
  await writeFile(join(page, 'assets/style.css'), 'body {}')
  await writeFile(join(page, 'icon.svg'), '<svg/>')
  await symlink(join(folder, 'secret.txt'), join(page, 'assets/link.txt'))
  app = createApp(nothing, { page })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await app.request(`http://localhost${path}`, { headers: { host: 'localhost', ...headers } })
  const { status, headers: answered } = response
  return {
    status,
    type: answered.get('content-type'),
    cache: answered.get('cache-control'),
    text: await response.text(),
    answered,
  }
}

describe('the page', () => {
  it('is at / with a strict policy, and is asked for again every time', async () => {
    const { status, type, cache, text, answered } = await get('/')
    expect({ status, type, cache, text }).toEqual({
      ...{ status: 200, type: 'text/html; charset=utf-8', cache: 'no-cache' },
      text: '<!doctype html><title>Page</title>',
    })
    const policy = answered.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/'unsafe-|\*/)
    expect(answered.get('x-content-type-options')).toBe('nosniff')
  })

  it('lets browsers keep files whose names change with their contents, and no others', async () => {
    expect(await get('/assets/index-B1a2_C3d.js')).toMatchObject({
      ...{ status: 200, type: 'text/javascript; charset=utf-8', cache: 'public, max-age=31536000, immutable' },
    })
    expect(await get('/assets/style.css')).toMatchObject({ type: 'text/css; charset=utf-8', cache: 'no-cache' })
    expect(await get('/icon.svg')).toMatchObject({ type: 'image/svg+xml' })
  })

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/../../secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/assets/link.txt',
    '/assets/',
    '/assets',
    '//index.html',
    '/index.html%00.js',
    '/assets/index-B1a2_C3d.js.map',
  ])('answers %s with a problem, and no file', async path => {
    const { status, type, text } = await get(path)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(type).toBe('application/problem+json')
    expect(text).not.toContain('secret"')
  })

  it('is not for foreign hosts', async () => {
    expect((await get('/', { host: 'evil.example' })).status).toBe(403)
  })

  it('leaves the API where it is', async () => {
    expect((await get('/health')).text).toBe('{"status":"ok"}')
    expect((await get('/v1/served')).status).toBe(200)
    const without = createApp(nothing)
    const response = await without.request('http://localhost/', { headers: { host: 'localhost' } })
    expect(response.status).toBe(404)
  })

  it('has to be there', () => {
    expect(() => createApp(nothing, { page: join(folder, 'none') })).toThrow('there is no page in this folder')
    expect(() => createApp(nothing, { page: join(folder, 'dist/assets') })).toThrow('there is no page in this folder')
  })
})
