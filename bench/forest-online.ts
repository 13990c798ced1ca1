// The quality of a forest index after many changes: node tools/run.mjs bench/forest-online.ts --data <folder of Fashion-MNIST>
// 50,000 rows are fitted, 10,000 added and 10,000 removed at random; a fresh build over the same rows is the reference.
// Also what an index that keeps codes alone finds.

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  DenseMatrix,
  ExactIndex,
  ForestIndex,
  type NeighborArrays,
  neighborRecall,
  neighborRecallByDistance,
  Random,
} from '@vicinal/core'
import { readDataset } from '@vicinal/core/data'
import { keepResult, short } from './measure.ts'

const k = 10
const changes = 10_000
const effort = { trees: 20, threshold: 0, probes: 0, rerank: 60 }

async function images(folder: string, name: string, rows: number): Promise<DenseMatrix> {
  const { features } = await readDataset(join(folder, `${name}-images-idx3-ubyte.gz`))
  if (!(features instanceof DenseMatrix)) throw new Error(`${name} holds no images`)
  return new DenseMatrix(rows, features.columns, features.slice(0, rows).toFloat32())
}

/** What one search at a time finds. */
function found(index: ForestIndex, queries: DenseMatrix): NeighborArrays {
  const rows = new Uint32Array(queries.rows * k)
  const distances = new Float32Array(queries.rows * k)
  const trees = Math.min(effort.trees, index.settings.trees)
  for (let i = 0; i < queries.rows; i++) {
    index.search(queries.row(i), { k, ...effort, trees }).forEach(({ id, distance }, place) => {
      rows[i * k + place] = index.rowOf(id) ?? 0
      distances[i * k + place] = distance
    })
  }
  return { queries: queries.rows, k, rows, distances, counts: new Uint32Array(queries.rows).fill(k) }
}

/** The mean microseconds of a change. */
function time(count: number, change: (i: number) => void): number {
  const begin = performance.now()
  for (let i = 0; i < count; i++) change(i)
  return short(((performance.now() - begin) * 1000) / count)
}

async function afterChanges(all: DenseMatrix, queries: DenseMatrix) {
  const before = all.rows - changes
  const index = await ForestIndex.fit(all.slice(0, before))
  const microsPerAdd = time(changes, i => index.add(all.row(before + i)))
  const gone = new Random(5).sample(all.rows, changes)
  const microsPerRemove = time(changes, i => index.remove(gone[i] ?? 0))
  const isGone = new Set(gone)
  const left = Uint32Array.from({ length: all.rows }, (_, row) => row).filter(row => !isGone.has(row))
  const rows = all.select(left)
  const exact = await ExactIndex.fit(rows)
  const truth = await exact.searchBatch(queries, { k })
  // By distance: the same row has another number in each of them.
  const recallOf = (other: ForestIndex) => short(neighborRecallByDistance(found(other, queries), truth, k))
  const changed = recallOf(index)
  index.free()
  const fresh = await ForestIndex.fit(rows)
  const recall = { changed, fresh: recallOf(fresh) }
  fresh.free()
  exact.free()
  return { added: changes, removed: changes, microsPerAdd, microsPerRemove, recall }
}

/** An index without its rows, beside one with them. */
async function codesAlone(all: DenseMatrix, queries: DenseMatrix) {
  const exact = await ExactIndex.fit(all)
  const truth = await exact.searchBatch(queries, { k })
  exact.free()
  const lines = []
  const small = { trees: 14, leafSize: 8, labelNeighbors: 10 }
  const sketch = { keep: 'sketch', sketchDims: 256, ...small } as const
  for (const options of [{ keep: 'rows' }, { keep: 'codes' }, { keep: 'codes', ...small }, sketch] as const) {
    const index = await ForestIndex.fit(all, options)
    const bytes = Object.values(index.contents().tensors).reduce((sum, { array }) => sum + array.byteLength, 0)
    lines.push({
      options,
      // By row: distances of codes and sketches are not the rows' own.
      recall: short(neighborRecall(found(index, queries), truth, k)),
      bytes,
      shareOfRows: short(bytes / (4 * all.rows * all.columns)),
    })
    index.free()
  }
  return lines
}

const { values } = parseArgs({ options: { data: { type: 'string' } } })
if (!values.data) throw new Error('give the folder of Fashion-MNIST with --data')
const all = await images(values.data, 'train', 60_000)
const queries = await images(values.data, 't10k', 1000)
keepResult('forest-online', {
  k,
  effort,
  changes: await afterChanges(all, queries),
  kept: await codesAlone(all, queries),
})
