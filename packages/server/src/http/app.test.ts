import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { LcifClassifier } from '@vicinal/core'
import type { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { Service } from '../service/service.ts'
import { createApp } from './app.ts'
import { TestService } from './service.cases.ts'
import { readTokens } from './token-file.ts'

const served = new TestService()

const host = { host: 'localhost:4747' }

async function ask(path: string, body?: unknown, init: RequestInit = {}, to: Hono = served.app) {
  const response = await to.request(path, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    ...init,
    headers: { ...host, ...(body !== undefined && { 'content-type': 'application/json' }), ...init.headers },
  })
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  return { status: response.status, type, body: /json$/.test(type) ? JSON.parse(text) : text }
}

describe('the service answers', () => {
  it('what it serves', async () => {
    expect((await ask('/v1/served')).body).toEqual({
      served: [
        { kind: 'model', name: 'tagger' },
        { kind: 'index', name: 'shapes' },
        { kind: 'collection', name: 'notes' },
        { kind: 'memory', name: 'diary' },
      ],
      version: '0.0.0',
    })
    expect((await ask('/health')).body).toEqual({ status: 'ok' })
    expect((await ask('/ready')).status).toBe(200)
  })

  it('which labels fit a text, and why', async () => {
    const { body } = await ask('/v1/models/tagger/predict', { text: 'Old ships', top: 2, explain: true })
    expect(body.labels).toHaveLength(2)
    expect(body.labels[0]).toMatchObject({ label: 'ships', because: { label: 'ships' } })
    const explained = await ask('/v1/models/tagger/explain', { text: 'Old ships' })
    expect(explained.body.features[0].feature).toBe('ships')
  })

  it('names of labels in the language that was asked for', async () => {
    const suggested = async (more: object) =>
      (await ask('/v1/models/tagger/predict', { text: 'Old ships', top: 1, ...more })).body.labels
    expect(await suggested({})).toMatchObject([{ label: 'ships', name: 'Ships' }])
    expect(await suggested({ language: 'fi' })).toMatchObject([{ label: 'ships', name: 'laivat' }])
    expect((await ask('/v1/models/tagger/labels?search=laiv&language=fi')).body.labels).toMatchObject([
      { label: 'ships', name: 'laivat' },
    ])
    expect((await ask('/v1/models/tagger/predict', { text: 'x', language: 'sv' })).status).toBe(400)
    expect(await suggested({ language: 'fi', explain: true })).toMatchObject([{ because: { name: 'laivat' } }])
    const why = await ask('/v1/models/tagger/explain', { text: 'Old ships', label: 'Ships', language: 'fi' })
    expect(why.body).toMatchObject({ label: 'ships', name: 'laivat' })
  })

  it('the label that was searched for, before others that begin with it', async () => {
    const model = await LcifClassifier.fit(
      ['p1234', 'p1234', 'p123', 'p12', 'p12x'].map(label => ({ text: `a text about ${label}`, labels: [label] })),
      { weighting: 'none' },
    )
    const path = join(served.files.folder, 'prefixes.model')
    await model.save(path)
    const other = await Service.open([path])
    const { body } = await ask('/v1/models/prefixes/labels?search=P12&limit=2', undefined, {}, createApp(other))
    expect(body.labels.map(({ label }: { label: string }) => label)).toEqual(['p12', 'p1234'])
    await other.close()
  })

  it('a batch in the order of the items', async () => {
    const items = [{ text: 'Old ships' }, { text: 'Little birds' }]
    const { body } = await ask('/v1/models/tagger/predict-batch', { items, top: 1 })
    const best = body.predictions.map(({ labels }: { labels: { label: string }[] }) => labels[0]?.label)
    expect(best).toEqual(['ships', 'birds'])
  })

  it('searches of an index, a collection and a memory', async () => {
    expect((await ask('/v1/indexes/shapes/search', { vector: [1, 0.3], k: 1 })).body.neighbors[0].id).toBe('apple')
    const { body } = await ask('/v1/collections/notes/search', { text: 'tallinn', filter: { year: { gte: 2020 } } })
    expect(body.hits.map(({ id }: { id: string }) => id)).toEqual(['n1'])
    expect((await ask('/v1/memories/diary/query', { key: 'disk is full', k: 1 })).body.hits[0].id).toBe('disk')
  })

  it('a document by its number as well as by its text', async () => {
    expect((await ask('/v1/collections/notes/documents/2')).body.document).toMatchObject({ id: 2 })
    expect((await ask('/v1/collections/notes/documents/n1')).body.document).toMatchObject({ id: 'n1' })
    expect((await ask('/v1/collections/notes/documents/3')).status).toBe(404)
  })

  it('how good a model is, per label too', async () => {
    const items = [
      { text: 'Old ships', labels: ['ships'] },
      { text: 'Little birds', labels: ['birds'] },
    ]
    const { body } = await ask('/v1/models/tagger/evaluate', { items })
    expect(body.metrics['p@1']).toBe(1)
    expect(body.perLabel.map(({ label }: { label: string }) => label)).toContain('ships')
  })

  it('metrics that name routes, not callers', async () => {
    const { body } = await ask('/metrics')
    expect(body).toContain('route="/v1/models/:name/predict"')
    expect(body).not.toContain('tagger')
  })

  it('an OpenAPI document of every operation, and a page of it', async () => {
    const { body } = await ask('/openapi.json')
    expect(body.openapi).toBe('3.1.0')
    expect(body.paths['/v1/models/{name}/predict'].post.operationId).toBe('model_predict')
    expect(JSON.stringify(body)).not.toContain('#/$defs')
    expect((await ask('/docs')).body).toContain('/v1/memories/{name}/reward')
  })
})

describe('changes', () => {
  it('are learned at once, listed, undone, and there after a restart', async () => {
    const learned = await ask('/v1/models/tagger/learn', {
      items: [{ text: 'Lighthouses on the coast', labels: ['lighthouses'] }],
    })
    expect(learned.status).toBe(200)
    const [{ id }] = learned.body.corrections
    const best = async () =>
      (await ask('/v1/models/tagger/predict', { text: 'lighthouses on the coast', top: 1 })).body.labels[0].label
    expect(await best()).toBe('lighthouses')
    await served.reopen()
    expect(await best()).toBe('lighthouses')
    expect((await ask('/v1/models/tagger/corrections')).body.corrections).toMatchObject([
      { id, labels: ['lighthouses'] },
    ])
    await ask(`/v1/models/tagger/corrections/${id}`, undefined, { method: 'DELETE' })
    expect(await best()).toBe('birds')
    expect((await ask(`/v1/models/tagger/corrections/${id}`, undefined, { method: 'DELETE' })).status).toBe(404)
  })

  it('may give labels by their names', async () => {
    const items = [{ text: 'Ships and birds', labels: ['Ships', 'a new one'], rejected: ['birds'] }]
    const { body } = await ask('/v1/models/tagger/learn', { items })
    expect(body.corrections).toMatchObject([{ labels: ['ships', 'a new one'], rejected: ['birds'] }])
    await ask(`/v1/models/tagger/corrections/${body.corrections[0].id}`, undefined, { method: 'DELETE' })
  })

  it('teach all items of a request, or none', async () => {
    const before = (await ask('/v1/models/tagger/corrections')).body
    const known = { text: 'Sailing on the lakes', labels: ['sailing'] }
    const learned = await ask('/v1/models/tagger/learn', { items: [known] })
    const change = { ...known, labels: ['boats'] }
    const refused = await ask('/v1/models/tagger/learn', { items: [change, { text: 'qwxyz', labels: ['boats'] }] })
    expect(refused.body).toMatchObject({ status: 422, detail: expect.stringMatching(/^item 1 .*no word/) })
    const shape = await ask('/v1/models/tagger/learn', { items: [change, { text: 5, labels: ['boats'] }] })
    expect(shape.body).toMatchObject({ status: 400, detail: expect.stringContaining('items.1') })
    const after = (await ask('/v1/models/tagger/corrections')).body.corrections
    expect(after).toEqual([...before.corrections, ...learned.body.corrections])
    const best = await ask('/v1/models/tagger/predict', { text: known.text, top: 1 })
    expect(best.body.labels).toMatchObject([{ label: 'sailing' }])
    const labels = (await ask('/v1/models/tagger/labels')).body.labels.map(({ label }: { label: string }) => label)
    expect(labels).not.toContain('boats')
  })

  it('of one item in one request: the last counts, now and after a restart', async () => {
    const text = 'Inland ships and engines'
    const twice = [{ text, labels: ['engines'] }, { text, labels: ['canals'] }] // biome-ignore format: one line
    expect((await ask('/v1/models/tagger/learn', { items: twice })).body.corrections).toHaveLength(2)
    const state = async () => ({
      corrections: (await ask('/v1/models/tagger/corrections')).body.corrections,
      rows: (await ask('/v1/models/tagger')).body.rows,
    })
    const kept = await state()
    expect(kept.corrections.filter(({ item }: { item: { text: string } }) => item.text === text)).toMatchObject([
      { labels: ['canals'] },
    ])
    await served.reopen()
    expect(await state()).toEqual(kept)
  })

  it('that reject labels alone keep them from being suggested for that text again, also after a restart', async () => {
    const text = 'Birds over the harbor'
    const labels = async (asked = text) => {
      const { body } = await ask('/v1/models/tagger/predict', { text: asked, top: 2 })
      return body.labels.map(({ label }: { label: string }) => label)
    }
    const [first, second] = await labels()
    const { rows } = (await ask('/v1/models/tagger')).body
    const learned = await ask('/v1/models/tagger/learn', { items: [{ text, rejected: [first] }] })
    const [correction] = learned.body.corrections
    expect(correction).toMatchObject({ item: { text }, rejected: [first] })
    expect(correction).not.toHaveProperty('labels') // the model was not taught
    expect((await ask('/v1/models/tagger')).body.rows).toBe(rows)
    expect((await labels())[0]).toBe(second)
    expect(await labels('birds')).toContain(first) // of other texts nothing was said
    const { body } = await ask('/v1/models/tagger/predict-batch', { items: [{ text: 'birds' }, { text }], top: 1 })
    expect(body.predictions[1].labels).toMatchObject([{ label: second }])
    await served.reopen()
    expect((await labels())[0]).toBe(second)
    await ask(`/v1/models/tagger/corrections/${correction.id}`, undefined, { method: 'DELETE' })
    expect((await labels())[0]).toBe(first)
  })

  it('that say that no label fits lower the scores of similar texts', async () => {
    const best = async () => (await ask('/v1/models/tagger/predict', { text: 'old ships', top: 1 })).body.labels[0]
    const before = await best()
    const { body } = await ask('/v1/models/tagger/learn', { items: [{ text: 'ships', labels: [] }] })
    expect((await best()).score).toBeLessThan(before.score)
    await ask(`/v1/models/tagger/corrections/${body.corrections[0].id}`, undefined, { method: 'DELETE' })
    expect(await best()).toEqual(before)
  })

  it.each([
    [{}, 422, 'item 0 has neither labels nor rejected labels'],
    [{ rejected: [] }, 422, 'item 0 has neither labels nor rejected labels'],
    [{ rejected: ['shipz'] }, 400, 'item 0 rejects "shipz", which is no label of the model'],
    [{ labels: ['ships'], rejected: ['ships'] }, 422, 'item 0 has and rejects the label "ships"'],
  ])('that say nothing, or two things at once, are refused: %j', async (given, status, detail) => {
    const { body } = await ask('/v1/models/tagger/learn', { items: [{ text: 'old ships', ...given }] })
    expect(body).toMatchObject({ status, detail })
  })

  it('store all documents of a request, or none', async () => {
    const { count } = (await ask('/v1/collections/notes/list', {})).body
    for (const [bad, status, detail] of [
      [{ id: 'bad', text: 'x', vector: [1, 2, 3] }, 422, '"bad"'],
      [{ id: 'bad', text: 'x', vector: [0, 0] }, 422, '"bad"'],
      [{ id: 'bad', text: 'x', words: 'x' }, 400, 'documents.1'],
    ] as const) {
      const documents = [{ id: 'good', text: 'a tug', vector: [1, 2] }, bad] // the collection has no vectors yet
      const { body } = await ask('/v1/collections/notes/documents', { documents })
      expect(body).toMatchObject({ status, detail: expect.stringContaining(detail) })
    }
    expect((await ask('/v1/collections/notes/list', {})).body.count).toBe(count)
  })

  it('refuse an empty number in the address', async () => {
    for (const path of [
      '/v1/models/tagger/labels?limit=',
      '/v1/indexes/shapes/items?offset=',
      '/v1/models/tagger/map?limit=%20',
    ]) {
      expect((await ask(path)).body).toMatchObject({
        status: 400,
        detail: expect.stringContaining('expected a number'),
      })
    }
  })

  it('of a collection in a file are there after a restart', async () => {
    await ask('/v1/collections/notes/documents', { documents: [{ id: 'n9', text: 'An icebreaker in the harbor' }] })
    await ask('/v1/collections/notes/documents/2', undefined, { method: 'DELETE' })
    await served.reopen()
    expect((await ask('/v1/collections/notes/search', { text: 'icebreaker' })).body.hits[0].id).toBe('n9')
    expect((await ask('/v1/collections/notes/documents/2')).status).toBe(404)
  })

  it('of a memory are found and listed by metadata and value', async () => {
    const insert = (key: string, value: unknown, metadata: object) =>
      ask('/v1/memories/diary/insert', { key, value, metadata, namespace: 'hosts' })
    await insert('the disk is full', { kind: 'fix' }, { host: 'db1' })
    await insert('the disk is slow', { kind: 'note' }, { host: 'db1' })
    await insert('the disk is gone', { kind: 'fix' }, { host: 'db2' })
    const filter = { metadata: { host: 'db1' }, value: { kind: 'fix' } }
    const found = await ask('/v1/memories/diary/query', { key: 'disk', namespace: 'hosts', filter })
    expect(found.body.hits).toMatchObject([{ text: 'the disk is full' }])
    const listed = await ask('/v1/memories/diary/list', { namespace: 'hosts', filter: { metadata: { host: 'db1' } } })
    expect(listed.body).toMatchObject({ count: 2, memories: [{}, {}] })
    const wrong = await ask('/v1/memories/diary/list', { filter: { metadata: { host: { like: 'db' } } } })
    expect(wrong.body).toMatchObject({ status: 400, detail: expect.stringContaining('filter.host has "like"') })
  })

  it('of a memory are rewarded by the hit as it came', async () => {
    const { body } = await ask('/v1/memories/diary/insert', { key: 'login fails', value: 'restart', namespace: 'anna' })
    const query = { key: 'login', namespace: 'anna' }
    const [hit] = (await ask('/v1/memories/diary/query', query)).body.hits
    expect(hit.id).toBe(body.id)
    expect((await ask('/v1/memories/diary/reward', { hit, reward: 1 })).body.memory).toMatchObject({
      rewards: 1,
      reward: 1,
    })
    expect(
      (await ask('/v1/memories/diary/query', { key: 'login' })).body.hits.map((one: { id: number }) => one.id),
    ).not.toContain(body.id)
    await ask(`/v1/memories/diary/memories/${body.id}`, undefined, { method: 'DELETE' })
    expect((await ask(`/v1/memories/diary/memories/${body.id}`)).status).toBe(404)
  })
})

describe('bad requests', () => {
  it.each([
    ['models/tagger/predict', { txt: 'a' }, 'unknown field "txt" (did you mean "text"?); text or vector is missing'],
    ['models/tagger/predict', {}, 'text or vector is missing'],
    ['models/tagger/predict', { text: 7 }, 'text is 7, expected a text'],
    ['models/tagger/predict', { text: 'x', tpo: 3 }, 'unknown field "tpo" (did you mean "top"?)'],
    ['models/tagger/predict', { text: 'x', top: 0 }, 'top is 0, expected at least 1'],
    ['models/tagger/predict', { text: 'x', top: 'many' }, "top is 'many', expected a number"],
    ['models/tagger/predict-batch', { items: [{ text: 'a' }, { txt: 'b' }] }, 'unknown field "items.1.txt" (did you mean "text"?); items.1.text or items.1.vector is missing'], // biome-ignore format: a line each
    ['indexes/shapes/search', { vektor: [1] }, 'unknown field "vektor" (did you mean "vector"?); vector, text or like is missing'], // biome-ignore format: a line each
    ['memories/diary/query', { text: 'red door' }, 'unknown field "text", expected key, k, namespace, minScore or filter; key is missing, expected a text, a list or an object'], // biome-ignore format: a line each
    ['memories/diary/query', { key: 7 }, 'key is 7, expected a text, a list or an object'],
    [
      'memories/diary/query',
      { key: 'x', filter: { kind: 'a' } },
      'unknown field "filter.kind", expected ids, metadata or value',
    ],
    ['memories/diary/list', { order: 'best' }, `order is 'best', expected "newest", "oldest" or "reward"`],
  ])('%s %j says which field is wrong, and what is expected', async (route, body, detail) => {
    expect((await ask(`/v1/${route}`, body)).body).toMatchObject({ code: 'INVALID_OPTION', detail })
  })

  it('but not a query that says nothing: no memory is like it', async () => {
    for (const key of ['', '???']) {
      expect(await ask('/v1/memories/diary/query', { key })).toMatchObject({ status: 200, body: { hits: [] } })
      expect(await ask('/v1/memories/diary/insert', { key })).toMatchObject({ status: 422 })
    }
  })

  it.each([
    ['an unknown route', '/v1/nothing', {}, 404, 'NO_ROUTE'],
    ['an unknown model', '/v1/models/nobody/predict', { text: 'x' }, 404, 'UNKNOWN_NAME'],
    ['an unknown field', '/v1/models/tagger/predict', { text: 'x', tpo: 3 }, 400, 'INVALID_OPTION'],
    ['a wrong type', '/v1/models/tagger/predict', { text: 7 }, 400, 'INVALID_OPTION'],
    ['a vector for a model of texts', '/v1/models/tagger/predict', { vector: [1] }, 400, 'INVALID_OPTION'],
    ['a vector of the wrong size', '/v1/indexes/shapes/search', { vector: [1] }, 422, 'DIMENSION_MISMATCH'],
    ['too many labels', '/v1/models/tagger/predict', { text: 'x', top: 1e9 }, 400, 'INVALID_OPTION'],
    [
      'a reward above 1',
      '/v1/memories/diary/reward',
      { hit: { id: 'disk', query: { key: 'x' } }, reward: 2 },
      400,
      'INVALID_OPTION',
    ],
  ])('%s gets a problem that says so', async (_, path, body, status, code) => {
    const answer = await ask(path, body)
    expect(answer).toMatchObject({ status, type: 'application/problem+json', body: { code, status } })
  })

  it.each([
    ['not JSON', '{"text":', 400, 'BAD_JSON'],
    ['a list', '[]', 400, 'BAD_JSON'],
    ['deep', '['.repeat(100_000) + ']'.repeat(100_000), 400, 'TOO_DEEP'],
    ['__proto__', '{"text": "x", "__proto__": {"top": 1}}', 400, 'BAD_NAME'],
    ['not UTF-8', new Uint8Array([123, 255, 254, 125]), 400, 'BAD_UTF8'],
    ['too large', `{"text": "${'x'.repeat(2000)}"}`, 413, 'TOO_LARGE'],
    ['compressed', gzipSync('{"text": "ships"}'), 415, 'ENCODED'],
  ])('a body that is %s is refused', async (_, body, status, code) => {
    const small = createApp(served.service, { bodyBytes: code === 'TOO_LARGE' ? 1000 : 2 ** 24 })
    const encoding = code === 'ENCODED' ? { 'content-encoding': 'gzip' } : {}
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json', ...encoding } } as RequestInit
    expect(await ask('/v1/models/tagger/predict', undefined, init, small)).toMatchObject({ status, body: { code } })
  })

  it('a body that does not come is not waited for', async () => {
    const hasty = createApp(served.service, { timeoutMs: 50 })
    const body = new ReadableStream({ start: controller => controller.enqueue(new TextEncoder().encode('{')) })
    const init = {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { 'content-type': 'application/json' },
    } as RequestInit
    expect(await ask('/v1/models/tagger/predict', undefined, init, hasty)).toMatchObject({
      status: 408,
      body: { code: 'TOO_SLOW' },
    })
  })

  it('a request that a program made is not foreign for want of a Host header', async () => {
    expect((await served.app.fetch(new Request('http://localhost/v1/served'))).status).toBe(200)
    expect((await served.app.fetch(new Request('http://evil.example/v1/served'))).status).toBe(403)
  })

  it('a foreign host, a foreign origin and another content type are refused', async () => {
    expect((await ask('/v1/served', undefined, { headers: { host: 'evil.example' } })).body.code).toBe('FOREIGN_HOST')
    expect((await ask('/v1/served', undefined, { headers: { origin: 'https://evil.example' } })).body.code).toBe(
      'FOREIGN_ORIGIN',
    )
    expect((await ask('/v1/served', undefined, { headers: { origin: 'http://localhost:4747' } })).status).toBe(200)
    const init = { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } }
    expect((await ask('/v1/models/tagger/predict', undefined, init)).status).toBe(415)
  })

  it('an origin that was allowed gets CORS headers, also when it asks first', async () => {
    const shared = createApp(served.service, { origins: ['https://library.example'] })
    const init = { method: 'OPTIONS', headers: { ...host, origin: 'https://library.example' } }
    const response = await shared.request('/v1/models/tagger/predict', init)
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('https://library.example')
    const failed = await shared.request('/v1/models/nobody', {
      headers: { ...host, origin: 'https://library.example' },
    })
    expect(failed.status).toBe(404)
    expect(failed.headers.get('access-control-allow-origin')).toBe('https://library.example') // so that the page can read it
  })
})

describe('tokens', () => {
  const guarded = () =>
    createApp(served.service, {
      tokens: [
        { secret: 'reader-reader-reader', access: 'read' },
        { secret: 'writer-writer-writer', access: 'write' },
      ],
    })
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

  it('let readers read and writers write, and nobody else', async () => {
    const app = guarded()
    expect((await ask('/v1/served', undefined, {}, app)).status).toBe(401)
    expect((await ask('/v1/served', undefined, bearer('wrong-wrong-wrong-w'), app)).status).toBe(401)
    expect((await ask('/v1/served', undefined, bearer('reader-reader-reader'), app)).status).toBe(200)
    const learn = { items: [{ text: 'Owls are birds', labels: ['owls'] }] }
    expect((await ask('/v1/models/tagger/learn', learn, bearer('reader-reader-reader'), app)).body.code).toBe(
      'READ_ONLY',
    )
    expect((await ask('/v1/models/tagger/learn', learn, bearer('writer-writer-writer'), app)).status).toBe(200)
    expect((await ask('/health', undefined, {}, app)).status).toBe(200)
  })

  it('are read from a file, a line each', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vicinal-tokens-'))
    const path = join(folder, 'tokens')
    await writeFile(path, '# for the page\nread 0123456789abcdef\n\n0123456789abcdefg\n')
    expect(await readTokens(path)).toEqual([
      { secret: '0123456789abcdef', access: 'read' },
      { secret: '0123456789abcdefg', access: 'write' },
    ])
    await writeFile(path, 'read short\n')
    await expect(readTokens(path)).rejects.toMatchObject({ code: 'BAD_DATA', where: { line: 1 } })
    await rm(folder, { recursive: true })
  })
})
