// The file of a collection for the time of one command.

import { EngineError, type Id, inspectModel } from '@vicinal/core'
import { Collection } from '@vicinal/core/collection'

/** How such files are named: by it, `index` knows what to make. */
export const collectionEnding = '.collection'

/** Whether a file holds a collection. What is wrong with it, the reading will say. */
export async function isCollectionFile(path: string): Promise<boolean> {
  const facts = await inspectModel(path).catch(() => undefined)
  return facts?.method === 'collection'
}

/** Loads a collection, and frees it after `use`. */
export async function withCollection<T>(path: string, use: (collection: Collection) => Promise<T>): Promise<T> {
  const collection = await Collection.load(path)
  try {
    return await use(collection)
  } finally {
    collection.free()
  }
}

/** The id that a word on the command line means: a text, or the number that it is. */
export function findDocument(collection: Collection, word: string): Id {
  const number = Number(word)
  const found = [word, ...(word.trim() !== '' && Number.isFinite(number) ? [number] : [])].find(id =>
    collection.has(id),
  )
  if (found !== undefined) return found
  throw new EngineError('UNKNOWN_NAME', `there is no document with the id ${JSON.stringify(word)}`)
}
