// Opens what a path holds: a model file, an index file, a collection (a file, or a store in a folder) or the store of a memory.

import { stat } from 'node:fs/promises'
import { EngineError, indexKinds, inspectModel, loadClassifier, loadIndex } from '@vicinal/core'
import { Collection } from '@vicinal/core/collection'
import { changeToJson, replayChange } from '../collection/collection-operation.ts'
import { CollectionStore } from '../collection/collection-store.ts'
import { MemoryStore } from '../store/memory-store.ts'
import { isCollectionStore } from '../store/store-folder.ts'
import { Corrections } from './corrections.ts'
import type { DurableCollection, Served, ServedCollection } from './served.ts'
import { SideLog } from './side-log.ts'

/** A path to open, and the name to serve it under. */
export interface NamedPath {
  readonly name: string
  readonly path: string
}

export async function openServed(given: NamedPath): Promise<Served> {
  const facts = await stat(given.path).catch(cause => {
    throw new EngineError('FILE_NOT_FOUND', 'there is no such file or folder', { where: { file: given.path }, cause })
  })
  return facts.isDirectory() ? openStore(given) : openFile(given)
}

async function openStore(given: NamedPath): Promise<Served> {
  if (await isCollectionStore(given.path)) {
    const collection = await CollectionStore.open(given.path)
    return { kind: 'collection', ...given, collection, close: () => collection.close() }
  }
  const memory = await MemoryStore.open(given.path)
  return { kind: 'memory', ...given, memory, close: () => memory.close() }
}

async function openFile(given: NamedPath): Promise<Served> {
  const { method, bytes } = await inspectModel(given.path)
  if (method === 'collection') return openCollection(given)
  if (method === 'memory') {
    throw new EngineError('UNSUPPORTED', 'holds a memory in one file, which cannot be changed durably', {
      where: { file: given.path },
      hint: 'Make a store of it: `vicinal memory restore <file> <store>`, and serve that.',
    })
  }
  if (indexKinds().includes(method)) {
    const { kind, ...opened } = await loadIndex(given.path)
    return { ...opened, kind: 'index', ...given, indexKind: kind.name, close: async () => opened.index.free() }
  }
  return openModel(given, bytes)
}

async function openModel(given: NamedPath, bytes: number): Promise<Served> {
  const model = await loadClassifier(given.path)
  try {
    const corrections = await Corrections.open(given.path, model)
    const close = async () => {
      await corrections.close()
      model.free()
    }
    return { kind: 'model', ...given, model, corrections, bytes, close }
  } catch (error) {
    model.free()
    throw error
  }
}

/** A collection in a file: its changes go to a log beside it. */
async function openCollection(given: NamedPath): Promise<ServedCollection> {
  const log = await SideLog.open(given.path)
  let isLogging = false
  const collection = await Collection.load(given.path, {
    onChange: change => {
      if (isLogging) void log.write(changeToJson(change)).catch(() => {}) // flushed() reports it
    },
  }).catch(async error => {
    await log.close()
    throw error
  })
  const close = async () => {
    await log.close()
    collection.free()
  }
  try {
    await log.replay(record => replayChange(collection, record))
  } catch (error) {
    await close()
    throw error
  }
  isLogging = true
  return { kind: 'collection', ...given, collection: durable(collection, log), close }
}

/** Acknowledges changes when they are on disk, as a store does. */
function durable(collection: Collection, log: SideLog): DurableCollection {
  return {
    get: id => collection.get(id),
    has: id => collection.has(id),
    list: options => collection.list(options),
    count: filter => collection.count(filter),
    search: query => collection.search(query),
    stats: () => collection.stats(),
    get settings() {
      return collection.settings
    },
    async upsertMany(documents, options) {
      try {
        return await collection.upsertMany(documents, options)
      } finally {
        await log.flushed()
      }
    },
    async remove(id) {
      const isRemoved = collection.remove(id)
      await log.flushed()
      return isRemoved
    },
  }
}
