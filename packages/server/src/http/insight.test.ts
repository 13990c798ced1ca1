// What a page shows of models, indexes and memories: quality, maps, trees, stored items, curves and namespaces.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ExactIndex, ForestClassifier, LcifClassifier, registerIndexKind, Vocabulary } from '@vicinal/core'
import { NetIndex, netKind } from '@vicinal/core/margin'
import type { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Service } from '../service/service.ts'
import { MemoryStore } from '../store/memory-store.ts'
import { createApp } from './app.ts'
import { books } from './service.cases.ts'

let folder: string
let service: Service
let app: Hono

async function save(name: string, made: { save(path: string): Promise<void>; free(): void }): Promise<void> {
  await made.save(join(folder, name))
  made.free()
}

beforeAll(async () => {
  registerIndexKind(netKind)
  folder = await mkdtemp(join(tmpdir(), 'vicinal-insight-'))
  const tagger = await LcifClassifier.fit(books, { weighting: 'none' })
  tagger.nameLabels(Vocabulary.create([{ id: 'ships', names: { en: 'Ships', fi: 'laivat' } }]))
  await save('tagger.model', tagger)
  await save('trees.model', await ForestClassifier.fit(books, { trees: 3 }))
  const rows = Array.from({ length: 40 }, (_, i) => ({ id: `item ${i}`, vector: [i, i % 7, 1] }))
  await save('shapes.index', await ExactIndex.fit([...rows, { id: 7, vector: [0, 0, 0] }]))
  await save('words.index', await NetIndex.fit(['ship', 'shop', 'sheep'], { metric: 'levenshtein' }))
  const notes = await MemoryStore.create(join(folder, 'notes'))
  await notes.insert('red door', 1, { namespace: 'anna' })
  await notes.insert('blue door', 2, { namespace: 'anna' })
  await notes.insert('green door', 3)
  await notes.close()
  const names = ['tagger.model', 'trees.model', 'shapes.index', 'words.index', 'notes']
  service = await Service.open(names.map(name => join(folder, name)))
  app = createApp(service)
})

afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

// biome-ignore lint/suspicious/noExplicitAny: answers are compared with literals
async function ask(path: string, body?: object): Promise<{ status: number; body: any }> {
  const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await app.request(`http://localhost/v1/${path}`, {
    ...init,
    headers: { host: 'localhost', ...init?.headers },
  })
  return { status: response.status, body: await response.json() }
}

describe('a model', () => {
  it('has no quality before it was measured, and then the last one', async () => {
    expect((await ask('models/tagger/quality')).body).toEqual({ quality: null })
    expect((await ask('models/tagger')).body).toMatchObject({ quality: false })
    const { body: measured } = await ask('models/tagger/evaluate', { items: books })
    expect(measured).toMatchObject({ n: 4, source: 'request', rows: 4 })
    expect(measured.metrics['p@1']).toBe(1)
    expect(measured.modelBytes).toBeGreaterThan(100)
    const ships = measured.perLabel.find(({ label }: { label: string }) => label === 'ships')
    expect(ships).toMatchObject({ name: 'Ships', support: 2, recall: 1 })
    const suggested = measured.reliability.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
    expect(suggested).toBeGreaterThan(4)
    expect((await ask('models/tagger/quality')).body).toEqual({ quality: measured })
    expect((await ask('models/tagger')).body).toMatchObject({ quality: true })
  })

  it('has a map of its labels, with names in the language that is asked for', async () => {
    const { body } = await ask('models/tagger/map?language=fi')
    expect(body.labels).toBe(5)
    expect(body.points).toHaveLength(5)
    expect(body.points.slice(0, 2).map(({ rows }: { rows: number }) => rows)).toEqual([2, 2])
    expect(body.points).toContainEqual(expect.objectContaining({ label: 'ships', name: 'laivat', rows: 2 }))
    expect((await ask('models/tagger/map?limit=2')).body.points).toHaveLength(2)
    expect((await ask('models/tagger/map?limit=0')).status).toBe(400)
  })

  it('draws one of its trees, if it has some', async () => {
    expect((await ask('models/trees')).body).toMatchObject({ trees: 3 })
    const { body } = await ask('models/trees/tree?tree=2')
    expect(body).toMatchObject({ tree: 2, trees: 3 })
    expect(body.svg).toMatch(/^<svg.*Tree 2 of trees.*<\/svg>\n$/s)
    expect((await ask('models/trees/tree?tree=3')).body).toMatchObject({ status: 400, code: 'INVALID_OPTION' })
    expect((await ask('models/tagger/tree')).body).toMatchObject({ status: 422, code: 'UNSUPPORTED' })
  })
})

describe('an index', () => {
  it('says what it holds, and how it searches', async () => {
    const facts = { indexKind: 'exact', layout: 'dense', dims: 3, rows: 41, efforts: [], searchDefaults: {} }
    expect((await ask('indexes/shapes')).body).toMatchObject(facts)
    expect((await ask('indexes/shapes')).body.bytes).toBeGreaterThan(400)
    expect((await ask('indexes/words')).body).toMatchObject({ layout: 'text', rows: 3 })
  })

  it('lists its items, and gives back what it stores', async () => {
    expect((await ask('indexes/shapes/items?search=item 3&limit=2')).body).toEqual({
      items: [{ id: 'item 3' }, { id: 'item 30' }],
      count: 11,
    })
    expect((await ask('indexes/shapes/items/item%203')).body).toEqual({ item: { id: 'item 3', vector: [3, 3, 1] } })
    expect((await ask('indexes/shapes/items/7')).body).toEqual({ item: { id: 7, vector: [0, 0, 0] } })
    expect((await ask('indexes/words/items/1')).body).toEqual({ item: { id: 1, text: 'shop' } })
    expect((await ask('indexes/shapes/items/none')).body).toMatchObject({
      status: 404,
      detail: 'shapes has no item "none"',
    })
  })

  it('finds items like a stored one, with their vectors if asked', async () => {
    const { body } = await ask('indexes/shapes/search', { like: 'item 0', k: 2, vectors: true })
    expect(body.neighbors).toEqual([
      { id: 7, distance: 1, vector: [0, 0, 0] },
      { id: 'item 1', distance: expect.closeTo(Math.SQRT2), vector: [1, 1, 1] },
    ])
    expect(body.micros).toBeGreaterThan(0)
    expect((await ask('indexes/words/search', { like: 0, k: 1, vectors: true })).body).toMatchObject({
      neighbors: [{ id: 1, distance: 1, text: 'shop' }],
      candidates: expect.any(Number),
    })
    expect((await ask('indexes/shapes/search', { like: 'none' })).status).toBe(404)
  })

  it('measures recall against time with its own items', async () => {
    const { body } = await ask('indexes/shapes/curve', { k: 3, queries: 10 })
    expect(body).toMatchObject({ k: 3, queries: 10, points: [{ recall: 1, candidates: 41, options: {} }] })
    expect(body.points[0].microsPerQuery).toBeGreaterThan(0)
  })
})

describe('a memory', () => {
  it('counts its namespaces', async () => {
    expect((await ask('memories/notes/namespaces')).body).toEqual({
      namespaces: [
        { namespace: 'anna', count: 2 },
        { namespace: null, count: 1 },
      ],
    })
  })
})

describe('a service with test items', () => {
  it('measures the model they are for, in the background', async () => {
    const data = join(folder, 'books.jsonl')
    await writeFile(data, books.map(book => `${JSON.stringify(book)}\n`).join(''))
    await service.close() // one process can have a model's corrections open
    const paths = ['tagger.model', 'trees.model'].map(name => join(folder, name))
    const measuring = await Service.open(paths, { tests: [`tagger=${data}`] })
    await expect
      .poll(async () => JSON.parse(await measuring.call('model', 'tagger', 'quality', {})).quality)
      .toMatchObject({ n: 4, source: 'books.jsonl' })
    expect(JSON.parse(await measuring.call('model', 'trees', 'quality', {}))).toEqual({ quality: null })
    await measuring.close()
    await expect(Service.open(paths, { tests: [data] })).rejects.toThrow('several models are served')
    await expect(Service.open(paths, { tests: [`other=${data}`] })).rejects.toThrow('names a model')
    await expect(Service.open(paths, { tests: [`tagger=${data}x`] })).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
  })
})
