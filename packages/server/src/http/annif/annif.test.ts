// A client as Annif's public documentation shows it: its curl forms, and the requests that annif-client makes. Only the address is ours.

import { join } from 'node:path'
import { loadClassifier, Vocabulary } from '@vicinal/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Service } from '../../service/service.ts'
import { createApp } from '../app.ts'
import { type Serving, serve } from '../serve.ts'
import { type Files, makeFiles } from '../service.cases.ts'

let files: Files
let serving: Serving
let base: string

beforeAll(async () => {
  files = await makeFiles()
  serving = await serve(files.paths, { port: 0, version: '1.2.3' })
  base = `${serving.url}/v1/`
})

afterAll(async () => {
  await serving.close()
  await files.remove()
})

// biome-ignore lint/suspicious/noExplicitAny: the assertions say what is in it
type Answer = { readonly status: number; readonly type: string | null; readonly body: any }

async function ask(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(base + path, { ...init, headers: { 'user-agent': 'Annif-client/1.0', ...init.headers } })
  const text = await response.text()
  const body = text === '' ? null : JSON.parse(text)
  return { status: response.status, type: response.headers.get('content-type'), body }
}

/** As `curl -X POST -d text=… -d limit=…`, and as Python's requests with `data=`. */
function postForm(path: string, fields: Record<string, string>): Promise<Answer> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
  return ask(path, { method: 'POST', headers, body: new URLSearchParams(fields).toString() })
}

/** As Python's requests with `json=`. */
function postJson(path: string, body: unknown): Promise<Answer> {
  return ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}

const subject = { uri: 'ships', label: 'Ships', notation: null, score: expect.any(Number) }

describe("Annif's clients", () => {
  it('learn who answers', async () => {
    expect((await ask('')).body).toEqual({ title: 'Vicinal', version: '1.2.3' })
  })

  it('list projects and vocabularies with all fields', async () => {
    const vocab = { vocab_id: 'tagger', languages: ['en', 'fi'], size: 5, loaded: true }
    const project = {
      ...{ project_id: 'tagger', name: 'tagger', language: 'en', backend: { backend_id: 'lcif' } },
      ...{ vocab, vocab_language: 'en', is_trained: true },
      modification_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/),
    }
    expect((await ask('projects')).body).toEqual({ projects: [project] })
    expect((await ask('projects/tagger')).body).toEqual(project)
    expect((await ask('vocabs')).body).toEqual({ vocabs: [vocab] })
  })

  it('get suggestions for a form', async () => {
    const { status, body } = await postForm('projects/tagger/suggest', { text: 'Old ships', limit: '1' })
    expect([status, body]).toEqual([200, { results: [subject] }])
    const all = await postForm('projects/tagger/suggest', { text: 'Old ships' })
    expect(all.body.results.length).toBeGreaterThan(1)
    const best = { text: 'Old ships', limit: '10', threshold: '0.9' }
    expect((await postForm('projects/tagger/suggest', best)).body.results).toEqual([subject])
    expect((await postForm('projects/tagger/suggest', { text: 'Old ships', limit: '0' })).body.results).toEqual([])
    const finnish = { text: 'Old ships', limit: '1', language: 'fi', metadata_title: 'Ships' }
    expect((await postForm('projects/tagger/suggest', finnish)).body.results).toEqual([{ ...subject, label: 'laivat' }])
  })

  it('get suggestions for a batch, in its order', async () => {
    const documents = [
      { document_id: 'doc-0', text: 'Old ships', metadata: { title: 'Ships' } },
      { text: 'xyzzy' },
      { document_id: 'doc-2', text: 'Little birds' },
    ]
    const { status, body } = await postJson('projects/tagger/suggest-batch?limit=1&threshold=0.1', { documents })
    expect(status).toBe(200)
    expect(body.map((one: { document_id: string | null }) => one.document_id)).toEqual(['doc-0', null, 'doc-2'])
    expect(body[0]).toEqual({ document_id: 'doc-0', results: [subject] })
    expect(body[1].results).toEqual([])
    expect(body[2].results[0].uri).toBe('birds')
  })

  it('teach, and get no content', async () => {
    const documents = [{ text: 'Owls are birds', subjects: [{ uri: '<http://example.org/owls>', label: 'owls' }] }]
    expect(await postJson('projects/tagger/learn', documents)).toMatchObject({ status: 204, body: null })
    expect(await postJson('projects/tagger/learn', [])).toMatchObject({ status: 204, body: null })
    const { body } = await postForm('projects/tagger/suggest', { text: 'Owls are birds', limit: '1' })
    expect(body.results[0].uri).toBe('http://example.org/owls')
  })

  it('learn that names without a language have none', async () => {
    const path = join(files.folder, 'unnamed.model')
    const model = await loadClassifier(join(files.folder, 'tagger.model'))
    model.nameLabels(Vocabulary.create([{ id: 'ships', names: 'Ships' }]))
    await model.save(path)
    const app = createApp(await Service.open([path]))
    const response = await app.request('/v1/projects/unnamed', { headers: { host: 'localhost' } })
    expect(await response.json()).toMatchObject({ language: 'und', vocab_language: null, vocab: { languages: [] } })
  })

  it('are told that the language is unknown', async () => {
    const asked = { text: 'A quick brown fox jumped over the lazy dog.', languages: ['en', 'fi', 'sv'] }
    expect((await postJson('detect-language', asked)).body).toEqual({ results: [{ language: null, score: 1 }] })
  })

  const nobody = 'there is no model "nonexistent"'
  it.each([
    ['an unknown project', 404, () => ask('projects/nonexistent'), nobody],
    ['suggestions of an unknown project', 404, () => postForm('projects/nonexistent/suggest', { text: 'x' }), nobody],
    ['a batch for an unknown project', 404, () => postJson('projects/nonexistent/suggest-batch', { documents: [{ text: 'x' }] }), nobody], // biome-ignore format: one line
    ['teaching an unknown project', 404, () => postJson('projects/nonexistent/learn', []), nobody],
    ['a form without a text', 400, () => postForm('projects/tagger/suggest', { limit: '1' }), 'text'],
    ['a limit that is no number', 400, () => postForm('projects/tagger/suggest', { text: 'x', limit: 'ten' }), 'limit'],
    ['an empty limit', 400, () => postForm('projects/tagger/suggest', { text: 'x', limit: '' }), 'limit'],
    ['an empty limit of a batch', 400, () => postJson('projects/tagger/suggest-batch?limit=', { documents: [{ text: 'x' }] }), 'limit'], // biome-ignore format: one line
    ['an empty threshold', 400, () => postForm('projects/tagger/suggest', { text: 'x', threshold: '' }), 'threshold'],
    ['a threshold above 1', 400, () => postForm('projects/tagger/suggest', { text: 'x', threshold: '2' }), 'threshold'],
    ['an unknown language', 400, () => postForm('projects/tagger/suggest', { text: 'x', language: 'sv' }), 'sv'],
    ['33 documents', 400, () => postJson('projects/tagger/suggest-batch', { documents: Array(33).fill({ text: 'x' }) }), 'documents'], // biome-ignore format: one line
    ['no candidate languages', 400, () => postJson('detect-language', { text: 'x', languages: [] }), 'languages'],
    ['six candidate languages', 400, () => postJson('detect-language', { text: 'x', languages: ['en', 'fr', 'de', 'it', 'es', 'nl'] }), 'languages'], // biome-ignore format: one line
  ])('get a problem for %s', async (_, status, asked, detail) => {
    const answer = await asked()
    expect(answer).toMatchObject({ status, type: 'application/problem+json' })
    expect(answer.body).toMatchObject({ status, title: expect.any(String), detail: expect.stringContaining(detail) })
  })
})
