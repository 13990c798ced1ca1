// Small real models of every kind, with several options each: what hostile models are made from.

import * as vicinal from './every-name.ts'

type Family = 'index' | 'classifier' | 'memory' | 'collection'

export interface SampleModel {
  readonly name: string
  readonly family: Family
  /** What the loaded model is asked about: one item, and two of them. */
  readonly query: unknown
  readonly batch: unknown
  /** Fits the model and saves it. */
  save(path: string): Promise<void>
  load(path: string): Promise<object>
}

interface Saved {
  save(path: string): Promise<void>
}

const random = new vicinal.Random(3)
const words =
  'sea ship red house door window forest tree bird fish boat sail wind rain sun moon star dog cat mouse'.split(' ')
const texts = Array.from({ length: 40 }, (_, i) =>
  [
    ...Array.from({ length: 5 }, (_, j) => words[(i * 7 + j * 3 + random.below(4)) % words.length]),
    `rare${i % 15}`,
  ].join(' '),
)
const ids = texts.map((_, i) => `i${i}`)
const labelNames = ['a', 'b', 'c', 'd']
const labels = vicinal.LabelMatrix.from(texts.map((_, i) => [...new Set([i % 4, (i * 3) % 4])]))
const dense = vicinal.DenseMatrix.from(
  Array.from({ length: 90 }, (_, i) => Array.from({ length: 8 }, () => random.normal() + (i % 3))),
)
const plane = vicinal.DenseMatrix.from(Array.from({ length: 40 }, () => [random.normal(), random.normal()]))
/** Frequent features and rare ones, which an inverted index keeps in different ways. */
export const sparseColumns = 90
const sparse = vicinal.SparseMatrix.from(
  Array.from({ length: 60 }, (_, i) => {
    const frequent = Array.from({ length: 6 }, (_, k) => (i * 5 + k * k * 3) % 30)
    const rare = [30 + i, 31 + ((i * 7) % 58)]
    return [...new Set([...frequent, ...rare])].map(feature => [feature, 1 + random.float()] as const)
  }),
  sparseColumns,
)

const labeledTexts = { name: 'texts', rows: 40, texts, labels, labelNames, ids }
const labeledDense = { ...labeledTexts, texts: undefined, features: dense.slice(0, 40) }
const labeledSparse = { ...labeledTexts, texts: undefined, features: sparse.slice(0, 40) }

/** A metric that files know by name alone. */
const gap = { name: 'gap', distance: (a: number, b: number) => Math.abs(a - b) }

const denseAsk = { query: [...dense.row(1)].map(value => value + 0.1), batch: dense.slice(0, 2) }
const planeAsk = { query: [0.3, -0.2], batch: plane.slice(0, 2) }
const sparseAsk = {
  query: { indices: Uint32Array.of(1, 4, 9, 22, 35, 41), values: Float32Array.of(1, 0.5, 2, 1, 1, 2) },
  batch: sparse.slice(0, 2),
}
const textAsk = { query: 'red sea ship door rare3', batch: ['red sea rare7', 'dog cat moon'] }

/** Changed after fitting: files have holes, ids of both types and rows that came later. */
async function worn(
  index: { add(row: never, id?: string): unknown; remove(id: never): unknown } & Saved,
  row: unknown,
) {
  index.add(row as never, 'late') // as its kind takes them
  index.remove(4 as never)
  return index
}

function indexes(): SampleModel[] {
  const { ExactIndex, ForestIndex, InvertedIndex, NetIndex, SparseForestIndex } = vicinal
  const both = Array.from({ length: dense.rows }, (_, i) => (i % 2 ? `id${i}` : i))
  const forest = (options: object) => ForestIndex.fit(dense, { trees: 4, ...options })
  const made: Record<string, [typeof denseAsk | typeof sparseAsk | typeof textAsk, () => Promise<Saved>]> = {
    exact: [denseAsk, () => ExactIndex.fit(dense)],
    'exact-cosine': [denseAsk, () => ExactIndex.fit(dense, { metric: 'cosine', ids: both })],
    'exact-dot': [denseAsk, async () => worn(await ExactIndex.fit(dense, { metric: 'dot' }), denseAsk.query)],
    forest: [denseAsk, () => forest({ targetRecall: 0.9, ids: both })],
    'forest-codes': [denseAsk, () => forest({ keep: 'codes', metric: 'cosine' })],
    'forest-sketch': [denseAsk, () => forest({ keep: 'sketch', sketchDims: 5 })],
    'forest-rows': [denseAsk, async () => worn(await forest({ view: 'rows', metric: 'dot' }), denseAsk.query)],
    'forest-projected': [denseAsk, () => forest({ grower: 'random-projection', rule: 'voting' })],
    'forest-pca': [denseAsk, () => forest({ grower: 'pca', rule: 'lookup', leafSize: 4 })],
    'forest-classes': [denseAsk, () => forest({ grower: 'classification' })],
    inverted: [sparseAsk, () => InvertedIndex.fit(sparse)],
    'inverted-dot': [sparseAsk, async () => worn(await InvertedIndex.fit(sparse, { metric: 'dot' }), sparseAsk.query)],
    'sparse-forest': [sparseAsk, () => SparseForestIndex.fit(sparse, { trees: 4 })],
    'sparse-forest-graph': [
      sparseAsk,
      () => SparseForestIndex.fit(sparse, { trees: 3, grower: 'graph', metric: 'dot' }),
    ],
    net: [planeAsk, async () => worn(await NetIndex.fit(plane, { metric: 'euclidean' }), planeAsk.query)],
    'net-text': [
      { query: 'shop', batch: new vicinal.TextRows(['shop', 'sea']) as never },
      () => NetIndex.fit(new vicinal.TextRows(words), { metric: 'levenshtein' }),
    ],
    'net-sparse': [sparseAsk, () => NetIndex.fit(sparse, { metric: 'jaccard' })],
  }
  const named = Object.entries(made).map(([name, [ask, make]]) => {
    const load = async (path: string) => (await vicinal.loadIndex(path)).index
    return { name, family: 'index' as const, ...ask, save: async (path: string) => (await make()).save(path), load }
  })
  return [...named, ownMetric(NetIndex)]
}

function ownMetric(NetIndex: typeof vicinal.NetIndex): SampleModel {
  return {
    ...{ name: 'net-own', family: 'index', query: 7.5, batch: [3, 9] },
    save: async path => (await NetIndex.fit([1, 2, 4, 8, 16, 32, 5, 5, 9], { metric: gap })).save(path),
    load: path => NetIndex.load(path, { metric: gap }),
  }
}

function classifiers(): SampleModel[] {
  const fitted =
    (method: string, data: object, options: object = {}) =>
    () =>
      vicinal.findMethod(method).fit(data as vicinal.Dataset, { ...options }) // texts: undefined is no text
  const made: Record<string, [object, () => Promise<Saved>]> = {
    lcif: [textAsk, fitted('lcif', labeledTexts, { weighting: 'learned' })],
    'lcif-plain': [textAsk, fitted('lcif', labeledTexts, { weighting: 'none', threshold: 'priors' })],
    'lcif-dense': [denseAsk, fitted('lcif', labeledDense)],
    'lcif-sparse': [sparseAsk, fitted('lcif', labeledSparse, { weighting: 'none' })],
    instance: [textAsk, fitted('instance', labeledTexts, { keepTexts: true })],
    feature: [textAsk, fitted('feature', labeledTexts)],
    gpt: [textAsk, fitted('gpt', labeledTexts, { trees: 3 })],
    'gpt-dense': [denseAsk, fitted('gpt', labeledDense, { trees: 3 })],
    'kd-dense': [denseAsk, fitted('forest', labeledDense, { trees: 3, grower: 'kd' })],
    'projected-sparse': [sparseAsk, fitted('forest', labeledSparse, { trees: 3, grower: 'random-projection' })],
    margin: [textAsk, fitted('margin', labeledTexts)],
    'margin-words': [textAsk, fitted('margin', labeledTexts, { distance: 'levenshtein', perturb: 0.2 })],
    'margin-dense': [denseAsk, fitted('margin', labeledDense)],
    'memory-labels': [textAsk, fitted('memory', labeledTexts)],
    'memory-labels-nearest': [denseAsk, fitted('memory', labeledDense, { inference: 'nearest', trees: 2 })],
  }
  return Object.entries(made).map(([name, [ask, make]]) => ({
    ...{ name, family: 'classifier' as const, ...(ask as typeof textAsk) }, // the asks are all of one shape
    save: async path => (await make()).save(path),
    load: path => vicinal.loadClassifier(path),
  }))
}

function memories(): SampleModel[] {
  const grown = (options: object, keys: readonly never[]) => {
    const memory = vicinal.MemoryTree.create(options)
    keys.forEach((key, i) => {
      memory.insert(key, { n: i }, { id: i % 2 ? i : `m${i}` })
    })
    for (let i = 0; i < 60; i++) {
      const [hit] = memory.query(keys[i % keys.length] as never, { k: 1 })
      if (hit) memory.update(hit, i % 2)
    }
    return memory
  }
  const rows = (matrix: { rows: number; row(i: number): unknown }) =>
    Array.from({ length: matrix.rows }, (_, i) => matrix.row(i))
  const made: Record<string, [object, object, readonly unknown[]]> = {
    memory: [textAsk, {}, texts],
    'memory-dense': [denseAsk, { trees: 2 }, rows(dense.slice(0, 40))],
    'memory-sparse': [sparseAsk, { capacity: 50 }, rows(sparse)],
  }
  return Object.entries(made).map(([name, [ask, options, keys]]) => ({
    ...{ name, family: 'memory' as const, ...(ask as typeof textAsk) }, // likewise
    save: path => grown(options, keys as readonly never[]).save(path),
    load: path => vicinal.MemoryTree.load(path),
  }))
}

/** Documents with some of their parts, replaced and removed, so that keys of vectors are not rows. */
async function collectionOf(options: object, hasVectors: boolean): Promise<vicinal.Collection> {
  const collection = vicinal.Collection.create({ boosts: { title: 2 }, ...options })
  for (let i = 0; i < 60; i++) {
    const text = texts[i % texts.length] ?? ''
    await collection.upsert({
      id: i % 3 ? `i${i}` : i,
      ...(i % 5 !== 0 && { text }),
      ...(i % 4 === 0 && { fields: { title: text.slice(0, 12), summary: '' } }),
      ...(hasVectors && i % 7 !== 0 && { vector: dense.row(i) }),
      ...(i % 2 === 0 && {
        metadata: { year: 1990 + (i % 9), tags: ['a', 'b'].slice(i % 3), deep: { list: [null, true, i / 3] } },
      }),
    })
  }
  for (let i = 0; i < 60; i += 6) collection.remove(i)
  await collection.upsert({ id: 'i1', text: 'sea and ships', ...(hasVectors && { vector: dense.row(70) }) })
  return collection
}

function collections(): SampleModel[] {
  const grown = async () => {
    const collection = await collectionOf({ metric: 'euclidean', forestFrom: 30, forest: { trees: 4 } }, true)
    await collection.optimize()
    return collection
  }
  const made: Record<string, () => Promise<vicinal.Collection>> = {
    collection: () => collectionOf({ stopWords: ['red'] }, true),
    'collection-forest': grown,
    'collection-texts': () => collectionOf({ k1: 0.9, b: 0.4 }, false),
    'collection-empty': async () => vicinal.Collection.create({ metric: 'dot' }),
  }
  const query = { text: 'red sea ship rare3', vector: denseAsk.query, filter: { year: { gte: 1992 } } }
  return Object.entries(made).map(([name, make]) => ({
    ...{ name, family: 'collection' as const, query, batch: undefined },
    save: async path => (await make()).save(path),
    load: path => vicinal.Collection.load(path),
  }))
}

export const sampleModels: readonly SampleModel[] = [...indexes(), ...classifiers(), ...memories(), ...collections()]
