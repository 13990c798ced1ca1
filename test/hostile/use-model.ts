// Uses a loaded model in every way, and returns the answers that are not sane: NaN, an id or a label that does not exist,
// neighbors out of order. What it throws is judged by the caller. Saving stops before the disk, which takes longer than all the rest.

import { algorithms, encodeModel } from '@vicinal/core/internals'
import {
  type Classifier,
  type Collection,
  type Dataset,
  DenseMatrix,
  LabelMatrix,
  type MemoryTree,
  type SearchIndex,
  SparseMatrix,
  type SparseRow,
} from 'vicinal'
import { type SampleModel, sparseColumns } from './sample-models.ts'

type Note = (fault: string) => void
/** Called before each step, with its name. */
export type Step = (name: string) => void

type AnyIndex = SearchIndex & {
  add(row: unknown, id: string): unknown
  remove(id: unknown): boolean
  compact(): unknown
}

export async function useModel(sample: SampleModel, model: object, step: Step): Promise<string[]> {
  const faults: string[] = []
  const note = (fault: string) => faults.push(fault)
  // As their families say.
  if (sample.family === 'index') await useIndex(sample, model as AnyIndex, step, note)
  else if (sample.family === 'classifier') await useClassifier(sample, model as Classifier, step, note)
  else if (sample.family === 'memory') useMemory(sample, model as MemoryTree, step, note)
  else await useCollection(sample, model as Collection, step, note)
  return faults
}

async function useIndex(sample: SampleModel, index: AnyIndex, step: Step, note: Note): Promise<void> {
  const query = sample.query as never // of the index's own kind
  const options = sample.name.startsWith('inverted') ? algorithms.map(algorithm => ({ algorithm })) : [{}]
  for (const option of [{}, ...options]) {
    step('search')
    noteNeighbors(index, index.search(query, { k: 10, ...option }), note)
  }
  step('filter')
  noteNeighbors(index, index.search(query, { k: 3, filter: (id: unknown) => String(id).length > 1 }), note)
  step('batch')
  await noteBatch(index, sample, note)
  step('candidates')
  const candidates = index.searchCandidates?.(query) ?? 0
  if (!(candidates >= 0)) note(`candidates ${candidates}`)
  step('add')
  for (let i = 0; i < 3; i++) index.add(query, `new${i}`)
  step('remove')
  const [first] = index.search(query, { k: 1 })
  if (first && !index.remove(first.id)) note(`${first.id} cannot be removed`)
  step('search again')
  noteNeighbors(index, index.search(query, { k: 10 }), note)
  step('compact')
  index.compact()
  noteNeighbors(index, index.search(query, { k: 10 }), note)
  step('save')
  encodeModel(index.contents())
}

function noteNeighbors(index: SearchIndex, found: ReturnType<SearchIndex['search']>, note: Note): void {
  const ids = new Set(found.map(({ id }) => id))
  if (ids.size !== found.length) note('an id twice')
  found.forEach(({ id, distance }, i) => {
    if (!isDistance(distance, index)) note(`distance ${distance}`)
    if (id === undefined || index.rowOf(id) === undefined) note(`id ${id}`)
    if (i > 0 && distance < (found[i - 1]?.distance ?? 0)) note('neighbors out of order')
  })
}

/** Products of sparse rows may overflow: a negative infinity is the distance of those, and still in order. */
function isDistance(distance: number | undefined, { metric }: SearchIndex): boolean {
  return Number.isFinite(distance) || (metric === 'dot' && distance === Number.NEGATIVE_INFINITY)
}

async function noteBatch(index: SearchIndex, { batch }: SampleModel, note: Note): Promise<void> {
  const { counts, rows, distances, k } = await index.searchBatch(batch as never, { k: 5, threads: 1 })
  counts.forEach((count, query) => {
    if (count > k) note(`${count} neighbors of ${k}`)
    for (let at = query * k; at < query * k + Math.min(count, k); at++) {
      if (!isDistance(distances[at], index)) note(`batch distance ${distances[at]}`)
      if (index.idOf(rows[at] ?? -1) === undefined) note(`batch row ${rows[at]}`)
    }
  })
}

async function useClassifier(sample: SampleModel, model: Classifier, step: Step, note: Note): Promise<void> {
  const item = sample.query as string // or a vector: of the model's own kind
  step('predict')
  const found = noteSuggestions(model, item, note)
  step('batch')
  const { labels, scores, counts, top } = await model.predictBatch(sample.batch as string[], { top: 3, threads: 1 })
  counts.forEach((count, row) => {
    for (let at = row * top; at < row * top + count; at++) {
      if (!Number.isFinite(scores[at])) note(`batch score ${scores[at]}`)
      if (model.labelNames[labels[at] ?? -1] === undefined) note(`batch label ${labels[at]}`)
    }
  })
  step('sets')
  await model.predictSets(sample.batch as string[], { threads: 1 })
  step('counts')
  for (const count of model.labelCounts()) if (!(count >= 0 && count <= model.rows)) note(`label count ${count}`)
  step('explain')
  for (const { label } of found.slice(0, 2)) noteExplanation(model.explain(item, label), note)
  step('remove')
  model.remove(['i3', 'i5'])
  step('partialFit')
  model.partialFit(oneMore(sample))
  step('predict again')
  noteSuggestions(model, item, note)
  step('save')
  encodeModel((model as unknown as SearchIndex).contents()) // every classifier has contents
}

function noteSuggestions(model: Classifier, item: string, note: Note): ReturnType<Classifier['predict']> {
  const found = model.predict(item, { top: 10 })
  for (const { label, score } of found) {
    if (!Number.isFinite(score)) note(`score ${score}`)
    if (!model.labelNames.includes(label)) note(`label ${label}`)
  }
  return found
}

function noteExplanation({ score, neighbors, features }: ReturnType<Classifier['explain']>, note: Note): void {
  if (!Number.isFinite(score)) note(`explained score ${score}`)
  for (const { share } of [...neighbors, ...features] as { share?: number }[]) {
    if (share !== undefined && !Number.isFinite(share)) note(`share ${share}`)
  }
}

/** One row of what the model takes, with a label of its own. */
function oneMore({ query }: SampleModel): Dataset {
  const labels = LabelMatrix.from([[0]])
  const own = { name: 'one more', rows: 1, ids: ['new'], labels, labelNames: ['a'] }
  if (typeof query === 'string') return { ...own, texts: [`${query} by a blue whale`] }
  return { ...own, features: matrixOf(query) }
}

function matrixOf(query: unknown): NonNullable<Dataset['features']> {
  if (Array.isArray(query)) return DenseMatrix.from([query])
  const { indices, values } = query as SparseRow // no text, no list of numbers
  return SparseMatrix.from([Array.from(indices, (index, i) => [index, values[i] ?? 0] as const)], sparseColumns)
}

function useMemory(sample: SampleModel, memory: MemoryTree, step: Step, note: Note): void {
  const key = sample.query as string // or a vector: as its keys are
  step('query')
  const hits = memory.query(key, { k: 5 })
  for (const { score } of hits) if (!Number.isFinite(score)) note(`score ${score}`)
  step('memories')
  if ([...memory.memories()].length !== memory.size) note('memories and size differ')
  step('check')
  for (const fault of memory.check()) note(fault)
  step('update')
  if (hits[0]) memory.update(hits[0], 1)
  step('insert')
  for (let i = 0; i < 20; i++) memory.insert(typeof key === 'string' ? `new words ${i}` : key, i)
  step('reroute')
  memory.reroute(3)
  step('remove')
  memory.remove('m4')
  memory.remove(7)
  step('query again')
  for (const { score } of memory.query(key, { k: 5 })) if (!Number.isFinite(score)) note(`score ${score}`)
  step('save')
  encodeModel(memory.contents())
}

async function useCollection(sample: SampleModel, collection: Collection, step: Step, note: Note): Promise<void> {
  // Changed files may hold vectors of another length.
  const { text, vector, filter } = sample.query as { text: string; vector: number[]; filter: { year: { gte: number } } }
  const { dims = vector.length } = collection.stats()
  const near = Array.from({ length: dims }, (_, i) => vector[i % vector.length] ?? 0)
  const questions = [
    ...[{ text }, { vector: near }, { text, vector: near }, { text, filter }, { vector: near, filter }],
    ...[
      { text, typos: true, prefix: true },
      { text, fusion: 'scores' as const, vector: near, offset: 2 },
    ],
  ]
  const search = async () => {
    for (const question of questions) await noteHits(collection, question as (typeof questions)[0], note)
  }
  step('search')
  await search()
  step('documents')
  const documents = collection.list()
  if (documents.length !== collection.count()) note('list and count differ')
  for (const { id } of documents) if (collection.get(id)?.id !== id) note(`id ${id}`)
  step('like')
  const [like] = documents
  if (like?.text) await noteHits(collection, { like: like.id }, note)
  step('upsert')
  for (let i = 0; i < 5; i++) await collection.upsert({ id: `new${i}`, text: `${text} ${i}`, vector: near })
  step('remove')
  if (like && !collection.remove(like.id)) note(`${like.id} cannot be removed`)
  step('search again')
  await search()
  step('optimize')
  await collection.optimize()
  await search()
  step('save')
  encodeModel(collection.contents())
}

async function noteHits(
  collection: Collection,
  question: Parameters<Collection['search']>[0],
  note: Note,
): Promise<void> {
  const hits = await collection.search({ ...question, k: 8 })
  if (new Set(hits.map(({ id }) => id)).size !== hits.length) note('an id twice')
  hits.forEach(({ id, score, distance }, i) => {
    if (!Number.isFinite(score)) note(`score ${score}`)
    if (distance !== undefined && !Number.isFinite(distance)) note(`distance ${distance}`)
    if (!collection.has(id)) note(`id ${id}`)
    if (i > 0 && score > (hits[i - 1]?.score ?? 0)) note('hits out of order')
  })
}
