// Collections with a real sentence embedder, which runs offline.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json, text } from 'node:stream/consumers'
import { Collection } from 'vicinal'
import { describe, expect, it } from 'vitest'
import { embed } from './sentence-embedder.mjs'

const texts = [
  'The ferry to Tallinn leaves at noon',
  'A recipe for rye bread',
  'Taxes must be paid in December',
  'Wolves and bears in the forests of the north',
  'The orchestra plays a symphony by Sibelius',
  'How to repair a bicycle chain',
]
const documents = texts.map((text, id) => ({ id, text }))
/** No words in common with the text it is about. */
const questions = [
  ['a boat trip across the sea', 0],
  ['baking loaves', 1],
  ['money owed to state', 2],
  ['wild animals', 3],
  ['classical music concert', 4],
  ['fixing my bike', 5],
] as const

describe('a collection with a sentence embedder', () => {
  it('finds by meaning what shares no word with the query', async () => {
    const notes = Collection.create({ embed: asked => embed(asked) })
    await notes.upsertMany(documents)
    expect(notes.stats()).toMatchObject({ vectors: 6, dims: 512 })
    for (const [question, id] of questions) {
      const [first] = await notes.search({ text: question, k: 1, weights: { text: 0 } })
      expect([question, first?.id]).toEqual([question, id])
    }
    const words = Collection.create()
    await words.upsertMany(documents)
    expect(await words.search({ text: 'wild animals' })).toEqual([])
  })

  it('takes batches of any size, and gives the same vectors', async () => {
    const [one, many] = [1, 4].map(embedBatch => Collection.create({ embed: asked => embed(asked), embedBatch }))
    for (const notes of [one, many]) await notes?.upsertMany(documents)
    for (const { id } of documents) {
      const [a, b] = [one?.get(id)?.vector ?? [], many?.get(id)?.vector ?? []]
      expect(Math.max(...a.map((x, i) => Math.abs(x - (b[i] ?? 9))))).toBeLessThan(1e-4)
    }
  })

  it('asks an HTTP endpoint, as the example does', async () => {
    const server = createServer(async (request, response) => {
      const { texts } = (await json(request)) as { texts: string[] }
      response.end(JSON.stringify(await embed(texts)))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo // it listens to a port
    const args = ['tools/run.mjs', 'examples/embed-over-http.ts', `http://127.0.0.1:${port}/embed`]
    const child = spawn(process.execPath, args, {
      cwd: new URL('..', import.meta.url),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)])
    server.close()
    expect(error).toBe('')
    expect(out.split('\n')[0]).toBe('The ferry to Tallinn leaves at noon (vector rank 1)')
  })
})
