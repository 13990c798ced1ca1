// 2,000 requests for labels on the bundled model, over 50 connections, from this process; forty rounds.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import { LcifClassifier, readDataset } from 'vicinal'
import { keepResult, percentile, short } from '../measure.ts'
import { residentMegabytes, type StartedService, startService } from './started-service.ts'

const rounds = 40
/** After how many rounds the service collects its garbage, so that a leak would show. */
const collected = 10
const requests = 2000
const connections = 50
const data = join(import.meta.dirname, '..', 'data')

interface Round {
  readonly seconds: number
  readonly lost: number
  readonly p50: number
  readonly p99: number
  readonly max: number
  readonly healthP50: number
  readonly healthP99: number
  readonly healthMax: number
  readonly rssMegabytes: number
}

export async function measureLoad(folder: string): Promise<void> {
  const path = join(folder, 'titles.model')
  const model = await LcifClassifier.fit(await readDataset(join(data, 'titles-train.tsv.gz')), { weighting: 'none' })
  await model.save(path)
  model.free()
  const preload = join(import.meta.dirname, 'service', 'collect-garbage.mjs')
  const service = await startService([path], ['--import', preload])
  try {
    await round(service) // warm
    const all: Round[] = []
    const collectedMegabytes: number[] = []
    for (let i = 1; i <= rounds; i++) {
      all.push(await round(service))
      process.stderr.write(`${JSON.stringify(all.at(-1))}\n`)
      if (i % collected === 0) collectedMegabytes.push(await withoutGarbage(service))
    }
    keepResult('service-load', { requests, connections, rounds: all, collected, collectedMegabytes })
  } finally {
    service.child.kill('SIGTERM')
    await service.exit
  }
}

/** What the process has in memory when its garbage is gone. */
async function withoutGarbage(service: StartedService): Promise<number> {
  service.child.kill('SIGUSR2')
  await setTimeout(2000) // V8 gives pages back after a while
  return residentMegabytes(service)
}

async function round(service: StartedService): Promise<Round> {
  const texts = testTitles()
  const probe = new Worker(join(import.meta.dirname, 'service', 'health-probe.mjs'), { workerData: service.url })
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  let [next, lost] = [0, 0]
  const begin = performance.now()
  const work = async () => {
    while (next < requests) {
      const asked = performance.now()
      const isAnswered = await labels(service.url, texts[next++ % texts.length] as string, agent)
      if (isAnswered) times.push(performance.now() - asked)
      else lost++
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  const seconds = (performance.now() - begin) / 1000
  agent.destroy()
  probe.postMessage('stop')
  const [health] = (await once(probe, 'message')) as [number[]]
  const [p50, p99, max] = [0.5, 0.99, 1].map(share => short(percentile(times, share))) as [number, number, number]
  const [healthP50, healthP99, healthMax] = [0.5, 0.99, 1].map(share => short(percentile(health, share))) as [number, number, number] // biome-ignore format: one line
  return {
    ...{ seconds: short(seconds), lost, p50, p99, max, healthP50, healthP99, healthMax },
    rssMegabytes: residentMegabytes(service),
  }
}

/** Whether labels came. */
function labels(url: string, text: string, agent: Agent): Promise<boolean> {
  const body = JSON.stringify({ text, top: 5 })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise(resolve => {
    const asked = request(`${url}/v1/models/titles/predict`, { method: 'POST', agent, headers }, async response => {
      let answer = ''
      for await (const part of response) answer += part
      resolve(response.statusCode === 200 && Array.isArray(JSON.parse(answer).labels))
    })
    asked.once('error', () => resolve(false))
    asked.end(body)
  })
}

let titles: string[] | undefined

function testTitles(): string[] {
  titles ??= gunzipSync(readFileSync(join(data, 'titles-test.tsv.gz')))
    .toString()
    .split('\n')
    .map(line => line.split('\t')[0] ?? '')
    .filter(title => /\w{4}/.test(title))
  return titles
}
