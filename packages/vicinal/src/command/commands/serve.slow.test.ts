// The service as people run it: a process with a socket. It is stopped in the middle of requests, and killed in the middle of writes.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

async function checkAll(url: string, corrections: ReadonlySet<string>, memories: ReadonlySet<unknown>): Promise<void> {
  const answer = await fetch(`${url}/v1/models/tagger/corrections`).then(response => response.json())
  const kept = new Set((answer as { corrections: { id: string }[] }).corrections.map(({ id }) => id))
  expect([...corrections].filter(id => !kept.has(id))).toEqual([])
  const { size } = (await fetch(`${url}/v1/memories/notes`).then(response => response.json())) as { size: number }
  expect(size).toBeGreaterThanOrEqual(memories.size)
}
