// SIGKILL under writes, again and again. What was acknowledged must be there after every restart, with its content.

import { join } from 'node:path'
import { LcifClassifier, MemoryStore } from 'vicinal'
import { keepResult } from '../measure.ts'
import { type StartedService, startService } from './started-service.ts'

const writers = 8

/** What was acknowledged: ids, and what was sent. */
interface Acknowledged {
  readonly corrections: Map<string, string>
  readonly memories: Map<string, string>
}

export async function measureKills(folder: string, kills: number): Promise<void> {
  const paths = [join(folder, 'tagger.model'), join(folder, 'notes')] as const
  const model = await LcifClassifier.fit(
    [
      { text: 'Sailing ships of the Baltic', labels: ['ships'] },
      { text: 'The birds of the coast', labels: ['birds'] },
    ],
    { weighting: 'none' },
  )
  await model.save(paths[0])
  await (await MemoryStore.create(paths[1])).close()
  const all: Acknowledged = { corrections: new Map(), memories: new Map() }
  let lost = 0
  for (let round = 0; round < kills; round++) {
    const service = await startService(paths)
    lost += await countLost(service, all)
    const writing = Array.from({ length: writers }, (_, i) => write(service.url, `${round} ${i}`, all))
    setTimeout(() => service.child.kill('SIGKILL'), 20 + ((37 * round) % 200))
    await Promise.allSettled(writing)
    await service.exit
    if (round % 20 === 19) process.stderr.write(`${round + 1} kills, ${all.memories.size} memories, ${lost} lost\n`)
  }
  const service = await startService(paths)
  lost += await countLost(service, all)
  service.child.kill('SIGTERM')
  await service.exit
  keepResult('service-kills', { kills, corrections: all.corrections.size, memories: all.memories.size, lost })
}

/** Until the service is gone. */
async function write(url: string, name: string, { corrections, memories }: Acknowledged): Promise<never> {
  for (let n = 0; ; n++) {
    const text = `ships ${name} ${n}`
    const learned = await post(url, '/v1/models/tagger/learn', { items: [{ text, labels: ['seen'] }] })
    corrections.set((learned as { corrections: { id: string }[] }).corrections[0]?.id ?? '', text)
    const { id } = (await post(url, '/v1/memories/notes/insert', { key: `note ${name} ${n}`, value: text })) as {
      id: number
    }
    memories.set(String(id), text)
  }
}

async function countLost({ url }: StartedService, { corrections, memories }: Acknowledged): Promise<number> {
  const listed = (await get(url, '/v1/models/tagger/corrections')) as {
    corrections: { id: string; item: { text: string } }[]
  }
  const texts = new Map(listed.corrections.map(({ id, item }) => [id, item.text]))
  const values = await allMemories(url)
  const isLost = (kept: Map<string, string>) => (entry: [string, string]) => kept.get(entry[0]) !== entry[1]
  return [...corrections].filter(isLost(texts)).length + [...memories].filter(isLost(values)).length
}

async function allMemories(url: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (let offset = 0; ; offset += 1000) {
    const page = await post(url, '/v1/memories/notes/list', { order: 'oldest', offset, limit: 1000 })
    const { memories } = page as { memories: { id: number; value: string }[] }
    for (const { id, value } of memories) found.set(String(id), value)
    if (memories.length < 1000) return found
  }
}

async function post(url: string, path: string, body: object): Promise<unknown> {
  return answer(
    await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )
}

async function get(url: string, path: string): Promise<unknown> {
  return answer(await fetch(url + path))
}

async function answer(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}
