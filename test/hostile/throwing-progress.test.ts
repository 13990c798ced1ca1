// An onProgress that throws: the call is rejected with that error, whatever the number of threads, and the engine goes on working. It once
// ended the process where two threads were at work.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as vicinal from './every-name.ts'

const own = new Error('the bar is gone')
const throwing = () => {
  throw own
}

const random = new vicinal.Random(5)
const rows = Array.from({ length: 300 }, () => Array.from({ length: 8 }, () => random.normal()))
const sparse = Array.from({ length: 300 }, (_, i) => [[i % 30, 1], [30 + (i % 7), 2]] as const) // biome-ignore format: rows as rows
const items = Array.from({ length: 120 }, (_, i) => ({ text: `word${i % 9} other${i % 5}`, labels: [`l${i % 4}`] }))
const texts = items.map(({ text }) => text)
const bytes = new TextEncoder().encode(items.map(item => JSON.stringify(item)).join('\n'))

type Work = { readonly onProgress?: () => void; readonly threads?: number }

const dense = vicinal.ForestIndex.fit(rows, { trees: 3 })
const exact = vicinal.ExactIndex.fit(rows)
const inverted = vicinal.InvertedIndex.fit(sparse)
const sparseForest = vicinal.SparseForestIndex.fit(sparse, { trees: 2 })
const net = vicinal.NetIndex.fit(rows.slice(0, 50))
const models = Promise.all([
  vicinal.LcifClassifier.fit(items, { weighting: 'none' }),
  vicinal.ForestClassifier.fit(items, { trees: 2 }),
  vicinal.MarginClassifier.fit(items),
  vicinal.MemoryClassifier.fit(items),
])

const calls: Record<string, (work: Work) => Promise<unknown>> = {
  'ExactIndex.fit': work => vicinal.ExactIndex.fit(rows, work),
  'ForestIndex.fit': work => vicinal.ForestIndex.fit(rows, { trees: 4, ...work }),
  'InvertedIndex.fit': work => vicinal.InvertedIndex.fit(sparse, work),
  'SparseForestIndex.fit': work => vicinal.SparseForestIndex.fit(sparse, { trees: 4, ...work }),
  'NetIndex.fit': ({ threads: _, ...work }) => vicinal.NetIndex.fit(rows.slice(0, 50), work),
  'LcifClassifier.fit': work => vicinal.LcifClassifier.fit(items, work),
  'ForestClassifier.fit': work => vicinal.ForestClassifier.fit(items, { trees: 4, ...work }),
  'MarginClassifier.fit': work => vicinal.MarginClassifier.fit(items, work),
  'MemoryClassifier.fit': work => vicinal.MemoryClassifier.fit(items, work),
  'LcifClassifier.tune': work => vicinal.LcifClassifier.tune(items, { metric: 'p@1', weighting: 'none', ...work }),
  'ForestClassifier.tune': work => vicinal.ForestClassifier.tune(items, { metric: 'p@1', trees: 2, ...work }),
  'tune by margin': work => vicinal.findMethod('margin').tune(items, { metric: 'p@1', ...work }),
  'tune of the memory': work => vicinal.findMethod('memory').tune(items, { metric: 'p@1', ...work }),
  condense: ({ threads: _, ...work }) => vicinal.condense(items, work),
  'ExactIndex.searchBatch': async work => (await exact).searchBatch(rows, work),
  'ForestIndex.searchBatch': async work => (await dense).searchBatch(rows, work),
  'ForestIndex.exactBatch': async work => (await dense).exactBatch(rows, work),
  'InvertedIndex.searchBatch': async work => (await inverted).searchBatch(sparse, work),
  'SparseForestIndex.searchBatch': async work => (await sparseForest).searchBatch(sparse, work),
  'NetIndex.searchBatch': async work => (await net).searchBatch(rows, work),
  predictBatch: async work => Promise.all((await models).map(model => model.predictBatch(texts, work))),
  predictSets: async work => Promise.all((await models).map(model => model.predictSets(texts, work))),
  evaluateClassifier: async work => vicinal.evaluateClassifier((await models)[0], items, work),
  replayMemory: ({ threads: _, ...work }) => vicinal.replayMemory(vicinal.MemoryTree.create(), items, work),
  readDataset: ({ threads: _, ...work }) => vicinal.readDataset(bytes, work),
  readVocabulary: ({ threads: _, ...work }) => vicinal.readVocabulary(new TextEncoder().encode('p1\tships\n'), work),
  readAll: async ({ threads: _, ...work }) => vicinal.readAll(await vicinal.openInput(bytes), work),
  readTextBatches: async ({ threads: _, ...work }) => {
    for await (const { texts } of vicinal.readTextBatches(bytes, work)) expect(texts.length).toBeGreaterThan(0)
  },
  writeDataset: async ({ threads: _, ...work }) =>
    vicinal.writeDataset(await vicinal.readDataset(bytes), join(folder, 'x.jsonl'), { overwrite: true, ...work }),
}

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-progress-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe.each([1, 2])('an onProgress that throws, with %i threads', threads => {
  it.each(Object.keys(calls))('rejects %s, which works again without it', async name => {
    const call = calls[name]!
    await expect(call({ threads, onProgress: throwing })).rejects.toBe(own)
    await call({ threads })
  })
})
