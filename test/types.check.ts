// What the compiler says to users: natural calls compile, wrong ones do not. `npm run types` checks this file; nothing here runs.

import {
  type Classifier,
  Collection,
  CollectionStore,
  ExactIndex,
  type ExplainedSuggestion,
  ForestClassifier,
  ForestIndex,
  findMethod,
  type Id,
  InvertedIndex,
  LcifClassifier,
  type LcifSettings,
  loadIndex,
  MarginClassifier,
  MemoryClassifier,
  MemoryStore,
  MemoryTree,
  NetIndex,
  type Suggestion,
} from 'vicinal'

const items = [{ text: 'ships', labels: ['shipping'] }]

export async function search(): Promise<void> {
  const index = await ForestIndex.fit([[1, 2], Float32Array.of(3, 4)], { targetRecall: 0.9, k: 5 })
  await ExactIndex.fit([{ id: 'a', vector: [1, 2] }], { metric: 'cosine' })
  await InvertedIndex.fit([[[3, 1]], new Map([[17, 0.5]])])
  await NetIndex.fit(['ship', 'sheep'], { metric: 'levenshtein' })
  const [nearest] = index.search([1, 2], { k: 1, filter: (id: Id) => id !== 'b' })
  const id: Id | undefined = nearest?.id
  const batch = await index.searchBatch([[1, 2]], { k: 3 })
  for (const neighbors of batch) for (const { distance } of neighbors) distance.toFixed()
  const same = await ForestIndex.fromBytes(index.toBytes())
  await same.save('songs.index', { overwrite: true })
  await loadIndex(index.toBytes())
  new Blob([index.toBytes()])
  console.log(id, batch.neighbors(0)[0]?.id, batch.rows.length)

  // @ts-expect-error: an option that does not exist
  await ForestIndex.fit([[1, 2]], { targetRecal: 0.9 })
  // @ts-expect-error: a metric that does not exist
  await ExactIndex.fit([[1, 2]], { metric: 'cosinus' })
  // @ts-expect-error: k is a number
  index.search([1, 2], { k: '3' })
  // @ts-expect-error: a dense index takes no text
  index.search('ships')
  // @ts-expect-error: an index is fitted, never made
  new ForestIndex()
  // @ts-expect-error: bytes are no path
  await ForestIndex.load(index.toBytes())
}

export async function label(): Promise<void> {
  const tagger = await LcifClassifier.fit(items, { neighbors: 50, weighting: 'chi2', text: { stemmer: 'english' } })
  const settings: LcifSettings = tagger.options
  const plain: Suggestion[] = tagger.predict('ships', { top: 3 })
  const explained: ExplainedSuggestion[] = tagger.predict('ships', { explain: true })
  const because: string | undefined = explained[0]?.because.neighbors[0]?.text
  for (const suggestions of await tagger.predictBatch(['ships'])) console.log(suggestions[0]?.label)
  await ForestClassifier.fit(items, { trees: 10, grower: 'pca' })
  await MarginClassifier.fit(items, { minMargin: 0.2 })
  await MemoryClassifier.fit(items, { passes: 2 })
  const tuned = [
    await LcifClassifier.tune(items, { metric: 'p@1', weighting: 'none' }),
    await ForestClassifier.tune(items, { metric: 'p@1', trees: 10 }),
    await MarginClassifier.tune(items, { metric: 'p@1', gap: 0 }),
    await MemoryClassifier.tune(items, { metric: 'p@1', trees: 2 }),
  ]
  const models: Classifier[] = tuned.map(({ classifier }) => classifier)
  const found = await findMethod('lcif').tune(items, { metric: 'microF1', mix: 0.5 })
  await findMethod('margin').fit(items, { distance: 'angle' })
  await findMethod('my own' as string).fit(items, { whatever: 1 })
  console.log(settings.neighbors.toFixed(), plain, because, models, found.options.neighbors?.toFixed())

  // @ts-expect-error: an option that does not exist
  await LcifClassifier.fit(items, { neighbours: 50 })
  // @ts-expect-error: a weighting that does not exist
  await LcifClassifier.fit(items, { weighting: 'tfidf' })
  // @ts-expect-error: an option of another classifier
  await MarginClassifier.fit(items, { trees: 10 })
  // @ts-expect-error: the method's own options are known by its name
  await findMethod('memory').fit(items, { neighbors: 10 })
  // @ts-expect-error: tuning needs something to improve
  await MemoryClassifier.tune(items, {})
  // @ts-expect-error: a measure that does not exist
  await ForestClassifier.tune(items, { metric: 'p@2' })
  // @ts-expect-error: no reasons were asked for, so that there may be none
  plain[0]?.because.neighbors
  // @ts-expect-error: batches come without reasons
  await tagger.predictBatch(['ships'], { explain: true })
}

export async function remember(): Promise<void> {
  const memory = MemoryTree.create({ trees: 2 })
  memory.insert('the disk is full', { fix: 'clear the cache' }, { id: 'm1' })
  const [hit] = memory.query('disk', { k: 3 })
  if (hit) memory.update(hit, 1)
  const store = await MemoryStore.create('notes')
  await store.insert('a key', 'a value')
  await MemoryTree.fromBytes(memory.toBytes())

  // @ts-expect-error: a reward is a number
  if (hit) memory.update(hit, 'good')
  // @ts-expect-error: update needs a hit
  memory.update('m1', 1)
}

interface Note {
  readonly year: number
  readonly tags: readonly string[]
  readonly lang?: 'fi' | 'sv'
  readonly isOpen: boolean
  readonly closed: string | null
  readonly author: { readonly name: string }
}

export async function collect(): Promise<void> {
  const author = { name: 'Tove' }
  const note: Note = { year: 1990, tags: ['sea'], isOpen: true, closed: null, author }
  const notes = Collection.create<Note>({ boosts: { title: 2 } })
  await notes.upsert({ id: 1, text: 'ice', fields: { title: 'Roads' }, vector: [1, 2], metadata: note })
  const filter = { year: { gte: 1990, lt: 2000 }, tags: { in: ['sea', 'ice'] }, lang: 'fi' as const }
  const [hit] = await notes.search({ text: 'ice', filter, k: 3 })
  const year: number | undefined = hit?.document.metadata?.year
  await notes.search({ like: 1, filter: { closed: null, isOpen: true, author: { exists: true }, tags: 'sea' } })
  await notes.search({ text: 'ice', filter: ({ metadata }) => metadata?.author.name === 'Tove' })
  await notes.search({ text: 'ice', filter: { closed: { gt: '2020-01-01' } } })
  const counted: number = notes.count({ year: { notIn: [1990] } })
  // Without a type of metadata, any name goes.
  await Collection.create().search({
    text: 'ice',
    filter: { anything: { gte: 3 }, other: 'x', more: { in: ['y', 1] } },
  })
  const store = await CollectionStore.open<Note>('notes')
  store.list({ filter: { year: 1990 } })
  console.log(year, counted)

  // @ts-expect-error: metadata has no such name
  await notes.search({ text: 'ice', filter: { yaer: 1990 } })
  // @ts-expect-error: a year is a number
  await notes.search({ text: 'ice', filter: { year: '1990' } })
  // @ts-expect-error: a bound has the type of the value
  await notes.search({ text: 'ice', filter: { year: { gte: '1990' } } })
  // @ts-expect-error: so do the members of a list
  await notes.search({ text: 'ice', filter: { tags: { in: [1, 2] } } })
  // @ts-expect-error: a word that no condition has
  await notes.search({ text: 'ice', filter: { year: { between: [1990, 2000] } } })
  // @ts-expect-error: a list is no condition; write { in: […] }
  await notes.search({ text: 'ice', filter: { tags: ['sea'] } })
  // @ts-expect-error: neither of the two languages
  await notes.search({ text: 'ice', filter: { lang: 'en' } })
  // @ts-expect-error: a year is never null
  await notes.search({ text: 'ice', filter: { year: null } })
  // @ts-expect-error: true is not more than false
  await notes.search({ text: 'ice', filter: { isOpen: { gte: false } } })
  // @ts-expect-error: objects are not compared; give a function
  await notes.search({ text: 'ice', filter: { author: { name: 'Tove' } } })
  // @ts-expect-error: exists is true or false
  await notes.search({ text: 'ice', filter: { year: { exists: 'yes' } } })
  // @ts-expect-error: a function gets the document, and metadata may be missing
  await notes.search({ text: 'ice', filter: ({ metadata }) => metadata.year > 1990 })
  // @ts-expect-error: the same for count
  notes.count({ yaer: 1990 })
  // @ts-expect-error: and in a store
  store.list({ filter: { year: '1990' } })
  // @ts-expect-error: metadata is what the collection was created for
  await notes.upsert({ id: 2, text: 'ice', metadata: { year: '1990' } })
  // @ts-expect-error: not a part of a document
  await notes.upsert({ id: 2, title: 'Ice' })
}
