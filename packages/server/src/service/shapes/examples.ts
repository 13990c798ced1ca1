// One request of every operation with its answer, for the documentation. The tests send each request, and compare the shapes.

import type { Operation } from '../operation.ts'

export interface Example {
  /** Of what it is about, if not the one in `exampleNames`. */
  readonly name?: string
  /** The body, or the query and the parts of the path. */
  readonly input: object
  readonly output: object
}

export function exampleOf({ kind, name }: Pick<Operation, 'kind' | 'name'>): Example | undefined {
  return examples[`${kind}.${name}`]
}

/** Names of what the examples are about. */
export const exampleNames = { model: 'tagger', index: 'shapes', collection: 'notes', memory: 'diary' } as const

const correction = {
  id: 'correction-1',
  item: { text: 'Birds of the sea' },
  labels: ['birds', 'sea'],
  rejected: ['ships'],
  at: 1_794_997_465_171,
}

const because = {
  ...{ label: 'ships', name: 'Ships', score: 0.997 },
  neighbors: [{ id: 0, text: 'Sailing ships of the Baltic', similarity: 0.425, share: 0.5 }],
  features: [{ feature: 'ships', share: 0.497 }],
}

const stored = {
  id: 'login',
  value: { fix: 'restart the proxy' },
  key: 'login fails after the certificate changed',
  createdAt: 1_794_997_465_215,
  reward: 1,
  rewards: 1,
}

const quality = {
  ...{ n: 1, at: 1_794_997_465_171, source: 'request', metrics: { 'p@1': 1, microF1: 0.5 } },
  ...{ millisPerItem: 0.5, modelBytes: 5388, rows: 4 },
  perLabel: [{ label: 'ships', support: 1, predicted: 1, correct: 1, precision: 1, recall: 1, f1: 1 }],
  reliability: [{ from: 0.9, to: 1, count: 1, meanScore: 0.997, right: 1 }],
}

const ferry = { id: 'n1', text: 'The ferry to Tallinn leaves at noon', metadata: { year: 2026 } }
const bus = { id: 'n3', text: 'A bus to Riga', metadata: { year: 2026 } }
const question = 'why does the login fail?'

const examples: Readonly<Record<string, Example>> = {
  'model.describe': {
    input: {},
    output: {
      ...{ kind: 'model', name: 'tagger', method: 'lcif', options: { neighbors: 100, seed: 1 }, rows: 4, labels: 5 },
      ...{ takesTexts: true, corrections: 0, bytes: 5388, modifiedAt: 1_794_997_000_000 },
      ...{ language: 'en', languages: ['en', 'fi'] },
    },
  },
  'model.predict': {
    input: { text: 'Old ships', top: 2 },
    output: {
      labels: [
        { label: 'ships', name: 'Ships', score: 0.997 },
        { label: 'history', score: 0.574 },
      ],
    },
  },
  'model.predictBatch': {
    input: { items: [{ text: 'Old ships' }, { text: 'Little birds' }], top: 1 },
    output: {
      predictions: [
        { labels: [{ label: 'ships', name: 'Ships', score: 0.997 }] },
        { labels: [{ label: 'birds', score: 1 }] },
      ],
    },
  },
  'model.explain': { input: { text: 'Old ships', label: 'ships' }, output: because },
  'model.labels': {
    input: { search: 'shi', limit: 5 },
    output: { labels: [{ label: 'ships', name: 'Ships', rows: 2 }] },
  },
  'model.learn': {
    input: { items: [{ text: 'Birds of the sea', labels: ['birds', 'sea'], rejected: ['ships'] }] },
    output: { corrections: [correction] },
  },
  'model.corrections': { input: {}, output: { corrections: [correction] } },
  'model.undoCorrection': { input: { id: 'correction-1' }, output: { undone: correction } },
  'model.evaluate': {
    input: { items: [{ text: 'Old ships', labels: ['ships'] }] },
    output: quality,
  },
  'model.quality': { input: {}, output: { quality } },
  'model.map': {
    input: { limit: 2 },
    output: { points: [{ label: 'ships', name: 'Ships', rows: 2, x: -0.5, y: 0.25 }], labels: 5 },
  },
  'model.tree': {
    ...{ name: 'forest', input: { tree: 0, levels: 2 } },
    output: { tree: 0, trees: 3, svg: '<svg xmlns="http://www.w3.org/2000/svg">…</svg>' },
  },
  'index.describe': {
    input: {},
    output: {
      ...{ kind: 'index', name: 'shapes', indexKind: 'exact', metric: 'euclidean', rows: 2 },
      ...{ options: { metric: 'euclidean' }, buildSeconds: null },
    },
  },
  'index.search': {
    input: { vector: [1, 0.3], k: 1 },
    output: { neighbors: [{ id: 'apple', distance: 0.1 }], micros: 12 },
  },
  'index.items': { input: { search: 'app', limit: 5 }, output: { items: [{ id: 'apple' }], count: 1 } },
  'index.get': { input: { id: 'apple' }, output: { item: { id: 'apple', vector: [1, 0.2] } } },
  'index.curve': {
    input: { k: 1, queries: 2 },
    output: { points: [{ recall: 1, microsPerQuery: 2.5, candidates: 2, options: {} }], k: 1, queries: 2 },
  },
  'collection.describe': {
    input: {},
    output: {
      ...{ kind: 'collection', name: 'notes', stats: { documents: 2, vectors: 0 } },
      settings: { metric: 'cosine', stemmer: 'none' },
    },
  },
  'collection.search': {
    input: { text: 'tallinn', filter: { year: { gte: 2020 } }, k: 2 },
    output: { hits: [{ id: 'n1', score: 0.171, document: ferry }] },
  },
  'collection.list': { input: { limit: 1 }, output: { documents: [ferry], count: 2 } },
  'collection.get': { input: { id: 'n1' }, output: { document: ferry } },
  'collection.upsert': { input: { documents: [bus] }, output: { stored: 1 } },
  'collection.remove': { input: { id: 'n3' }, output: { removed: 'n3' } },
  'memory.describe': {
    input: {},
    output: {
      ...{ kind: 'memory', name: 'diary', size: 1, options: { retrieval: 'both', seed: 1 } },
      stats: { memories: 1, rewards: 0 },
    },
  },
  'memory.namespaces': {
    input: {},
    output: {
      namespaces: [
        { namespace: 'anna', count: 2 },
        { namespace: null, count: 1 },
      ],
    },
  },
  'memory.insert': {
    input: { key: stored.key, value: stored.value, id: 'login' },
    output: { id: 'login' },
  },
  'memory.query': {
    input: { key: question, k: 1 },
    output: {
      hits: [
        {
          ...{ id: 'login', value: stored.value, text: stored.key, createdAt: stored.createdAt },
          ...{ reward: null, rewards: 0, score: 0.313, query: { key: question } },
        },
      ],
    },
  },
  'memory.reward': {
    input: { hit: { id: 'login', query: { key: question } }, reward: 1 },
    output: { memory: stored },
  },
  'memory.list': { input: { limit: 1 }, output: { memories: [stored], count: 2 } },
  'memory.get': { input: { id: 'login' }, output: { memory: stored } },
  'memory.remove': { input: { id: 'login' }, output: { removed: 'login' } },
}
