// Where a search of ForestIndex spends its time, by the samples of V8's profiler: npm run bench:forest-stages -- --data <folder of the sets>
// Draws docs/images/forest-stages.svg, too. Samples outside of searches do not count.

import { writeFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type DenseMatrix, ForestIndex } from '@vicinal/core'
// @ts-expect-error: a plain script without types
import { functionNames } from '../tools/compile-kernels.mjs'
import { readVectors, type SetName, sets } from './ann/jobs.ts'
import { stageOf, stages, theCall } from './ann/stages.ts'
import { stagesPicture } from './ann/stages-picture.ts'
import { keepResult } from './measure.ts'

const effort = { k: 10, trees: 1, walk: 20, rerank: 20 }
const seconds = 15

const { values } = parseArgs({ options: { data: { type: 'string' } } })
const { data } = values
if (!data) throw new Error('give the folder of the sets with --data')
const names: Map<number, string> = await functionNames('forest')

function searchFor(seconds: number, index: ForestIndex, queries: readonly Float32Array[]): void {
  for (const end = performance.now() + seconds * 1000; performance.now() < end; )
    for (const query of queries) index.search(query, effort)
}

async function profile(run: () => void): Promise<Profiler.Profile> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 200 })
  await session.post('Profiler.start')
  run()
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  return profile
}

/** Samples of each stage: of everything that `search` calls, and collecting its garbage. */
function samplesByStage({ nodes }: Profiler.Profile): Map<string, number> {
  const samples = new Map(stages.map(({ name }) => [name, 0]))
  const byId = new Map(nodes.map(node => [node.id, node]))
  const count = (node: Profiler.ProfileNode, isWithin: boolean) => {
    const { functionName } = node.callFrame
    const within = isWithin || functionName === 'search' || functionName === '(garbage collector)'
    const number = /^wasm-function\[(\d+)\]$/.exec(functionName)?.[1]
    if (within) {
      const stage = number === undefined ? theCall : stageOf(names.get(Number(number)) ?? functionName)
      samples.set(stage, (samples.get(stage) ?? 0) + (node.hitCount ?? 0))
    }
    for (const id of node.children ?? []) count(byId.get(id)!, within)
  }
  count(nodes[0]!, false)
  return samples
}

const vectorsOf = (matrix: DenseMatrix) =>
  Array.from({ length: matrix.rows }, (_, i) => Float32Array.from(matrix.row(i)))

async function measureSet(set: SetName) {
  const files = sets[set]
  const index = await ForestIndex.fit(await readVectors(join(data!, set), files.rows, files.count))
  const queries = vectorsOf(await readVectors(join(data!, set), files.queries, 1000))
  searchFor(2, index, queries)
  const samples = samplesByStage(await profile(() => searchFor(seconds, index, queries)))
  index.free()
  const all = [...samples.values()].reduce((sum, count) => sum + count, 0)
  return { set, samples: all, shares: [...samples.values()].map(count => Number((count / all).toFixed(3))) }
}

const measured = [await measureSet('fashion-mnist'), await measureSet('titles-use512')]
keepResult('forest-stages', { effort, stages: stages.map(({ name }) => name), measured })
const image = join(import.meta.dirname, '..', 'docs', 'images', 'forest-stages.svg')
writeFileSync(image, stagesPicture('Where a search spends its time', measured))
