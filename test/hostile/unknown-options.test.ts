// Every public call that takes options refuses one it does not know: a misspelled option is never a silent default.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemoryStore } from '@vicinal/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as vicinal from './every-name.ts'

type Call = (options: object) => unknown

const rows = vicinal.DenseMatrix.from(Array.from({ length: 12 }, (_, i) => [i % 3, i % 4, 1 + i]))
const sparse = vicinal.SparseMatrix.from(
  Array.from({ length: 12 }, (_, i) => [
    [i % 3, 1],
    [3 + (i % 4), 2],
  ]),
)
const row = sparse.row(0)
const texts = Array.from({ length: 12 }, (_, i) => `word${i % 3} other${i % 2}`)
const labels = vicinal.LabelMatrix.from(texts.map((_, i) => [i % 2]))
const dataset = { name: 'data', rows: 12, texts, labels, labelNames: ['even', 'odd'] }
const ranked = {
  ...{ rows: 12, top: 2, labels: new Uint32Array(24), scores: new Float32Array(24) },
  counts: new Uint32Array(12).fill(1),
}
const metric = { name: 'gap', distance: (a: number, b: number) => Math.abs(a - b) }
const tree = { rows: 2, labels: [{ label: 'a', rows: 2 }] }
const found = {
  ...{ queries: 1, k: 1, rows: Uint32Array.of(0), distances: Float32Array.of(0) },
  counts: Uint32Array.of(1),
}

/** The options as the call's own type: what is wrong with them is the point. */
const as = <T>(options: object) => options as T

function indexCalls(): Record<string, Call> {
  const { ExactIndex, ForestIndex, InvertedIndex, NetIndex, SparseForestIndex } = vicinal
  const kinds = { ExactIndex, ForestIndex, InvertedIndex, NetIndex, SparseForestIndex }
  const calls: Record<string, Call> = {}
  for (const [name, Index] of Object.entries(kinds)) {
    const isSparse = name === 'InvertedIndex' || name === 'SparseForestIndex'
    // One of these classes, with the rows it takes.
    const anyIndex = Index as unknown as typeof ForestIndex
    const [all, one] = (isSparse ? [sparse, row] : [rows, rows.row(0)]) as unknown as [vicinal.DenseMatrix, number[]]
    const fitted = anyIndex.fit(all)
    const then = (work: (index: vicinal.ForestIndex) => unknown) => fitted.then(work)
    calls[`${name}.fit`] = options => anyIndex.fit(all, options)
    calls[`${name}.search`] = options => then(index => index.search(one, options))
    calls[`${name}.searchBatch`] = options => then(index => index.searchBatch(all, options))
    calls[`${name}.save`] = options => then(index => index.save(join(folder, 'x'), options))
    calls[`${name}.load`] = options => anyIndex.load(join(folder, 'x'), options)
    calls[`${name}.fromBytes`] = options => then(index => anyIndex.fromBytes(index.toBytes(), options))
    calls[`${name}.fromContents`] = options => then(index => anyIndex.fromContents(index.contents(), options))
    if (name !== 'ExactIndex' && name !== 'InvertedIndex') {
      calls[`${name}.searchCandidates`] = options => then(index => index.searchCandidates(one, options))
    }
    if (name.includes('Forest')) calls[`${name}.exactBatch`] = options => then(index => index.exactBatch(all, options))
  }
  calls['InvertedIndex.nearestBatch'] = async options => (await InvertedIndex.fit(sparse)).nearestBatch(sparse, options)
  return calls
}

function classifierCalls(): Record<string, Call> {
  const { ForestClassifier, LcifClassifier, MarginClassifier, MemoryClassifier } = vicinal
  const calls: Record<string, Call> = {}
  for (const [name, Method] of Object.entries({
    ForestClassifier,
    LcifClassifier,
    MarginClassifier,
    MemoryClassifier,
  })) {
    const fitted: Promise<vicinal.Classifier> = Method.fit(dataset)
    const then = (work: (classifier: vicinal.Classifier) => unknown) => fitted.then(work)
    calls[`${name}.fit`] = options => Method.fit(dataset, options)
    calls[`${name}.tune`] = options => Method.tune(dataset, { metric: 'p@1', ...options })
    calls[`${name}.fromBytes`] = options => then(one => Method.fromBytes(one.toBytes(), options))
    calls[`${name}.fromContents`] = options =>
      then(one => Method.fromContents(vicinal.decodeModel(one.toBytes()), options))
    calls[`${name}.fit, text options`] = options => Method.fit(dataset, { text: options })
    calls[`${name}.predict`] = options => then(one => one.predict('word1', options))
    calls[`${name}.predictBatch`] = options => then(one => one.predictBatch(texts, options))
    calls[`${name}.predictSets`] = options => then(one => one.predictSets(texts, options))
    calls[`${name}.save`] = options => then(one => one.save(join(folder, 'x'), options))
    calls[`${name}.load`] = options => Method.load(join(folder, 'x'), options)
    calls[`evaluateClassifier of ${name}`] = options => then(one => vicinal.evaluateClassifier(one, dataset, options))
  }
  for (const name of vicinal.methodNames()) {
    const method = vicinal.findMethod(name)
    calls[`fit of the method ${name}`] = options => method.fit(dataset, as(options))
    calls[`tune of the method ${name}`] = options => method.tune(dataset, { metric: 'p@1', ...options })
  }
  return calls
}

function otherCalls(): Record<string, Call> {
  const memory = vicinal.MemoryTree.create()
  const documents = vicinal.Collection.create()
  const path = join(folder, 'x')
  const exact = vicinal.ExactIndex.fit(rows)
  const bytes = new TextEncoder().encode('{"text": "a", "labels": ["b"]}\n')
  return {
    'new Engine': options => new vicinal.Engine(options),
    'MemoryTree.create': options => vicinal.MemoryTree.create(options),
    'MemoryTree.create, text options': options => vicinal.MemoryTree.create({ text: options }),
    'MemoryTree.insert': options => memory.insert('a', 1, options),
    'MemoryTree.query': options => memory.query('a', options),
    'MemoryTree.learn': options => memory.learn('a', () => 1, options),
    'MemoryTree.upsert': options => memory.upsert('a', 1, { id: 1, ...options }),
    'MemoryTree.list': options => memory.list(options),
    'MemoryTree.count': options => memory.count(options),
    'MemoryTree.save': options => memory.save(path, options),
    'MemoryTree.load': options => vicinal.MemoryTree.load(path, options),
    'MemoryTree.fromBytes': options => vicinal.MemoryTree.fromBytes(memory.toBytes(), options),
    'MemoryTree.fromContents': options => vicinal.MemoryTree.fromContents(memory.contents(), options),
    'MemoryStore.create': options => MemoryStore.create(join(folder, 'new'), options),
    'MemoryStore.open': options => MemoryStore.open(path, options),
    'Collection.create': options => vicinal.Collection.create(options),
    'Collection.upsert': options => documents.upsert({ id: 1, text: 'a' }, options),
    'Collection.upsertMany': options => documents.upsertMany([], options),
    'Collection.list': options => documents.list(options),
    'Collection.search': options => documents.search({ text: 'a', ...options }),
    'Collection.optimize': options => documents.optimize(options),
    'Collection.save': options => documents.save(path, options),
    'Collection.load': options => vicinal.Collection.load(path, options),
    'Collection.fromBytes': options => vicinal.Collection.fromBytes(documents.toBytes(), options),
    'Collection.fromContents': options => vicinal.Collection.fromContents(documents.contents(), options),
    'TextPipeline.fit': options => vicinal.TextPipeline.fit(texts, options),
    'TextPipeline.fitTransform': options => vicinal.TextPipeline.fitTransform(texts, options),
    'TextPipeline.hashing': options => vicinal.TextPipeline.hashing(options),
    evaluate: options => vicinal.evaluate(labels, ranked, undefined, options),
    labelPropensities: options => vicinal.labelPropensities(labels, options),
    chooseThresholds: options => vicinal.chooseThresholds('cardinality', ranked, labels, options),
    neighborRecallByDistance: options => vicinal.neighborRecallByDistance(found, found, 1, options),
    measureCurve: async options => vicinal.measureCurve(await exact, rows, { truth: found, ...options }),
    keptTruth: async options =>
      vicinal.keptTruth(
        path,
        { kind: vicinal.findIndexKind('exact'), index: await exact, options: {}, buildSeconds: 0 },
        rows,
        options,
      ),
    loadIndex: options => vicinal.loadIndex(path, options),
    saveIndex: async options => vicinal.saveIndex(path, { index: await exact, buildSeconds: 0 }, options),
    loadClassifier: options => vicinal.loadClassifier(path, options),
    condense: options => vicinal.condense(dataset, options),
    metricFault: options => vicinal.metricFault(metric, [1, 2], options),
    replayMemory: options => vicinal.replayMemory(memory, dataset, options),
    readDataset: options => vicinal.readDataset(bytes, options),
    readVocabulary: options => vicinal.readVocabulary(new TextEncoder().encode('p1\tships\n'), options),
    'Vocabulary.create': options => vicinal.Vocabulary.create([{ id: 'p1', names: 'ships' }], options),
    writeDataset: options => vicinal.writeDataset(dataset, join(folder, 'x.jsonl'), options),
    readTextBatches: options => vicinal.readTextBatches(bytes, options).next(),
    openInput: options => vicinal.openInput(bytes, options),
    readAll: async options => vicinal.readAll(await vicinal.openInput(bytes), options),
    'new RecordReader': options => new vicinal.RecordReader('x', options),
    writeModel: async options => vicinal.writeModel(path, (await exact).contents(), options),
    writeAtomically: options => vicinal.writeAtomically(path, options, async () => {}),
    svgPlot: options => vicinal.svgPlot({ x: { label: 'x' }, y: { label: 'y' }, series: [] }, options),
    mapLabels: async options => vicinal.mapLabels(await vicinal.LcifClassifier.fit(dataset), options),
    measureQuality: async options =>
      vicinal.measureQuality(await vicinal.LcifClassifier.fit(dataset), dataset, options),
    measureIndex: async options =>
      vicinal.measureIndex({ index: await exact, kind: vicinal.findIndexKind('exact') }, options),
    searchLike: async options => vicinal.searchLike(await exact, 0, as(options)),
    treeSvg: options => vicinal.treeSvg(tree, options),
    treeText: options => vicinal.treeText(tree, options),
  }
}

/** What the call throws, or its promise rejects with. */
async function errorOf(call: Call): Promise<unknown> {
  try {
    await call({ zebra: 1 })
    return undefined
  } catch (error) {
    return error
  }
}

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-unknown-options-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('a misspelled option is refused', () => {
  it('by every public call that takes options', { timeout: 60_000 }, async () => {
    const calls = { ...indexCalls(), ...classifierCalls(), ...otherCalls() }
    const taken: string[] = []
    for (const [name, call] of Object.entries(calls)) {
      const error = await errorOf(call)
      const isRefused = error instanceof vicinal.EngineError && error.code === 'UNKNOWN_NAME'
      if (!isRefused || error.message !== 'unknown option "zebra"') taken.push(`${name}: ${error}`)
    }
    expect(taken).toEqual([])
    expect(Object.keys(calls).length).toBeGreaterThan(100)
  })

  it.each([
    ['metirc', () => vicinal.ForestIndex.fit(rows, as({ metirc: 'cosine' })), 'metric'],
    ['tress', () => vicinal.ForestIndex.fit(rows, as({ tress: 5 })), 'trees'],
    ['Top', () => vicinal.LcifClassifier.fit(dataset).then(one => one.predict('word1', as({ Top: 1 }))), 'top'],
    ['capasity', async () => vicinal.MemoryTree.create(as({ capasity: 5 })), 'capacity'],
  ])('with the one that was meant: %s', async (_, call, meant) => {
    await expect(call()).rejects.toMatchObject({ hint: expect.stringMatching(`^Did you mean "${meant}"\\?`) })
  })
})
