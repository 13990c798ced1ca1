import { createApp, Service } from '@vicinal/server/http'
import { describe, expect, it } from 'vitest'
import type { ServedKind } from './backend.ts'
import { requestOf } from './http-backend.ts'
import { folders, routes } from './routes.ts'

describe('requests to the service', () => {
  it('have the path, the fields and the body that an operation takes', () => {
    expect(requestOf('model', 'my titles', 'predict', { text: 'a', top: 3 })).toEqual([
      'v1/models/my%20titles/predict',
      { method: 'POST', body: '{"text":"a","top":3}' },
    ])
    expect(requestOf('memory', 'notes', 'remove', { id: 'a/b' })).toEqual([
      'v1/memories/notes/memories/a%2Fb',
      { method: 'DELETE' },
    ])
    expect(requestOf('model', 't', 'labels', { search: 'a&b', limit: 7, language: undefined })[0]).toBe(
      'v1/models/t/labels?search=a%26b&limit=7',
    )
  })

  it('go to routes that the service has', async () => {
    const app = createApp(await Service.open([]))
    const response = await app.request('http://localhost/openapi.json', { headers: { host: 'localhost' } })
    const { paths } = (await response.json()) as { paths: Record<string, object> }
    const served = Object.entries(paths).flatMap(([path, verbs]) =>
      Object.keys(verbs).map(verb => `${verb.toUpperCase()} ${path}`),
    )
    const asked = Object.entries(routes).flatMap(([kind, own]) =>
      Object.values(own).map(([verb, path]) => `${verb} /v1/${folders[kind as ServedKind]}/{name}${path}`),
    )
    expect(asked.filter(route => !served.includes(route))).toEqual([])
  })
})
