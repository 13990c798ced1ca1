// Models and collections as a service holds them: with a log of what people change, wherever that log is.

import type { Classifier, OpenedIndex } from '@vicinal/core'
import type { Collection } from '@vicinal/core/collection'
import { changeToJson, replayChange } from '../collection/collection-operation.ts'
import { type ChangeLog, Corrections } from './corrections.ts'
import { ModelInsight } from './insight/model-insight.ts'
import type { DurableCollection, ServedCollection, ServedIndex, ServedModel } from './served.ts'

/** The name to serve something under, and where it came from. */
interface Given {
  readonly name: string
  readonly path: string
}

/** The model with the corrections in its log. Frees the model and closes the log if they cannot be made again. */
export async function serveModel(
  given: Given & Pick<ServedModel, 'bytes' | 'modifiedAt'>,
  model: Classifier,
  log: ChangeLog,
): Promise<ServedModel> {
  try {
    const corrections = await Corrections.open(log, model)
    const close = async () => {
      await corrections.close()
      model.free()
    }
    return { kind: 'model', ...given, model, corrections, insight: new ModelInsight(model, given.bytes), close }
  } catch (error) {
    model.free()
    throw error
  }
}

export function serveIndex(given: Given & { readonly bytes: number }, opened: OpenedIndex): ServedIndex {
  return { kind: 'index', ...given, opened, close: async () => opened.index.free() }
}

/** What loads a collection: it must pass the callback on. */
type LoadCollection = (onChange: (change: Parameters<typeof changeToJson>[0]) => void) => Promise<Collection>

/** The collection with the changes in its log. Changes are acknowledged when they are kept, as in a store. */
export async function serveCollection(given: Given, load: LoadCollection, log: ChangeLog): Promise<ServedCollection> {
  let isLogging = false
  let kept: Promise<unknown> = Promise.resolve()
  const keep = (change: Parameters<typeof changeToJson>[0]) => {
    if (!isLogging) return
    const written = log.write(changeToJson(change))
    kept = Promise.all([kept, written])
    kept.catch(() => {}) // reported to whoever made the change
  }
  const collection = await load(keep).catch(async error => {
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
  return { kind: 'collection', ...given, collection: durable(collection, log, () => kept), close }
}

function durable(collection: Collection, log: ChangeLog, kept: () => Promise<unknown>): DurableCollection {
  return {
    get: id => collection.get(id),
    has: id => collection.has(id),
    list: options => collection.list(options),
    count: filter => collection.count(filter),
    search: query => collection.search(query),
    stats: () => collection.stats(),
    checkDocuments: documents => collection.checkDocuments(documents),
    get settings() {
      return collection.settings
    },
    async upsertMany(documents, options) {
      log.check?.()
      try {
        return await collection.upsertMany(documents, options)
      } finally {
        await kept()
      }
    },
    async remove(id) {
      log.check?.()
      const isRemoved = collection.remove(id)
      await kept()
      return isRemoved
    },
  }
}
