// One small object of every kind that holds memory, with everything one can do with it: what is said of lifetimes is said of all.

import { Collection } from './collection/collection.ts'
import type { Dataset } from './data/dataset.ts'
import type { Engine } from './kernels/engine.ts'
import type { Owned } from './kernels/owned.ts'
import { ForestClassifier } from './label/forest/forest-classifier.ts'
import { LcifClassifier } from './label/lcif/lcif-classifier.ts'
import { MarginClassifier } from './label/margin/margin-classifier.ts'
import { MemoryClassifier } from './label/memory/memory-classifier.ts'
import { DenseMatrix } from './matrix/dense-matrix.ts'
import { LabelMatrix } from './matrix/label-matrix.ts'
import { SparseMatrix } from './matrix/sparse-matrix.ts'
import { MemoryTree } from './memory/memory-tree.ts'
import { Random } from './random.ts'
import { ExactIndex } from './search/exact/exact-index.ts'
import { ForestIndex } from './search/forest/forest-index.ts'
import { InvertedIndex } from './search/inverted/inverted-index.ts'
import { NetIndex } from './search/net/net-index.ts'
import { SparseForestIndex } from './search/sparse-forest/sparse-forest-index.ts'
import type { ModelContents } from './store/header.ts'

/** A kind of object; `T` is what `fit` makes. */
export interface Kind<T extends Owned = Owned> {
  readonly name: string
  /** Different seeds give different data, and so different answers. */
  fit(engine: Engine, seed: number): Promise<T>
  contents(object: T): ModelContents
  load(contents: ModelContents, engine: Engine): T
  /** Everything one can do with it, by name; answers are data that can be compared. */
  readonly uses: Readonly<Record<string, (object: T) => unknown>>
  /** Answers of the object as it is: asked again, they are the same. */
  answer(object: T): unknown
  /** The same by way of a batch. */
  batch(object: T): Promise<unknown>
}

const [rows, dims, columns] = [60, 6, 40]

function dense(seed: number): DenseMatrix {
  const random = new Random(seed)
  return DenseMatrix.from(
    Array.from({ length: rows }, () => Float32Array.from({ length: dims }, () => random.normal())),
  )
}

function sparse(seed: number): SparseMatrix {
  const random = new Random(seed)
  const row = () => new Map(Array.from({ length: 6 }, () => [random.below(columns), 1 + random.float()]))
  return SparseMatrix.from(
    Array.from({ length: rows }, () => [...row()].sort(([a], [b]) => a - b)),
    columns,
  )
}

/** Texts of a few words each; a text's labels are its first word's. */
function labeled(seed: number): Dataset {
  const random = new Random(seed)
  const words = Array.from({ length: rows }, () => Array.from({ length: 4 }, () => random.below(20)))
  const labels = words.map(([first = 0]) => first % 4)
  return {
    name: 'words',
    rows,
    texts: words.map(list => list.map(word => `word${word}`).join(' ')),
    labels: new LabelMatrix(
      rows,
      4,
      Float64Array.from({ length: rows + 1 }, (_, i) => i),
      Uint32Array.from(labels),
    ),
    labelNames: ['a', 'b', 'c', 'd'],
  }
}

const firstOf = { indices: Uint32Array.of(1, 7), values: Float32Array.of(1, 2) }
const query = Float32Array.from({ length: dims }, (_, i) => i / dims)

interface AnyIndex extends Owned {
  readonly rows: number
  readonly rowNumbers: number
  idOf(row: number): unknown
  rowOf(id: number): unknown
  remove(id: number): unknown
  compact(): unknown
  contents(): ModelContents
  save(path: string): Promise<void>
}

/** What one can do with any index. `nowhere` cannot be written to: an object that is freed is refused before. */
const nowhere = '/nowhere/at/all'
const indexUses = {
  rows: (index: AnyIndex) => index.rows,
  rowNumbers: (index: AnyIndex) => index.rowNumbers,
  idOf: (index: AnyIndex) => index.idOf(3),
  rowOf: (index: AnyIndex) => index.rowOf(3),
  contents: (index: AnyIndex) => index.contents().tensors,
  save: (index: AnyIndex) => index.save(nowhere),
  remove: (index: AnyIndex) => index.remove(3),
  compact: (index: AnyIndex) => index.compact(),
}

const denseKinds: Kind<ExactIndex | ForestIndex>[] = [
  {
    name: 'ExactIndex',
    fit: (engine, seed) => ExactIndex.fit(dense(seed), { engine }),
    load: (contents, engine) => ExactIndex.fromContents(contents, { engine }),
    ...denseAnswers(),
  },
  {
    name: 'ForestIndex',
    fit: (engine, seed) => ForestIndex.fit(dense(seed), { engine, trees: 3, threads: 1 }),
    load: (contents, engine) => ForestIndex.fromContents(contents, { engine }),
    ...denseAnswers(),
  },
]

function denseAnswers(): Pick<Kind<ExactIndex | ForestIndex>, 'uses' | 'answer' | 'batch' | 'contents'> {
  return {
    contents: index => index.contents(),
    answer: index => index.search(query, { k: 5 }),
    batch: async index => index.searchBatch(dense(99), { k: 4, threads: 2 }),
    uses: {
      search: index => index.search(query, { k: 5 }),
      filtered: index => index.search(query, { k: 5, filter: () => true }),
      searchBatch: index => index.searchBatch(dense(99), { k: 4 }),
      candidates: index => ('searchCandidates' in index ? index.searchCandidates(query) : index.search(query)),
      exactBatch: index => ('exactBatch' in index ? index.exactBatch(dense(99)) : index.searchBatch(dense(99))),
      add: index => index.add(query),
      ...indexUses,
    },
  }
}

const sparseKinds: Kind<InvertedIndex | SparseForestIndex>[] = [
  {
    name: 'InvertedIndex',
    fit: (engine, seed) => InvertedIndex.fit(sparse(seed), { engine }),
    load: (contents, engine) => InvertedIndex.fromContents(contents, { engine }),
    ...sparseAnswers(),
  },
  {
    name: 'SparseForestIndex',
    fit: (engine, seed) => SparseForestIndex.fit(sparse(seed), { engine, trees: 2, threads: 1 }),
    load: (contents, engine) => SparseForestIndex.fromContents(contents, { engine }),
    ...sparseAnswers(),
  },
]

function sparseAnswers(): Pick<Kind<InvertedIndex | SparseForestIndex>, 'uses' | 'answer' | 'batch' | 'contents'> {
  return {
    contents: index => index.contents(),
    answer: index => index.search(firstOf, { k: 5 }),
    batch: async index => index.searchBatch(sparse(99), { k: 4, threads: 2 }),
    uses: {
      search: index => index.search(firstOf, { k: 5 }),
      filtered: index => index.search(firstOf, { k: 5, filter: () => true }),
      searchBatch: index => index.searchBatch(sparse(99), { k: 4 }),
      row: index => index.row(3),
      nearest: index => ('nearest' in index ? index.nearest(firstOf, 3) : index.searchCandidates(firstOf)),
      nearestBatch: index => ('nearest' in index ? index.nearestBatch(sparse(99)) : index.exactBatch(sparse(99))),
      add: index => index.add(firstOf),
      ...indexUses,
    },
  }
}

const netKind: Kind<NetIndex> = {
  name: 'NetIndex',
  fit: (_, seed) => NetIndex.fit(dense(seed)),
  load: contents => NetIndex.fromContents(contents),
  contents: index => index.contents(),
  answer: index => index.search(query, { k: 5 }),
  batch: async index => index.searchBatch(dense(99), { k: 4 }),
  uses: {
    search: index => index.search(query, { k: 5 }),
    searchBatch: index => index.searchBatch(dense(99), { k: 4 }),
    searchCandidates: index => index.searchCandidates(query),
    item: index => index.item(3),
    dimension: index => index.dimension(),
    add: index => index.add(query),
    ...indexUses,
  },
}

type AnyClassifier = LcifClassifier | ForestClassifier | MarginClassifier | MemoryClassifier

const texts = labeled(99).texts ?? []

function classifierKind(
  name: string,
  fit: (dataset: Dataset, engine: Engine) => Promise<AnyClassifier>,
  load: (contents: ModelContents, engine: Engine) => AnyClassifier,
): Kind<AnyClassifier> {
  return {
    name,
    fit: (engine, seed) => fit(labeled(seed), engine),
    load,
    contents: model => model.contents(),
    answer: model => model.predict('word1 word2 word9 word13'),
    batch: async model => model.predictBatch(texts, { threads: 2 }),
    uses: {
      predict: model => model.predict('word1 word2 word9'),
      predictBatch: model => model.predictBatch(texts),
      predictSets: model => model.predictSets(texts),
      explain: model => model.explain('word1 word2', 'a'),
      options: model => model.options,
      rows: model => model.rows,
      labelNames: model => model.labelNames,
      takesTexts: model => model.takesTexts,
      labelCounts: model => model.labelCounts(),
      partialFit: model => model.partialFit({ ...labeled(5), ids: texts.map((_, i) => `new${i}`) }),
      remove: model => model.remove(['new1']),
      contents: model => model.contents().tensors,
      save: model => model.save(nowhere),
    },
  }
}

const memoryKind: Kind<MemoryTree> = {
  name: 'MemoryTree',
  fit: async (engine, seed) => {
    const memory = MemoryTree.create({ engine, clock: () => 0 })
    labeled(seed).texts?.forEach((text, i) => {
      memory.insert(text, i)
    })
    return memory
  },
  load: (contents, engine) => MemoryTree.fromContents(contents, { engine }),
  contents: memory => memory.contents(),
  answer: memory => memory.query('word1 word2 word9', { k: 3 }),
  batch: async memory => texts.map(text => memory.query(text)),
  uses: {
    query: memory => memory.query('word1 word2'),
    size: memory => memory.size,
    options: memory => memory.options,
    changes: memory => memory.changes,
    explorations: memory => memory.explorations,
    get: memory => memory.get(1),
    memories: memory => [...memory.memories()],
    facts: memory => memory.stats(),
    check: memory => memory.check(),
    contents: memory => memory.contents().tensors,
    save: memory => memory.save(nowhere),
    insert: memory => memory.insert('word1 another', 1),
    update: memory => memory.update({ id: 1, query: { key: 'word1' } } as never, 1),
    learn: memory => memory.learn('word1 word2', () => 1),
    reroute: memory => memory.reroute(1),
    remove: memory => memory.remove(2),
  },
}

const collectionKind: Kind<Collection> = {
  name: 'Collection',
  fit: async (engine, seed) => {
    const collection = Collection.create({ engine })
    const vectors = dense(seed)
    await collection.upsertMany((labeled(seed).texts ?? []).map((text, id) => ({ id, text, vector: vectors.row(id) })))
    return collection
  },
  load: (contents, engine) => Collection.fromContents(contents, { engine }),
  contents: collection => collection.contents(),
  answer: collection => [collection.get(3), collection.list(), collection.count()],
  batch: collection => Promise.all(texts.map(text => collection.search({ text, vector: query }))),
  uses: {
    search: collection => collection.search({ text: 'word1', vector: query }),
    get: collection => collection.get(1),
    has: collection => collection.has(1),
    count: collection => collection.count(),
    list: collection => collection.list(),
    stats: collection => collection.stats(),
    settled: collection => collection.settled(),
    optimize: collection => collection.optimize(),
    contents: collection => collection.contents().tensors,
    toBytes: collection => collection.toBytes(),
    save: collection => collection.save(nowhere),
    upsert: collection => collection.upsert({ id: 'new', text: 'word1' }),
    upsertMany: collection => collection.upsertMany([{ id: 'new', text: 'word1' }]),
    remove: collection => collection.remove(2),
  },
}

/** All of them. Their types differ in what `uses` take, which is what their own `fit` and `load` make. */
export const kinds = [
  ...denseKinds,
  ...sparseKinds,
  netKind,
  classifierKind(
    'LcifClassifier',
    (dataset, engine) => LcifClassifier.fit(dataset, { engine, threads: 1 }),
    (contents, engine) => LcifClassifier.fromContents(contents, { engine }),
  ),
  classifierKind(
    'ForestClassifier',
    (dataset, engine) => ForestClassifier.fit(dataset, { engine, trees: 2, threads: 1 }),
    (contents, engine) => ForestClassifier.fromContents(contents, { engine }),
  ),
  classifierKind(
    'MarginClassifier',
    (dataset, engine) => MarginClassifier.fit(dataset, { engine }),
    contents => MarginClassifier.fromContents(contents),
  ),
  classifierKind(
    'MemoryClassifier',
    (dataset, engine) => MemoryClassifier.fit(dataset, { engine }),
    (contents, engine) => MemoryClassifier.fromContents(contents, { engine }),
  ),
  memoryKind,
  collectionKind,
] as unknown as readonly Kind[]
