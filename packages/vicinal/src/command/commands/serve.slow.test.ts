// The service as people run it: a process with a socket. It is stopped in the middle of requests, and killed in the middle of writes.

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import { LcifClassifier } from '@vicinal/core'
import { MemoryStore } from '@vicinal/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BuiltCommand, type StartedCommand } from '../built-command.cases.ts'

const kills = 25
const command = new BuiltCommand()
let folder: string
let paths: string[]

beforeAll(async () => {
  await command.build()
  folder = await mkdtemp(join(tmpdir(), 'vicinal-serve-'))
  paths = [join(folder, 'tagger.model'), join(folder, 'notes')]
  const model = await LcifClassifier.fit(
    [
      { text: 'Sailing ships of the Baltic', labels: ['ships'] },
      { text: 'The birds of the coast', labels: ['birds'] },
    ],
    { weighting: 'none' },
  )
  await model.save(paths[0] as string)
  await (await MemoryStore.create(paths[1] as string)).close()
})

afterAll(async () => {
  command.remove()
  await rm(folder, { recursive: true })
})

interface Running extends StartedCommand {
  readonly url: string
}

async function start(): Promise<Running> {
  const started = command.start(['serve', ...paths, '--port', '0', '--json'])
  const url = await new Promise<string>((resolve, reject) => {
    started.child.stdout?.once('data', line => resolve(JSON.parse(String(line)).url))
    started.stderr.then(text => reject(new Error(text)))
  })
  return { ...started, url }
}

/** Any field may be there: the test says which. */
type Answer = Readonly<Record<string, unknown>>

async function post(url: string, path: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
  return response.json() as Promise<Answer>
}

describe('vicinal serve', () => {
  it('runs the engine in a thread of its own, and answers', async () => {
    const { url, child, exit } = await start()
    const { labels } = await post(url, '/v1/models/tagger/predict', { text: 'ships', top: 1 })
    expect(labels).toMatchObject([{ label: 'ships' }])
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  })

  it('answers what it has accepted after Ctrl-C', async () => {
    const { url, child, exit } = await start()
    const items = Array.from({ length: 5000 }, (_, i) => ({ text: `ships and birds ${i}` }))
    const asked = post(url, '/v1/models/tagger/predict-batch', { items })
    await post(url, '/v1/models/tagger/predict', { text: 'ships' }) // so that the first has arrived
    child.kill('SIGINT')
    expect(await asked).toHaveProperty('predictions.length', 5000)
    expect(await exit).toEqual([0, null])
  })

  it('answers everything that it has accepted at SIGTERM, and takes nothing more', async () => {
    const { url, child, exit } = await start()
    const before = await sizeOf(url)
    // The service says "continue" when it has accepted the head of a request; the bodies come after the signal.
    const bodies = Array.from({ length: 40 }, (_, i) => JSON.stringify({ key: `accepted note ${i}`, value: i }))
    const accepted = await Promise.all(bodies.map(() => acceptedPost(`${url}/v1/memories/notes/insert`)))
    child.kill('SIGTERM')
    await refusing(url)
    const statuses = await Promise.all(accepted.map(({ finish }, i) => finish(bodies[i] as string)))
    expect(statuses).toEqual(bodies.map(() => 200))
    expect(await exit).toEqual([0, null])
    const again = await start()
    expect(await sizeOf(again.url)).toBe(before + bodies.length)
    again.child.kill('SIGTERM')
    await again.exit
  })

  it(`loses no acknowledged correction or memory in ${kills} kills`, { timeout: 300_000 }, async () => {
    const corrections = new Set<string>()
    const memories = new Set<string | number>()
    for (let round = 0; round < kills; round++) {
      const { url, child, exit } = await start()
      await checkAll(url, corrections, memories)
      const writing = Array.from({ length: 8 }, async (_, i) => {
        for (let n = 0; ; n++) {
          const learned = await post(url, '/v1/models/tagger/learn', {
            items: [{ text: `ships ${round} ${i} ${n}`, labels: ['seen'] }],
          })
          corrections.add((learned.corrections as { id: string }[])[0]?.id ?? '')
          const { id } = await post(url, '/v1/memories/notes/insert', { key: `note ${round} ${i} ${n}`, value: n })
          memories.add(id as number)
        }
      })
      setTimeout(() => child.kill('SIGKILL'), 30 + 10 * round)
      await Promise.allSettled(writing)
      await exit
    }
    expect(corrections.size).toBeGreaterThan(kills)
    const { url, child, exit } = await start()
    await checkAll(url, corrections, memories)
    child.kill('SIGTERM')
    await exit
  })
})

/** A request whose head the service has accepted. `finish` sends the body, and resolves to the status of the answer. */
async function acceptedPost(url: string): Promise<{ finish(body: string): Promise<number> }> {
  const headers = { 'content-type': 'application/json', expect: '100-continue' }
  const sent = request(url, { method: 'POST', headers, agent: false })
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  answered.catch(() => {}) // `finish` reports it
  sent.flushHeaders()
  await once(sent, 'continue')
  return {
    async finish(body) {
      sent.end(body)
      const [response] = await answered
      response.resume()
      return response.statusCode ?? 0
    },
  }
}

/** Resolves when the service accepts no more connections. */
async function refusing(url: string): Promise<void> {
  while (await fetch(`${url}/health`).then(response => response.ok, () => false)) await setTimeoutPromise(10) // biome-ignore format: one line
}

async function sizeOf(url: string): Promise<number> {
  const { size } = (await fetch(`${url}/v1/memories/notes`).then(response => response.json())) as { size: number }
  return size
}

async function checkAll(url: string, corrections: ReadonlySet<string>, memories: ReadonlySet<unknown>): Promise<void> {
  const answer = await fetch(`${url}/v1/models/tagger/corrections`).then(response => response.json())
  const kept = new Set((answer as { corrections: { id: string }[] }).corrections.map(({ id }) => id))
  expect([...corrections].filter(id => !kept.has(id))).toEqual([])
  expect(await sizeOf(url)).toBeGreaterThanOrEqual(memories.size)
}
