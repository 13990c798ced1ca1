// What runs in a process of its own: a build, or one round of answers.

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DenseMatrix } from '@vicinal/core'
import { readDataset } from '@vicinal/core/data'
import type { Entry } from './grid.ts'
import { askAll, type Turns } from './turns.ts'

export interface BuildCost {
  readonly seconds: number
  /** Of all threads. */
  readonly cpuSeconds: number
  /** Size of the saved index. */
  readonly bytes: number
  /** Of the whole process, with the rows it was given. */
  readonly peakBytes: number
}

/** One query setting in one round, in a process of its own. */
export interface Answers extends Turns {
  /** Of the whole process so far. */
  readonly peakBytes: number
}

/** The data sets, by name: which files hold the rows and the queries. */
export const sets = {
  'fashion-mnist': { rows: 'train-images-idx3-ubyte.gz', queries: 't10k-images-idx3-ubyte.gz', count: 60_000 },
  // Of length 1, so that the nearest by Euclidean distance are those by cosine.
  'titles-use512': { rows: 'train.npy', queries: 'test.npy', count: 50_000 },
} as const
export type SetName = keyof typeof sets

export async function readVectors(data: string, file: string, limit: number): Promise<DenseMatrix> {
  const { features } = await readDataset(join(data, file))
  if (!(features instanceof DenseMatrix)) throw new Error(`${file} has no vectors`)
  return features.slice(0, limit)
}

export async function build({ contestant, build }: Entry, images: DenseMatrix, file: string): Promise<BuildCost> {
  const rows = new DenseMatrix(images.rows, images.columns, Float32Array.from(images.values))
  const begin = performance.now()
  const cpuBegin = process.cpuUsage()
  const index = await contestant.build(rows, build)
  const seconds = (performance.now() - begin) / 1000
  const { user, system } = process.cpuUsage(cpuBegin)
  const peakBytes = peakMemory()
  await index.save(file)
  return { seconds, cpuSeconds: (user + system) / 1e6, bytes: statSync(file).size, peakBytes }
}

/** Answers of every query setting. */
export async function answer({ contestant, queries }: Entry, images: DenseMatrix, k: number, file: string) {
  const rows = Array.from({ length: images.rows }, (_, i) => Float32Array.from(images.row(i)))
  const deskWith = await contestant.open(file, rows, k)
  return queries.map((knobs): Answers => {
    const answers = askAll(deskWith(knobs), rows.length)
    return { ...answers, peakBytes: peakMemory() }
  })
}

/** Of this process alone: on Linux the usual counter begins with the parent's. */
function peakMemory(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024
}
