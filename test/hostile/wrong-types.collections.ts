// Every public call of collections, with arguments it takes.

import { join } from 'node:path'
import { Collection } from '@vicinal/core/collection'
import { CollectionStore, isCollectionStore, writeSite } from '@vicinal/server'
import { type Call, type Callable, methods, Options, options, rows, texts } from './wrong-types.call.ts'

const year = 1990

export async function collectionCalls(folder: string): Promise<Call[]> {
  const collection = Collection.create<{ year: number }>()
  const documents = texts.map((text, id) => ({ id, text, vector: rows[id] as number[], metadata: { year: year + id } }))
  await collection.upsertMany(documents)
  const path = join(folder, 'x.collection')
  const probe = () => [collection.count(), collection.get(3), collection.stats().fields]
  const filter = { year: { gte: year } }
  return [
    ...methods(
      'Collection',
      Collection,
      { create: [options], fromContents: [collection.contents(), options], load: [path, options] },
      probe,
    ),
    ...methods('Collection', Collection, { fromBytes: [collection.toBytes(), options] }, probe),
    {
      name: 'Collection.save',
      args: [path, new Options({ overwrite: true })],
      run: (...given) => (collection as unknown as Callable).save?.(...given),
      probe,
    },
    ...methods(
      'Collection',
      collection,
      {
        ...{ upsert: [documents[0], options], upsertMany: [documents.slice(0, 2), options] },
        checkDocuments: [documents.slice(0, 2)],
        ...{ get: [1], has: [1], remove: [11], count: [filter], list: [options] },
        ...{ search: [new Options({ text: 'word1' })], optimize: [options] },
        ...{ stats: [], settled: [], contents: [], toBytes: [] },
      },
      probe,
    ),
  ]
}

export async function collectionStoreCalls(folder: string): Promise<Call[]> {
  const path = join(folder, 'collection store')
  const store = await CollectionStore.create<{ year: number }>(path)
  const documents = texts.map((text, id) => ({ id, text, vector: rows[id] as number[], metadata: { year: year + id } }))
  await store.upsertMany(documents)
  const probe = () => [store.count(), store.get(3), store.stats().fields]
  let created = 0
  const closing = async (opened: unknown) => (await (opened as Promise<CollectionStore>)).close()
  return [
    {
      name: 'CollectionStore.create',
      args: [undefined, options],
      run: (given, more) =>
        closing(CollectionStore.create((given ?? join(folder, `collection ${created++}`)) as string, more as object)),
      probe,
    },
    {
      name: 'CollectionStore.open',
      args: [path, new Options({ readOnly: true })],
      run: (given, more) => closing(CollectionStore.open(given as string, more as object)),
      probe,
    },
    ...methods(
      'CollectionStore',
      store,
      {
        ...{ upsert: [documents[0], options], upsertMany: [documents.slice(0, 2), options] },
        checkDocuments: [documents.slice(0, 2)],
        ...{ get: [1], has: [1], remove: [11], count: [{ year }], list: [options] },
        ...{ search: [new Options({ text: 'word1' })], optimize: [options] },
        ...{ stats: [], settled: [], flushed: [], snapshot: [], check: [] },
      },
      probe,
    ),
    { name: 'isCollectionStore', args: [folder], run: given => isCollectionStore(given as string) },
    {
      name: 'writeSite',
      args: [join(folder, 'site'), [join(folder, 'none')], new Options({ page: folder })],
      run: (...given) => writeSite(...(given as Parameters<typeof writeSite>)),
    },
  ]
}
