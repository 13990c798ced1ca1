// Opens what a path holds: a model file, an index file, a collection (a file, or a store in a folder) or the store of a memory.

import { stat } from 'node:fs/promises'
import { EngineError, indexKinds, inspectModel, loadClassifier, loadIndex } from '@vicinal/core'
import { Collection } from '@vicinal/core/collection'
import { throwIfAborted } from '@vicinal/core/internals'
import { CollectionStore } from '../collection/collection-store.ts'
import { MemoryStore } from '../store/memory-store.ts'
import { isCollectionStore } from '../store/store-folder.ts'
import { serveCollection, serveIndex, serveModel } from './serve-opened.ts'
import type { Served } from './served.ts'
import { SideLog } from './side-log.ts'

/** A path to open, and the name to serve it under. */
export interface NamedPath {
  readonly name: string
  readonly path: string
}

export async function openServed(given: NamedPath, signal?: AbortSignal): Promise<Served> {
  throwIfAborted(signal)
  const facts = await stat(given.path).catch(cause => {
    throw new EngineError('FILE_NOT_FOUND', 'there is no such file or folder', { where: { file: given.path }, cause })
  })
  return facts.isDirectory() ? openStore(given, signal) : openFile(given, Math.round(facts.mtimeMs), signal)
}

async function openStore(given: NamedPath, signal: AbortSignal | undefined): Promise<Served> {
  if (await isCollectionStore(given.path)) {
    const collection = await CollectionStore.open(given.path)
    return { kind: 'collection', ...given, collection, close: () => collection.close() }
  }
  const memory = await MemoryStore.open(given.path, { signal })
  return { kind: 'memory', ...given, memory, close: () => memory.close() }
}

async function openFile(given: NamedPath, modifiedAt: number, signal: AbortSignal | undefined): Promise<Served> {
  const { method, bytes } = await inspectModel(given.path)
  if (method === 'collection') {
    const log = await SideLog.open(given.path)
    return serveCollection(given, onChange => Collection.load(given.path, { onChange, signal }), log)
  }
  if (method === 'memory') {
    throw new EngineError('UNSUPPORTED', 'holds a memory in one file, which cannot be changed durably', {
      where: { file: given.path },
      hint: 'Turn it into a store with `vicinal memory restore <file> <store>`, and serve that.',
    })
  }
  if (indexKinds().includes(method)) return serveIndex({ ...given, bytes }, await loadIndex(given.path))
  const model = await loadClassifier(given.path)
  const log = await SideLog.open(given.path).catch(error => {
    model.free()
    throw error
  })
  return serveModel({ ...given, bytes, modifiedAt }, model, log)
}
