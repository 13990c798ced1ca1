import { expect, it } from 'vitest'
import { ForestClassifier } from '../../label/forest/forest-classifier.ts'
import { LcifClassifier } from '../../label/lcif/lcif-classifier.ts'
import { MarginClassifier } from '../../label/margin/margin-classifier.ts'
import { MemoryClassifier } from '../../label/memory/memory-classifier.ts'
import { ExactIndex } from '../../search/exact/exact-index.ts'
import { ForestIndex } from '../../search/forest/forest-index.ts'
import { InvertedIndex } from '../../search/inverted/inverted-index.ts'
import { NetIndex } from '../../search/net/net-index.ts'
import { SparseForestIndex } from '../../search/sparse-forest/sparse-forest-index.ts'

const count = 256
let read = 0

/** A vector that takes a millisecond to read. */
function slowVector(length: number): number[] {
  const vector = new Array<number>(length).fill(1)
  const slow = () => {
    read++
    for (const end = performance.now() + 1; performance.now() < end; );
    return 2
  }
  return Object.defineProperty(vector, 0, { get: slow })
}

const dense = () => Array.from({ length: count }, () => slowVector(4096))
const sparse = () => Array.from({ length: count }, () => ({ indices: [3], values: slowVector(1) }))
const labeled = () => dense().map(vector => ({ vector, labels: ['a'] }))

type Fit = (work: { signal: AbortSignal }) => Promise<unknown>

it.each<[string, Fit]>([
  ['ExactIndex', work => ExactIndex.fit(dense(), work)],
  ['ExactIndex with ids', work => ExactIndex.fit(dense().map((vector, id) => ({ id, vector })), work)], // biome-ignore format: one line each
  ['ForestIndex', work => ForestIndex.fit(dense(), work)],
  ['InvertedIndex', work => InvertedIndex.fit(sparse(), work)],
  ['SparseForestIndex', work => SparseForestIndex.fit(sparse(), work)],
  ['NetIndex', work => NetIndex.fit(dense(), work)],
  ['LcifClassifier', work => LcifClassifier.fit(labeled(), work)],
  ['ForestClassifier', work => ForestClassifier.fit(labeled(), work)],
  ['MarginClassifier', work => MarginClassifier.fit(labeled(), work)],
  ['MemoryClassifier', work => MemoryClassifier.fit(labeled(), work)],
  ['tuning', work => LcifClassifier.tune(labeled(), { metric: 'p@1', ...work })],
])('%s gives way while it reads a long list, and hears a signal', async (_name, fit) => {
  read = 0
  const control = new AbortController()
  setImmediate(() => control.abort())
  await expect(fit({ signal: control.signal })).rejects.toMatchObject({ code: 'ABORTED' })
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThan(count)
})
