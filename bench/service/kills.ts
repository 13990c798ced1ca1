// SIGKILL under writes, again and again. What was acknowledged must be there after every restart, with its content.

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
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

interface Progress {
  kills: number
  lost: number
  readonly all: Acknowledged
}

/** A run that ended early goes on from its last kill, if it is given the same folder again. */
export async function measureKills(folder: string, kills: number): Promise<void> {
  const paths = [join(folder, 'tagger.model'), join(folder, 'notes')] as const
  const kept = join(folder, 'kills.json')
  const progress = existsSync(kept) ? readProgress(kept) : await begin(paths)
  while (progress.kills < kills) {
    await killOnce(paths, progress)
    writeProgress(kept, progress)
    const { kills: done, lost, all } = progress
    if (done % 20 === 0) process.stderr.write(`${done} kills, ${all.memories.size} memories, ${lost} lost\n`)
  }
  const service = await startService(paths)
  const lost = progress.lost + (await countLost(service, progress.all))
  service.child.kill('SIGTERM')
  await service.exit
  const { corrections, memories } = progress.all
  keepResult('service-kills', { kills, corrections: corrections.size, memories: memories.size, lost })
}

async function begin([tagger, notes]: readonly [string, string]): Promise<Progress> {
  const model = await LcifClassifier.fit(
    [
      { text: 'Sailing ships of the Baltic', labels: ['ships'] },
      { text: 'The birds of the coast', labels: ['birds'] },
    ],
    { weighting: 'none' },
  )
  await model.save(tagger)
  await (await MemoryStore.create(notes)).close()
  return { kills: 0, lost: 0, all: { corrections: new Map(), memories: new Map() } }
}

async function killOnce(paths: readonly string[], progress: Progress): Promise<void> {
  const { kills: round, all } = progress
  const service = await startService(paths)
  progress.lost += await countLost(service, all)
  const writing = Array.from({ length: writers }, (_, i) => write(service.url, `${round} ${i}`, all))
  setTimeout(() => service.child.kill('SIGKILL'), 20 + ((37 * round) % 200))
  await Promise.allSettled(writing)
  await service.exit
  progress.kills++
}

function readProgress(path: string): Progress {
  const { kills, lost, corrections, memories } = JSON.parse(readFileSync(path, 'utf8'))
  return { kills, lost, all: { corrections: new Map(corrections), memories: new Map(memories) } }
}

/** Renamed when whole, so that a run that is stopped here can still go on. */
function writeProgress(path: string, { kills, lost, all }: Progress): void {
  const state = { kills, lost, corrections: [...all.corrections], memories: [...all.memories] }
  writeFileSync(`${path}.new`, JSON.stringify(state))
  renameSync(`${path}.new`, path)
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
